"""What every store must do with runs."""

from collections.abc import Callable

from whet.core.errors import Conflict, NotFound, UsageError, WhetError
from whet.core.run import Run
from whet.ports.runs import RunQuery
from whet.ports.store import Store


def a_run_is_written_by_whoever_claimed_it_last(store: Store, _living: set[str]) -> None:
    """A claim raises the epoch; a write with an older one is refused; a wish survives both."""
    assert store.runs.get("1") is None
    first = store.runs.claim(run("1", owner="a"))
    assert (first.epoch, first.wishes) == (1, 0)
    assert store.runs.put(first.model_copy(update={"done": 3})).done == 3
    assert store.runs.wish("1", "paused").wishes == 1
    kept = store.runs.put(first.model_copy(update={"done": 4}))
    assert (kept.wish, kept.wishes, kept.done) == ("paused", 1, 4)
    _raises(Conflict, lambda: store.runs.claim(run("1", owner="b"), 7))
    later = run("1", owner="b").model_copy(update={"created_at": "2031"})
    second = store.runs.claim(later, 1)
    assert (second.epoch, second.wish, second.wishes) == (2, None, 1)
    assert second.created_at == first.created_at
    _raises(Conflict, lambda: store.runs.put(first))
    _raises(Conflict, lambda: store.runs.put(run("2")))
    _raises(NotFound, lambda: store.runs.wish("2", "stopped"))
    assert store.runs.get("1") == second


def runs_are_listed_newest_first(store: Store, _living: set[str]) -> None:
    """By kind, status, parent, and whether a server is to go on with them."""
    for number in range(5):
        made = run(f"run-{number}\ud83d").model_copy(
            update={
                "created_at": f"2030-01-0{number + 1}",
                "kind": "eval" if number % 2 else "project",
                "is_unattended": number == 2,
                "parent": "run-0" if number == 4 else None,
            }
        )
        store.runs.claim(made)
    whole = store.runs.list(RunQuery())
    assert [one.created_at[-1] for one in whole.items] == ["5", "4", "3", "2", "1"]
    assert whole.total == 5
    part = store.runs.list(RunQuery(limit=2, offset=1))
    assert ([one.created_at[-1] for one in part.items], part.total) == (["4", "3"], 5)
    assert store.runs.list(RunQuery(kinds=("eval",))).total == 2
    assert store.runs.list(RunQuery(statuses=("completed",))).total == 0
    assert store.runs.list(RunQuery(parent="run-0")).total == 1
    assert store.runs.list(RunQuery(is_unattended=True)).total == 1
    assert store.runs.list(RunQuery(prefix="run-3")).total == 1
    _raises(UsageError, lambda: store.runs.list(RunQuery(limit=0)))
    assert store.runs.delete(whole.items[0].id)
    assert not store.runs.delete(whole.items[0].id)
    assert store.runs.list(RunQuery()).total == 4


def run(identity: str, owner: str = "a") -> Run:
    """A run that a process begins."""
    return Run(
        id=identity,
        kind="project",
        name="R",
        status="running",
        owner=owner,
        created_at="2030",
        started_at="2030",
    )


def _raises(kind: type[WhetError], call: Callable[[], object]) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was expected")


RUN_CHECKS: tuple[Callable[[Store, set[str]], None], ...] = (
    a_run_is_written_by_whoever_claimed_it_last,
    runs_are_listed_newest_first,
)
