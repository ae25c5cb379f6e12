"""From the options of ``whet job run`` and ``whet job submit`` to requests for jobs."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import typer
from pydantic import JsonValue

from whet.app.jobs import batch
from whet.app.jobs.create import AtHand, prepare
from whet.app.jobs.office import Office
from whet.app.packages.arrival import Arrival, arrived
from whet.cli.job.options import Asked
from whet.cli.job.takes import explain
from whet.cli.job.values import files, inputs_of, parameters_of, values, variables
from whet.cli.job.words import JobWords
from whet.cli.options import budget_of, named_values
from whet.cli.spending import confirm
from whet.core.errors import InvalidJob, NotFound, UsageError
from whet.curate.intake.skill_folder import ENTRY
from whet.curate.intake.skill_zip import SUFFIXES
from whet.curate.manifest import JobPackage
from whet.documents.job import JobCreate

DAY_SECONDS = 86_400


class Request(NamedTuple):
    """A job that is wanted."""

    wanted: JobCreate
    at_hand: AtHand
    package: JobPackage


def requested(office: Office, options: Asked) -> Request:
    """What the options ask for; raises ``UsageError`` for what cannot be."""
    if options.engine is not None:
        office.app.parts.engine(options.engine)  # whoever misspells it hears which there are
    path = Path(options.skill)
    if _looks_like_path(options.skill) and path.exists():
        return _of_package(office, options, path)
    try:
        found = office.resolve(options.skill, options.version)
    except NotFound as error:
        if (path / ENTRY).is_file():
            return _of_package(office, options, path)
        raise NotFound(f"{error}; and no folder or file is called so here") from None
    package = office.cache.contract(found.package, found.content, office.engines)
    skill: dict[str, JsonValue] = {"skill_id": options.skill, "version": options.version}
    return _request(office, options, package, skill, None)


def checked(office: Office, request: Request) -> None:
    """See to it that the job can be made; where its inputs do not fit, say what would."""
    try:
        prepare(office, request.wanted, None, request.at_hand)
    except InvalidJob as error:
        explain(error, request.package, JobWords(office.app.settings.language).takes)
        raise typer.Exit(error.exit_code) from None


def agreed(office: Office, request: Request, jobs: Sequence[JobCreate], *, yes: bool) -> None:
    """Ask before anybody is charged, and not about what could not be begun."""
    cost = batch.estimate(office, jobs, request.at_hand.package)
    if cost.needs_consent and not yes:
        batch.require_credentials(office, jobs)
        confirm(str(cost), yes=yes, hint="")


def _looks_like_path(name: str) -> bool:
    """Any other name is first looked for in the library."""
    return os.sep in name or name in (".", "..") or name.lower().endswith(SUFFIXES)


def _of_package(office: Office, options: Asked, path: Path) -> Request:
    """A job that brings its own skill."""
    if options.version is not None:
        raise UsageError("--version is for skills of the library; this is a package of its own")
    folder = path.parent if path.name == ENTRY and path.is_file() else path
    brought = arrived(folder, office.engines, to_install=False)
    return _request(office, options, brought.job, {"skill_source": "temp_upload"}, brought)


def _request(
    office: Office,
    options: Asked,
    package: JobPackage,
    skill: dict[str, JsonValue],
    brought: Arrival | None,
) -> Request:
    budget = budget_of(options.max_cost, options.max_tokens, options.max_minutes)
    how: dict[str, JsonValue] = {
        "no_cache": options.no_cache or None,
        "hard_timeout_seconds": options.timeout,
        "budget": None if budget is None else budget.model_dump(exclude_none=True),
        "keep_seconds": None if options.keep is None else options.keep * DAY_SECONDS,
        "engine_options": named_values(options.option or ()) or None,
        "env": {**variables(options.env or (), office.app.settings.machine.environment)} or None,
    }
    whole: dict[str, JsonValue] = {
        **skill,
        "engine": options.engine,
        "model": options.model,
        "mode": options.mode.value if options.mode else None,
        "input": values(options.input or (), inputs_of(package), "--input"),
        "parameter": values(options.param or (), parameters_of(package), "--param"),
        "runtime_options": {name: value for name, value in how.items() if value is not None},
    }
    wanted = JobCreate.parse({n: v for n, v in whole.items() if v is not None}, "the job")
    at_hand = AtHand(files(options.file or ()), brought)
    return Request(wanted, at_hand, package)
