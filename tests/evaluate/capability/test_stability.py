"""How alike runs are: what counts, what flips, and what is left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.capability_reports import item, run
from whet.core.errors import UsageError
from whet.documents.capability import EvaluationDetail, EvaluationItem
from whet.evaluate.capability.stability import stability

MEASURED = ("passed", "failed", "error")


def detail(number: int, *items: EvaluationItem, **more: object) -> EvaluationDetail:
    name = f"run-{number}"
    mine = tuple(one.model_copy(update={"run_id": name}) for one in items)
    return EvaluationDetail(run=run(mine, run_id=name, **more), items=mine)


def test_equal_runs_are_stable() -> None:
    items = (item("a"), item("b", "failed", score=0.5), item("c", dimension="tool"))
    found = stability([detail(number, *items) for number in range(3)])
    assert (found.stable, found.unstable, found.left_out) == (True, (), ())
    assert (found.total.cases, found.total.flips, found.total.agreement) == (3, 0, 1)
    assert [(one.dimension, one.cases) for one in found.dimensions] == [("tool", 1), ("logic", 2)]
    assert found.total.score.low == found.total.score.high == found.runs[0].total_score


def test_a_flip_and_a_mere_difference_are_told_apart() -> None:
    found = stability(
        [
            detail(1, item("a"), item("b", "failed", score=0.5), item("c")),
            detail(2, item("a", "failed"), item("b", "failed", score=0.25), item("c")),
        ]
    )
    assert [(one.case_id, one.flips, one.scores) for one in found.unstable] == [
        ("a", True, (1, 0)),
        ("b", False, (0.5, 0.25)),
    ]
    assert (found.total.flips, found.total.same_score) == (1, 1)
    assert found.total.agreement == pytest.approx(2 / 3)
    assert (found.total.score.low, found.total.score.high) == (
        pytest.approx(125 / 3),
        pytest.approx(250 / 3),
    )


def test_only_what_every_run_measured_counts() -> None:
    found = stability(
        [
            detail(1, item("a"), item("b"), item("c"), item("d")),
            detail(2, item("a"), item("b", "skipped"), item("c", prompt="Another one?")),
            detail(3, item("a"), item("b"), item("c"), item("d")),
        ]
    )
    assert (found.total.cases, found.left_out) == (1, ("b", "c", "d"))
    assert found.stable


def test_nothing_in_common_is_not_stable() -> None:
    found = stability([detail(1, item("a")), detail(2, item("b"))])
    assert (found.stable, found.total.cases, found.total.agreement) == (False, 0, None)


def test_one_run_alone_says_nothing() -> None:
    with pytest.raises(UsageError, match="two or more"):
        stability([detail(1, item("a"))])


@given(
    st.lists(st.lists(st.sampled_from(MEASURED), min_size=4, max_size=4), min_size=2, max_size=5)
)
def test_agreement_is_the_share_of_cases_with_one_verdict(runs: list[list[str]]) -> None:
    details = [
        detail(number, *(item(f"case-{place}", status) for place, status in enumerate(statuses)))
        for number, statuses in enumerate(runs)
    ]
    found = stability(details)
    alike = sum(
        len({status == "passed" for status in case}) == 1 for case in zip(*runs, strict=True)
    )
    assert found.total.agreement == alike / 4
    assert found.total.flips == 4 - alike
    # The order of the runs makes no difference.
    turned = stability(details[::-1])
    assert (turned.total, turned.stable) == (found.total, found.stable)
