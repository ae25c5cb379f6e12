"""Secrets that nobody needs any more are removed, whatever ended the work that they were for.

Work says in the database which secrets it needs: a job until its end, or until its last message is
delivered, a capability run until nobody can go on with it, a run of a suite until it is complete, a
project as long as it is there. What is put aside and not needed by any of them goes.
"""

import contextlib
from collections.abc import Iterator

from pydantic import JsonValue

from whet.app.secret_store import SHARED, SecretStore, owner_of_job, owner_of_run, references
from whet.app.settings import Settings
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import EnvironmentProblem, NotFound
from whet.core.run import RunStatus
from whet.ports.jobs import JobQuery
from whet.ports.runs import RunQuery
from whet.ports.store import Store

JOB_STATE = "job_private"
"""The kind of state that has the references of a job's secrets."""

RUN_STATE = "evaluation_options"
"""The kind of state that has the options of a capability run."""

_OPEN: tuple[RunStatus, ...] = ("running", "interrupted", "partial")
_UNFINISHED = ("queued", "waiting_upload", "running", "waiting_user")
_PATIENCE_SECONDS = 3600
"""How long work that is being made may not have said yet that it needs a secret."""


def sweep_secrets(settings: Settings, store: Store) -> int:
    """Remove what nobody needs any more; returns how many secrets that were."""
    secrets, removed = SecretStore(settings), 0
    with contextlib.suppress(EnvironmentProblem):
        kept = secrets.list()
        needed: dict[str, set[str] | None] = {}
        for one in kept:
            if one.owner not in needed:
                needed[one.owner] = _needed(settings, store, one.owner)
            wanted = needed[one.owner]
            is_new = one.age_seconds < _PATIENCE_SECONDS and (wanted is None or one.owner == SHARED)
            if one.reference in (wanted or ()) or is_new:
                continue
            with contextlib.suppress(NotFound):
                secrets.remove(one.reference)
                removed += 1
        secrets.remove_empty()
    return removed


def _needed(settings: Settings, store: Store, owner: str) -> set[str] | None:
    """The references that an owner needs; None where the database does not know it."""
    if owner == SHARED:
        return references(_shared(settings, store))
    for kind, named in ((JOB_STATE, owner_of_job), (RUN_STATE, owner_of_run)):
        if not owner.startswith(named("")):
            continue
        identity = owner.removeprefix(named(""))
        state = store.states.get(kind, identity)
        if state is None:
            return None
        job = store.jobs.get(identity) if kind == JOB_STATE and state.value else None
        return references([state.value, job.webhook if job else None])
    return None


def _shared(settings: Settings, store: Store) -> Iterator[JsonValue]:
    offset = 0
    while runs := store.runs.list(
        RunQuery(kinds=("eval",), statuses=_OPEN, limit=LARGEST_PAGE, offset=offset)
    ).items:
        yield from (run.request for run in runs)
        offset += len(runs)
    offset = 0
    while jobs := store.jobs.list(
        JobQuery(states=_UNFINISHED, limit=LARGEST_PAGE, offset=offset)
    ).items:
        yield from (dict(job.options.engine) for job in jobs)
        offset += len(jobs)
    from whet.evaluate.project import projects  # large; few workspaces have secrets

    for project in projects(settings.workspace).found:
        yield project.config.cli_config.to_data()
