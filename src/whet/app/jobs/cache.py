"""The same question asked again: a job that succeeded answers it, unless a new one is wanted."""

import contextlib

from pydantic import JsonValue

from whet.core.address import digest
from whet.core.errors import Conflict
from whet.core.job import Job
from whet.ports.store import Store

KIND = "job_cache"
PROTOCOL = 1


def key_of(job: Job) -> str | None:
    """What makes a job what it is; None for one that may not be answered by another.

    The skill is the agent's own copy, so that a change of the contract's wording counts too. What
    a person said in between, or a variable that nobody may know, could make all the difference.
    """
    skill = job.skill.own if job.skill else None
    if job.mode != "auto" or job.options.no_cache or job.options.env or skill is None:
        return None
    files: dict[str, JsonValue] = {file.path: file.digest for file in job.files}
    identity: dict[str, JsonValue] = {
        "protocol": PROTOCOL,
        "skill": skill.digest,
        "input": job.input,
        "parameter": job.parameter,
        "files": files,
        "engine": job.engine,
        "engine_version": job.engine_version,
        "model": job.model,
        "sandbox": job.sandbox,
        "options": job.options.engine,
    }
    return digest(identity)


def find(store: Store, key: str) -> Job | None:
    """The job that answered the question, with all that it delivered."""
    state = store.states.get(KIND, key)
    request_id = state.value.get("request_id") if state else None
    job = store.jobs.get(request_id) if isinstance(request_id, str) else None
    if job is None or job.state != "succeeded" or job.result is None:
        return None
    is_whole = all(store.blobs.has(artifact.digest) for artifact in job.result.artifacts)
    return job if is_whole else None


def keep(store: Store, job: Job) -> None:
    """Let a job that succeeded answer others, within a transaction."""
    if job.cache_key is None or job.cache_hit:
        return
    state = store.states.get(KIND, job.cache_key)
    with contextlib.suppress(Conflict):
        revision = state.revision if state else 0
        store.states.put(KIND, job.cache_key, revision, {"request_id": job.request_id})


def forget(store: Store, job: Job) -> bool:
    """A job is gone and answers nobody any more; returns whether it did."""
    state = store.states.get(KIND, job.cache_key) if job.cache_key else None
    if state is None or state.value.get("request_id") != job.request_id:
        return False
    store.states.put(KIND, state.key, state.revision, {})
    return True
