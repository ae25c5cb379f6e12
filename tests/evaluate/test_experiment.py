"""An experiment: reuses what is there, grades what is not graded, runs what is missing."""

from collections import Counter

import pytest

from tests.evaluate.judges import (
    FIVE,
    Laboratory,
    ScriptedJudge,
    always,
    arm,
    case,
    design,
    raising,
    scores,
    share,
)
from tests.run.agents import answers, ends, raises
from whet.core.budget import Budget
from whet.core.case import Standard
from whet.core.errors import EngineFailure, JudgeFailure
from whet.core.failure import Failure
from whet.evaluate.experiment import Extent, Row
from whet.evaluate.plan import cells

NONE, SAME = arm("none", None), arm("same", None)
CASES = [case("1"), case("2"), case("3")]


def places(rows: list[Row]) -> list[tuple[str, str, int]]:
    return sorted((row.cell.arm.id, row.cell.case.id, row.cell.attempt) for row in rows)


def test_every_place_is_settled_once_with_record_and_grade(laboratory: Laboratory) -> None:
    plan = design([NONE], CASES, repeats=2)
    extent, rows = laboratory.run(plan)
    assert extent == Extent(total=6, missing=6, ungraded=0, executed=6)
    assert extent.reused == 0
    assert places(rows) == sorted((c.arm.id, c.case.id, c.attempt) for c in cells(plan))
    assert {row.status for row in rows} == {"completed"}
    assert {row.grade.score for row in rows if row.grade} == {0.5}
    assert len(laboratory.starts) == len(set(laboratory.starts)) == 6


def test_a_second_run_executes_and_asks_nothing(laboratory: Laboratory) -> None:
    plan = design([NONE], CASES)
    _, first = laboratory.run(plan)
    extent, second = laboratory.run(plan)
    assert (extent.missing, extent.ungraded, extent.reused) == (0, 0, 3)
    assert len(laboratory.starts) == len(laboratory.judge.seen) == 3
    by_place = {row.cell: row for row in first}
    assert {row.cell: row for row in second} == by_place


def test_a_plan_that_grew_runs_only_what_is_new(laboratory: Laboratory) -> None:
    laboratory.run(design([NONE], CASES[:2]))
    extent, rows = laboratory.run(design([NONE], CASES, repeats=2))
    assert (extent.total, extent.missing, extent.reused) == (6, 4, 2)
    assert len(rows) == len(laboratory.starts) == 6


def test_a_changed_standard_grades_again_and_executes_nothing(laboratory: Laboratory) -> None:
    laboratory.run(design([NONE], CASES))
    stricter = [
        one.model_copy(update={"standard": Standard(expected="sharper")}) for one in CASES[:2]
    ]
    laboratory.judge.opinion = share(0.25)
    extent, rows = laboratory.run(design([NONE], [*stricter, CASES[2]]))
    assert (extent.missing, extent.ungraded, extent.reused) == (0, 2, 1)
    assert len(laboratory.starts) == 3
    assert Counter(row.grade.score for row in rows if row.grade) == {0.25: 2, 0.5: 1}


def test_another_rubric_or_judge_grades_again_and_executes_nothing(laboratory: Laboratory) -> None:
    plan = design([NONE], CASES)
    laboratory.run(plan)
    laboratory.rubric = FIVE
    extent, _ = laboratory.run(plan)
    assert extent.ungraded == 3
    laboratory.judge = ScriptedJudge(version="2")
    extent, _ = laboratory.run(plan)
    assert extent.ungraded == 3
    assert len(laboratory.starts) == 3


def test_reused_ungraded_and_missing_places_go_together(laboratory: Laboratory) -> None:
    laboratory.run(design([NONE], CASES[:2]))
    changed = CASES[1].model_copy(update={"standard": Standard(expected="sharper")})
    extent, rows = laboratory.run(design([NONE], [CASES[0], changed, CASES[2]]))
    assert (extent.reused, extent.ungraded, extent.missing) == (1, 1, 1)
    assert places(rows) == [("none", "1", 1), ("none", "2", 1), ("none", "3", 1)]
    assert all(row.grade and row.grade.score == 0.5 for row in rows)


def test_arms_of_equal_content_share_one_trial_and_are_both_settled(laboratory: Laboratory) -> None:
    extent, rows = laboratory.run(design([NONE, SAME], CASES))
    assert extent.total == 6
    assert len(laboratory.starts) == 3
    assert len(places(rows)) == len(set(places(rows))) == 6
    assert len({row.trial for row in rows}) == 3


