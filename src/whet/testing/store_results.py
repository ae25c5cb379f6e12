"""What the results of every store must do."""

from whet.core.errors import UsageError
from whet.core.result import Counts, Result
from whet.ports.results import ResultQuery
from whet.ports.store import Store


def result(ordinal: int, status: str = "completed", **more: object) -> Result:
    """A result of the project ``p``: two arms side by side, so many cases."""
    given = {
        "project": "p",
        "ordinal": ordinal,
        "arm": "ab"[ordinal % 2],
        "set": "s",
        "case": f"case-{ordinal // 2}",
        "attempt": 1,
        "status": status,
        "trial": f"t{ordinal}",
    }
    return Result.model_validate({**given, **more})


def results_are_one_for_each_place(store: Store, _living: set[str]) -> None:
    """A new one stands in for the old; pages are in plan order; counters are right."""
    store.results.put([result(n, "failed") for n in reversed(range(7))])
    store.results.put([result(n, grade_status="scored", score=0.5) for n in (0, 3)])
    store.results.put([result(4, grade_status="unscored"), result(5, "skipped")])
    store.results.put([result(6, "failed", generation=1), result(1, project="q")])
    assert store.results.counts("p") == Counts(3, 3, 1, unscored=1, unanswered=2)
    assert store.results.counts("p").total == 7
    assert store.results.counts("nobody") == Counts()
    assert store.results.counts("p", ["a"]) == Counts(2, 2, unscored=1, unanswered=1)
    assert store.results.counts("p", ["a", "b", "c"]) == store.results.counts("p")
    assert [store.results.unpriced("p", arms) for arms in (["a"], ["b"], [])] == [1, 0, 0]
    assert store.results.unpriced("p") == 1
    store.results.put([result(6, "failed", generation=1, cost_usd=0)])
    assert store.results.unpriced("p") == 0
    page = store.results.page(ResultQuery("p", page=2, page_size=3))
    assert ([one.ordinal for one in page.items], page.total) == ([3, 4, 5], 7)
    assert page.items[0] == result(3, grade_status="scored", score=0.5)
    assert [one.ordinal for one in store.results.span("p", 2, 5)] == [2, 3, 4]
    assert store.results.span("p", 3, 4) == [*page.items[:1]]
    assert not store.results.span("p", 7, 99)
    for query, ordinals in (
        (ResultQuery("p", arm="a", status="failed"), [2, 6]),
        (ResultQuery("p", case="case-1"), [2, 3]),
        (ResultQuery("p", status="completed", grade_status="unscored"), [4]),
        (ResultQuery("p", set="other"), []),
    ):
        found = store.results.page(query)
        assert [one.ordinal for one in found.items] == ordinals
        assert found.total == len(ordinals)
        assert [*store.results.trials(query)] == [f"t{ordinal}" for ordinal in ordinals]
    store.results.put([result(ordinal, project="r", trial="same") for ordinal in range(300)])
    assert [*store.results.trials(ResultQuery("r", page=7))] == ["same"], "no page of them"
    for wrong in (ResultQuery("p", page=0), ResultQuery("p", page_size=1000)):
        try:
            store.results.page(wrong)
        except UsageError:
            continue
        raise AssertionError(f"{wrong} was expected to be refused")
