"""Rows by hand: what an experiment came to, without running one."""

from tests.evaluate.judges import arm, case
from whet.core.grade import DimensionScore, Grade
from whet.core.trial import TrialRecord
from whet.evaluate.aggregate import Standing, Tally
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell
from whet.testing.store import execution, record

UNSCORED, BROKEN, FAILED, SKIPPED = "unscored", "broken", "failed", "skipped"

Result = float | str
"""A score of 0 to 100, or why there is none."""


def row(
    who: str, which: str, result: Result, attempt: int = 1, parts: dict[str, float] | None = None
) -> Row:
    """The place of arm *who* and case *which*, which came to *result*."""
    cell = Cell(arm(who), case(which), attempt)
    if result in (FAILED, SKIPPED):
        return Row(cell, "t", None, None, "no record", skipped=result == SKIPPED)
    return Row(cell, "t", done(), grade(result, parts or {}))


def done() -> TrialRecord:
    return record(execution(1))


def grade(result: Result, parts: dict[str, float]) -> Grade:
    scored = not isinstance(result, str)
    return Grade(
        address="g",
        trial="t",
        generation=1,
        grader="hand",
        grader_version="1",
        status="scored" if scored else "unscored" if result == UNSCORED else "failed",
        score=result / 100 if scored else None,
        dimensions={name: DimensionScore(score=score) for name, score in parts.items()},
        evaluated_at="2024-01-01T00:00:00.000Z",
    )


def standings(*rows: Row) -> list[Standing]:
    tally = Tally()
    for each in rows:
        tally.add(each)
    return tally.standings()


def scored(who: str, *results: Result) -> list[Row]:
    """One row for each case of an arm, cases numbered from 1."""
    return [row(who, str(number), result) for number, result in enumerate(results, 1)]