def test_a_shared_trial_that_was_refused_is_refused_for_both(laboratory: Laboratory) -> None:
    _, rows = laboratory.run(design([NONE, SAME], CASES), Budget(max_trials=1))
    assert Counter((row.cell.arm.id, row.status) for row in rows) == {
        ("none", "completed"): 1,
        ("same", "completed"): 1,
        ("none", "skipped"): 2,
        ("same", "skipped"): 2,
    }


def test_an_agents_own_failure_is_a_row_without_grade_and_is_not_run_again(
    laboratory: Laboratory,
) -> None:
    laboratory.scripts = (ends(Failure.MAX_TURNS),)
    _, rows = laboratory.run(design([NONE], CASES[:1]))
    extent, again = laboratory.run(design([NONE], CASES[:1]))
    for [row] in (rows, again):
        assert (row.status, row.error, row.grade) == ("failed", "so it is", None)
        assert row.record is not None
    assert extent.reused == 1
    assert len(laboratory.starts) == 1
    assert laboratory.judge.seen == []


def test_a_trial_without_record_is_a_failed_row_and_is_run_again(laboratory: Laboratory) -> None:
    laboratory.scripts = (raises(EngineFailure(Failure.CRASH, "gone \ud83d")), answers)
    _, [row] = laboratory.run(design([NONE], CASES[:1]))
    assert (row.status, row.record, row.grade, row.error) == ("failed", None, None, "gone ?")
    laboratory.scripts = (answers,)
    extent, [row] = laboratory.run(design([NONE], CASES[:1]))
    assert extent.missing == 1
    assert row.status == "completed"


def test_one_broken_trial_does_not_stop_the_others(laboratory: Laboratory) -> None:
    laboratory.scripts = (raises(ZeroDivisionError("bug")), answers)
    _, rows = laboratory.run(design([NONE], CASES))
    assert Counter(row.status for row in rows) == {"failed": 1, "completed": 2}


def test_what_the_budget_does_not_cover_is_skipped_and_can_be_run_later(
    laboratory: Laboratory,
) -> None:
    plan = design([NONE], CASES)
    _, rows = laboratory.run(plan, Budget(max_trials=1))
    assert Counter(row.status for row in rows) == {"completed": 1, "skipped": 2}
    assert {row.error for row in rows if row.skipped} == {"the budget of 1 trial is used up"}
    extent, rows = laboratory.run(plan)
    assert (extent.reused, extent.missing) == (1, 2)
    assert {row.status for row in rows} == {"completed"}


@pytest.mark.parametrize("error", [JudgeFailure("no answer"), ZeroDivisionError("bug")])
def test_a_judge_that_broke_is_asked_again_next_time(
    laboratory: Laboratory, error: Exception
) -> None:
    laboratory.judge.opinion = raising(error)
    plan = design([NONE], CASES[:1])
    _, [row] = laboratory.run(plan)
    assert row.grade is not None
    assert (row.status, row.grade.status, row.grade.score) == ("completed", "failed", None)
    assert laboratory.store.ledger.grades([row.grade.address]) == {}
    laboratory.judge.opinion = share(1)
    extent, [row] = laboratory.run(plan)
    assert extent.ungraded == 1
    assert row.grade is not None
    assert row.grade.score == 1
    assert len(laboratory.starts) == 1


def test_scores_that_do_not_fit_are_kept_as_unscored(laboratory: Laboratory) -> None:
    laboratory.judge.opinion = always(scores(nonsense=1))
    plan = design([NONE], CASES[:1])
    laboratory.run(plan)
    extent, [row] = laboratory.run(plan)
    assert extent.reused == 1
    assert row.grade is not None
    assert row.grade.status == "unscored"
    assert len(laboratory.judge.seen) == 1


def test_events_tell_the_whole_story(laboratory: Laboratory) -> None:
    laboratory.run(design([NONE], CASES), Budget(max_trials=2))
    events = laboratory.store.events.since(0, "subject")
    assert events[0].kind == "experiment.started"
    assert events[0].data == {"total": 3, "reused": 0}
    settled = [event.data for event in events if event.kind == "trial.settled"]
    assert Counter(str(data["status"]) for data in settled) == {"completed": 2, "skipped": 1}
    assert sorted(str(data["case"]) for data in settled) == ["1", "2", "3"]
    assert Counter(str(data["score"]) for data in settled) == {"0.5": 2, "None": 1}
