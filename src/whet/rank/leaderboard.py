"""The leaderboard from rows: what is told of a result, and how a skill did over time."""

from collections.abc import Iterable

from pydantic import JsonValue

from whet.core.value import Value
from whet.documents.base import Number
from whet.documents.leaderboard import (
    LeaderboardGroup,
    LeaderboardRecord,
    Staleness,
    staleness,
)
from whet.documents.verdict import Interval
from whet.ports.board_row import BoardGroup, BoardRow

_SOURCE = "the index"


class ScorePoint(Value):
    """How a skill did once. Scores on different versions of a baseline are of different cases."""

    version: str
    """Of the skill."""

    baseline_version: str
    tested_at: str
    avg_score: Number | None
    interval: dict[str, JsonValue] | None
    simulated: bool | None
    project_id: str
    project_name: str


class BaselineHistory(Value):
    """How a skill did on one baseline, the oldest first."""

    baseline_id: str
    baseline_name: str
    baseline_version_current: str | None
    """None where it is gone from the library."""

    points: tuple[ScorePoint, ...]


def staleness_of(row: BoardRow) -> Staleness:
    """Whether a result still holds for the library of today."""
    return staleness(
        row.skill_version_tested,
        row.skill_version_current,
        row.baseline_version_tested,
        row.baseline_version_current,
    )


def record(row: BoardRow) -> LeaderboardRecord:
    """What is told of a result."""
    return LeaderboardRecord(
        skill_id=row.skill_id,
        skill_name=row.skill_name,
        skill_version_tested=row.skill_version_tested,
        skill_version_current=row.skill_version_current,
        baseline_id=row.baseline_id,
        baseline_name=row.baseline_name,
        baseline_version_tested=row.baseline_version_tested,
        baseline_version_current=row.baseline_version_current,
        avg_score=row.avg_score,
        score_breakdown=dict(row.score_breakdown),
        project_id=row.project_id,
        project_name=row.project_name,
        tested_at=row.tested_at,
        case_count=row.case_count,
        completed_cases=row.completed_cases,
        failed_cases=row.failed_cases,
        staleness=staleness_of(row),
        simulated=row.simulated,
        interval=Interval.parse(dict(row.interval), _SOURCE) if row.interval else None,
        check_pass_rate=row.check_pass_rate,
        gate_failed_cases=row.gate_failed_cases,
        mixed_rubrics=row.mixed_rubrics,
    ).lean()


def group(found: BoardGroup) -> LeaderboardGroup:
    """What is told of a baseline and the results on it."""
    return LeaderboardGroup(
        baseline_id=found.baseline_id,
        baseline_name=found.baseline_name,
        baseline_purpose=found.baseline_purpose,
        baseline_case_count=found.baseline_case_count,
        baseline_version_current=found.baseline_version_current,
        skill_count=found.skill_count,
        records=tuple(map(record, found.records)),
        record_count=found.record_count,
    )


def history(rows: Iterable[BoardRow]) -> tuple[BaselineHistory, ...]:
    """What rows in the order of time say of a skill, by the names of the baselines. A baseline is
    called as its latest test has it."""
    by_baseline: dict[str, list[BoardRow]] = {}
    for row in rows:
        by_baseline.setdefault(row.baseline_id, []).append(row)
    found = [
        BaselineHistory(
            baseline_id=identity,
            baseline_name=tests[-1].baseline_name,
            baseline_version_current=tests[-1].baseline_version_current,
            points=tuple(map(_point, tests)),
        )
        for identity, tests in by_baseline.items()
    ]
    return tuple(sorted(found, key=lambda one: (one.baseline_name, one.baseline_id)))


def _point(row: BoardRow) -> ScorePoint:
    return ScorePoint(
        version=row.skill_version_tested,
        baseline_version=row.baseline_version_tested,
        tested_at=row.tested_at,
        avg_score=row.avg_score,
        interval=dict(row.interval) if row.interval else None,
        simulated=row.simulated,
        project_id=row.project_id,
        project_name=row.project_name,
    )
