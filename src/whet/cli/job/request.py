"""What a job is asked for with on the command line, and the request that it makes."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from pydantic import JsonValue

from whet.app.jobs import batch
from whet.app.jobs.create import AtHand, prepare
from whet.app.jobs.office import Office
from whet.app.packages.arrival import Arrival, arrived
from whet.cli.job.inputs import files, inputs_of, parameters_of, values, variables
from whet.cli.job.takes import explain
from whet.cli.options import MaxCost, MaxMinutes, MaxTokens, budget_of, named_values
from whet.cli.spending import confirm
from whet.core.errors import InvalidJob, NotFound, UsageError
from whet.core.job import Mode
from whet.curate.intake.skill_folder import ENTRY
from whet.curate.intake.skill_zip import SUFFIXES
from whet.curate.manifest import JobPackage
from whet.documents.job import JobCreate

DAY_SECONDS = 86_400


@dataclass(frozen=True, kw_only=True)
class JobWanted:
    """What a job is asked for with."""

    skill: Annotated[
        str,
        typer.Argument(
            help="A skill of the library, by name, id or name@v2; or a folder with a SKILL.md, "
            "a .zip or a .skill, which is used without being installed.",
            metavar="SKILL",
        ),
    ]
    input: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            help="An input; VALUE as JSON, else as text. @FILE.json has several. Repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None
    file: Annotated[
        list[str] | None,
        typer.Option(
            "--file",
            help="An input that is a file, or a folder; - is stdin. Repeatable.",
            metavar="NAME=PATH",
        ),
    ] = None
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param", help="A parameter, written as an input is. Repeatable.", metavar="NAME=VALUE"
        ),
    ] = None
    version: Annotated[
        str | None,
        typer.Option(help="Of the skill, v2 say, or the package's own. Default: the newest."),
    ] = None
    engine: Annotated[
        str | None, typer.Option(help="The agent that does it. Default: as configured.")
    ] = None
    model: Annotated[
        str | None, typer.Option(help="Its model. Default: as configured, else its own.")
    ] = None
    mode: Annotated[
        Mode | None,
        typer.Option(help="Whether the agent may ask you. Default: auto if the skill has that."),
    ] = None
    timeout: Annotated[
        float | None, typer.Option(help="Seconds of the agent's work in all.", min=0.1)
    ] = None
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            help="An option of the engine; VALUE as JSON, else as text. Repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None
    env: Annotated[
        list[str] | None,
        typer.Option(
            "--env",
            help="A variable for the agent: as it is set here, or with this value. It is kept "
            "secret. Repeatable.",
            metavar="NAME[=VALUE]",
        ),
    ] = None
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Do it anew, even if just the same was done before.")
    ] = False
    max_cost: MaxCost = None
    max_tokens: MaxTokens = None
    max_minutes: MaxMinutes = None
    keep: Annotated[
        float | None,
        typer.Option(help="Days that it is kept after its end. Default: 7.", min=0.001, max=366),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")] = False


class Request(NamedTuple):
    """A job that is wanted."""

    wanted: JobCreate
    at_hand: AtHand
    package: JobPackage


def requested(office: Office, options: JobWanted) -> Request:
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
        explain(error, request.package, office.app.settings.language)
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


def _of_package(office: Office, options: JobWanted, path: Path) -> Request:
    """A job that brings its own skill."""
    if options.version is not None:
        raise UsageError("--version is for skills of the library; this is a package of its own")
    folder = path.parent if path.name == ENTRY and path.is_file() else path
    brought = arrived(folder, office.engines, to_install=False)
    return _request(office, options, brought.job, {"skill_source": "temp_upload"}, brought)


def _request(
    office: Office,
    options: JobWanted,
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
        "mode": options.mode,
        "input": values(options.input or (), inputs_of(package), "--input"),
        "parameter": values(options.param or (), parameters_of(package), "--param"),
        "runtime_options": {name: value for name, value in how.items() if value is not None},
    }
    wanted = JobCreate.parse({n: v for n, v in whole.items() if v is not None}, "the job")
    at_hand = AtHand(files(options.file or ()), brought)
    return Request(wanted, at_hand, package)
