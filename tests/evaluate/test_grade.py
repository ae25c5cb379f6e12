"""Grading: what a judge says is checked, what it adds up is not believed."""

import asyncio
import math
from typing import cast

import pytest

from tests.evaluate.judges import (
    FIVE,
    Opinion,
    Scores,
    ScriptedJudge,
    always,
    case,
    grader,
    raising,
    scores,
    share,
)
from whet.core.case import Standard
from whet.core.errors import JudgeFailure
from whet.core.files import FileRef
from whet.core.grade import DimensionScore, Grade
from whet.core.rubric import SIX_DIMENSIONS
from whet.core.trial import TrialRecord
from whet.ports.judge import Submission
from whet.stores.memory import MemoryStore
from whet.testing.store import execution, record

CASE = case("1", expected="sharp")
GOLDEN = "5ce6a64ae9ad77dd36b9d40084084eb691a3e9155c140c9575be6c1f569b9c1f"
"""If this changes by accident, every judge is asked, and paid, for every grade again."""


def graded(store: MemoryStore, opinion: Opinion, of: TrialRecord | None = None) -> Grade:
    judge = ScriptedJudge(opinion)
    return asyncio.run(grader(store, judge, FIVE).grade(CASE, of or record(execution(1))))


def test_a_total_is_computed_by_the_rubric(store: MemoryStore) -> None:
    """0.75 · 4 + 0.25 · 2 = 3.5, and 3.5 / 5 = 0.7."""
    grade = graded(store, always(scores(structure=4, tone=2)))
    assert grade.status == "scored"
    assert grade.score == pytest.approx(0.7)
    assert grade.dimensions == scores(structure=4, tone=2)
    assert grade.reasoning == "structure 4/5: structure!; tone 2/5: tone!"
    assert grade.error is None


def test_a_total_that_the_judge_gives_is_not_a_dimension(store: MemoryStore) -> None:
    grade = graded(store, always(scores(structure=4, tone=2, total=100)))
    assert grade.status == "unscored"
    assert "unknown dimension 'total'" in (grade.error or "")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (scores(structure=4), "missing dimension 'tone'"),
        (scores(), "missing dimension 'structure'"),
        (scores(structure=6, tone=2), "structure is 6, outside 1..5"),
        (scores(structure=4, tone=0), "tone is 0, outside 1..5"),
        (scores(structure=math.nan, tone=2), "structure is nan"),
    ],
)
def test_scores_that_do_not_fit_are_no_scores(
    store: MemoryStore, given: Scores, reason: str
) -> None:
    """Neither clamped nor zero."""
    grade = graded(store, always(given))
    assert grade.status == "unscored"
    assert grade.score is None
    assert grade.dimensions == {}
    assert reason in (grade.error or "")


@pytest.mark.parametrize(
    ("opinion", "message"),
    [
        (raising(JudgeFailure("no JSON in the answer")), "no JSON in the answer"),
        (raising(ZeroDivisionError("bug")), "judge hand broke: ZeroDivisionError('bug')"),
        (always(cast("Scores", None)), "judge hand broke"),
        (always(cast("Scores", {"structure": 4, "tone": 2})), "judge hand broke"),
    ],
    ids=["failure", "bug", "nothing", "numbers"],
)
def test_a_judge_that_breaks_fails_the_grade_and_nothing_else(
    store: MemoryStore, opinion: Opinion, message: str
) -> None:
    grade = graded(store, opinion)
    assert grade.status == "failed"
    assert grade.score is None
    assert message in (grade.error or "")


def test_evidence_that_is_no_unicode_can_be_kept(store: MemoryStore) -> None:
    half = {name: DimensionScore(score=3, evidence="cut \ud83d") for name in ("structure", "tone")}
    grade = graded(store, always(half))
    assert grade.dimensions["tone"].evidence == "cut ?"
    assert Grade.model_validate_json(grade.model_dump_json()) == grade


def test_a_judge_sees_the_case_the_answer_and_the_files(store: MemoryStore) -> None:
    kept = FileRef(path="a.txt", digest=store.blobs.put(b"file"), size=4)
    of = record(execution(1), "the answer").model_copy(update={"outputs": (kept,)})
    judge = ScriptedJudge(share(1))
    made = asyncio.run(grader(store, judge, FIVE).grade(CASE, of))
    assert judge.seen == [Submission(CASE, "the answer", {"a.txt": b"file"})]
    assert judge.seeds == [made.address]
    assert (made.trial, made.generation) == (of.address, of.generation)
    assert (made.grader, made.grader_version, made.simulated) == ("hand", "1", False)


def test_a_case_with_its_own_rubric_is_held_against_that(store: MemoryStore) -> None:
    own = CASE.model_copy(update={"standard": Standard(rubric=SIX_DIMENSIONS)})
    made = asyncio.run(
        grader(store, ScriptedJudge(share(1)), FIVE).grade(own, record(execution(1)))
    )
    assert made.score == 1
    assert len(made.dimensions) == 6


def test_the_scheme_has_not_changed(store: MemoryStore) -> None:
    assert grader(store, ScriptedJudge(), FIVE).address(CASE, "trial", 1) == GOLDEN


def test_an_address_changes_with_whatever_may_change_the_grade(store: MemoryStore) -> None:
    judge = ScriptedJudge()
    base = grader(store, judge, FIVE)
    anchored = FIVE.model_copy(
        update={"dimensions": tuple(d.model_copy(update={"weight": 1}) for d in FIVE.dimensions)}
    )
    other_standard = CASE.model_copy(update={"standard": Standard(expected="blunt")})
    addresses = [
        base.address(CASE, "trial", 1),
        base.address(CASE, "another", 1),
        base.address(CASE, "trial", 2),
        base.address(other_standard, "trial", 1),
        grader(store, judge, SIX_DIMENSIONS).address(CASE, "trial", 1),
        grader(store, judge, anchored).address(CASE, "trial", 1),
        grader(store, ScriptedJudge(name="other"), FIVE).address(CASE, "trial", 1),
        grader(store, ScriptedJudge(version="2"), FIVE).address(CASE, "trial", 1),
    ]
    assert len(set(addresses)) == len(addresses)


def test_an_address_does_not_change_with_names_or_the_stimulus(store: MemoryStore) -> None:
    """The stimulus is in the trial's address already."""
    base = grader(store, ScriptedJudge(), FIVE)
    renamed = CASE.model_copy(update={"name": "n", "category": "boundary", "id": "9", "set": "s"})
    assert base.address(renamed, "trial", 1) == base.address(CASE, "trial", 1)
