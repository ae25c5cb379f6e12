"""What the jobs of every store must do."""

import threading
from collections.abc import Callable
from typing import Any

from whet.core.errors import Conflict, UsageError, WhetError
from whet.core.job import Job, JobState
from whet.ports.jobs import JobQuery
from whet.ports.store import Store

ODD = "磨刀 \x00 \ud83d 'quoted' %s :name"
"""Text that some database or driver does not take."""


def job(number: int = 1, /, state: JobState = "queued", **more: object) -> Job:
    """A job that was just asked for; the higher the number, the later."""
    given: dict[str, object] = {
        "request_id": f"job-{number}",
        "run_id": f"run-{number}",
        "state": state,
        "skill_id": "report",
        "engine": "simulated",
        "engine_version": "1",
        "model": "simulated",
        "sandbox": "none",
        "mode": "auto",
        "created_at": f"2024-01-01T00:00:{number:02}.000Z",
        "updated_at": f"2024-01-01T00:00:{number:02}.000Z",
    }
    return Job.model_validate({**given, **more})


def a_job_is_kept_once(store: Store, _living: set[str]) -> None:
    """By its id, and by its key where it has one; it comes back as it was."""
    odd = job(1, input={"text": ODD, "n": 1, "deep": [None, {"x": 1.5}]}, key="k", skill_id=ODD)
    kept = store.jobs.add(odd)
    assert kept == odd.model_copy(update={"revision": 1})
    assert store.jobs.get("job-1") == kept
    assert store.jobs.get("nobody") is None
    _raises(Conflict, lambda: store.jobs.add(job(1)))
    _raises(Conflict, lambda: store.jobs.add(job(2, key="k")))
    assert store.jobs.get("job-2") is None
    store.jobs.add(job(2))
    store.jobs.add(job(3))
    assert store.jobs.list(JobQuery(key="k")).items == (kept,)
    assert store.jobs.list(JobQuery(skill_id=ODD)).total == 1


def a_job_changes_by_compare_and_set(store: Store, _living: set[str]) -> None:
    """Of two who change the same revision one wins, and the other is told."""
    first = store.jobs.add(job())
    second = store.jobs.put(first.moved("running", owner="me"))
    assert (second.revision, second.state, second.owner) == (2, "running", "me")
    _raises(Conflict, lambda: store.jobs.put(first.moved("cancelled")))
    _raises(Conflict, lambda: store.jobs.put(job(9)))
    assert store.jobs.get("job-1") == second
    assert store.jobs.list(JobQuery(owner="me", states=("running",))).items == (second,)
    assert store.jobs.delete("job-1")
    assert not store.jobs.delete("job-1")
    assert store.jobs.get("job-1") is None


def jobs_are_listed_by_what_they_are(store: Store, _living: set[str]) -> None:
    """The newest first, or the oldest; those of a batch in their order."""
    one: dict[str, Any] = {"created_at": "2024-01-01T00:00:30.000Z", "batch": "b"}
    made = [
        store.jobs.add(job(1, engine="claude")),
        store.jobs.add(job(2, state="succeeded", run_id="run-1")),
        store.jobs.add(job(3, batch_index=1, **one)),
        store.jobs.add(job(4, batch_index=0, **one)),
        store.jobs.add(job(5, wants_cancel=True)),
    ]

    def ids(query: JobQuery) -> list[str]:
        return [each.request_id for each in store.jobs.list(query).items]

    assert ids(JobQuery()) == ["job-3", "job-4", "job-5", "job-2", "job-1"]
    assert ids(JobQuery(oldest_first=True)) == ["job-1", "job-2", "job-5", "job-4", "job-3"]
    assert ids(JobQuery(batch="b", oldest_first=True)) == ["job-4", "job-3"]
    assert ids(JobQuery(states=("succeeded",))) == ["job-2"]
    assert ids(JobQuery(run_id="run-1")) == ["job-2", "job-1"]
    assert ids(JobQuery(engine="claude")) == ["job-1"]
    assert ids(JobQuery(wants_cancel=True)) == ["job-5"]
    assert ids(JobQuery(prefix="job-")) == ids(JobQuery())
    assert ids(JobQuery(prefix="job%")) == []
    page = store.jobs.list(JobQuery(limit=2, offset=2))
    assert (page.total, page.page, page.page_size) == (5, 2, 2)
    assert page.items == (made[4], made[1])
    for wrong in (JobQuery(limit=0), JobQuery(offset=-1), JobQuery(limit=1000)):
        _raises(UsageError, lambda query=wrong: store.jobs.list(query))


def one_of_many_takes_a_job(store: Store, _living: set[str]) -> None:
    """However many threads want it."""
    waiting = store.jobs.add(job())
    won: list[int] = []

    def take(number: int) -> None:
        try:
            store.jobs.put(waiting.moved("running", owner=f"owner-{number}"))
        except Conflict:
            return
        won.append(number)

    threads = [threading.Thread(target=take, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    taken = store.jobs.get("job-1")
    assert taken is not None
    assert taken.owner == f"owner-{won[0]}"


def _raises(kind: type[WhetError], call: Callable[[], object]) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was expected")


JOB_CHECKS: tuple[Callable[[Store, set[str]], None], ...] = (
    a_job_is_kept_once,
    a_job_changes_by_compare_and_set,
    jobs_are_listed_by_what_they_are,
    one_of_many_takes_a_job,
)
