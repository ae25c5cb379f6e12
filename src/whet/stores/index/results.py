"""Results of projects, held against the newest versions in the library."""

import json
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from whet.documents.base import Number
from whet.documents.leaderboard import (
    LeaderboardRecord,
    SkillTestSummary,
    Staleness,
    staleness,
)
from whet.ports.board import BoardQuery, BoardRow
from whet.stores.index.schema import as_column, seconds

_HELD_AGAINST = """
FROM results
LEFT JOIN assets AS skill ON skill.kind = 'skill' AND skill.id = results.skill
LEFT JOIN assets AS baseline ON baseline.kind = 'baseline' AND baseline.id = results.baseline
"""
_RESULTS = f"""
SELECT results.skill_version, skill.version, results.baseline_version, baseline.version,
    coalesce(baseline.purpose, results.purpose), baseline.case_count, record
{_HELD_AGAINST}
"""
_ALWAYS = "results.skill, skill_version, results.baseline, baseline_version, project"
"""Gives equals the same order every time."""

_TESTS = f"""
SELECT results.skill, results.skill_version, skill.version, results.baseline_version,
    baseline.version, score, baseline_name, simulated
{_HELD_AGAINST}
WHERE results.skill IN (SELECT value FROM json_each(?))
"""


class _Test(NamedTuple):
    """``documents.leaderboard.Tested``, without all the rest."""

    avg_score: Number | None
    baseline_name: str
    staleness: Staleness
    simulated: bool | None


def results(connection: sqlite3.Connection, query: BoardQuery) -> list[BoardRow]:
    """Those that fit, the best first."""
    where, values = _conditions(query)
    rows = connection.execute(f"{_RESULTS} WHERE {where} ORDER BY {_ALWAYS}", values)
    return sorted((_result(*row) for row in rows), key=_merit)


def test_summaries(
    connection: sqlite3.Connection, skill_ids: Sequence[str]
) -> dict[str, SkillTestSummary]:
    """What the tests of each skill come to."""
    tests: dict[str, list[_Test]] = {}
    wanted = json.dumps([as_column(identity) for identity in skill_ids])
    for skill, *versions, score, name, simulated in connection.execute(_TESTS, (wanted,)):
        is_simulated = None if simulated is None else bool(simulated)
        test = _Test(score, name, staleness(*versions), is_simulated)
        tests.setdefault(skill, []).append(test)
    summaries = {
        identity: SkillTestSummary.of(tests.get(as_column(identity), ())) for identity in skill_ids
    }
    return {identity: found for identity, found in summaries.items() if found is not None}


def _conditions(query: BoardQuery) -> tuple[str, list[str | float]]:
    found = ["1"]
    values: list[str | float] = []
    for column, wanted in (
        ("results.skill", query.skill),
        ("results.baseline", query.baseline),
        ("coalesce(baseline.purpose, results.purpose)", query.purpose),
    ):
        if wanted is not None:
            found.append(f"{column} = ?")
            values.append(as_column(wanted))
    for order, moment in ((">=", query.since), ("<=", query.until)):
        if moment is not None:
            found.append(f"tested_at {order} ?")
            values.append(seconds(moment))
    return " AND ".join(found), values


def _result(  # noqa: PLR0913 - one row
    skill_tested: str,
    skill: str | None,
    baseline_tested: str,
    baseline: str | None,
    purpose: str,
    case_count: int | None,
    text: str,
) -> BoardRow:
    data = json.loads(text)
    data["skill_version_current"] = skill
    data["baseline_version_current"] = baseline
    data["staleness"] = staleness(skill_tested, skill, baseline_tested, baseline)
    record = LeaderboardRecord.parse(data, "index.db")
    return BoardRow(record, purpose, record.case_count if case_count is None else case_count)


def _merit(result: BoardRow) -> tuple[bool, float, int]:
    """Smaller is better."""
    score = result.record.avg_score
    return score is None, -(score or 0), -result.record.completed_cases
