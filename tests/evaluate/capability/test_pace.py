"""How long a run will still take."""

from whet.documents.capability import EvaluationItem, ItemStatus
from whet.evaluate.capability.pace import Pace


def _item(case: str, status: ItemStatus, seconds: float | None) -> EvaluationItem:
    return EvaluationItem(
        run_id="run",
        case_id=case,
        dimension="logic",
        status=status,
        score=None,
        max_score=1,
        weight=1,
        prompt="",
        final_answer=None,
        tool_calls=(),
        checker_detail=None,
        started_at=None,
        finished_at=None,
        elapsed_s=seconds,
        error=None,
    )


def test_nothing_is_said_before_anything_is_known() -> None:
    assert Pace(4).seconds_left(10) is None
    assert (
        Pace(4, [_item("a", "active", None), _item("b", "skipped", None)]).seconds_left(1) is None
    )
    assert Pace(4, [_item("a", "error", 9.0)]).seconds_left(1) is None


def test_cases_are_shared_out_and_the_last_takes_its_time() -> None:
    pace = Pace(4, [_item("a", "passed", 2.0), _item("b", "failed", 4.0)])
    assert pace.seconds_left(8) == 6.0
    assert pace.seconds_left(1) == 3.0
    assert pace.seconds_left(0) is None


def test_the_latest_word_on_a_case_counts() -> None:
    pace = Pace(1, [_item("a", "passed", 2.0)])
    pace.add(_item("a", "passed", 4.0))
    assert pace.seconds_left(2) == 8.0
    pace.add(_item("a", "active", None))
    assert pace.seconds_left(2) is None
