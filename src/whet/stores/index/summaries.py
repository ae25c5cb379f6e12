"""What the tests of skills come to, for a page of a list."""

import json
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from whet.documents.base import Number
from whet.documents.leaderboard import SkillTestSummary, Staleness, staleness
from whet.stores.index.schema import as_column

_TESTS = """
WITH best AS (
    SELECT skill, baseline, skill_version, baseline_version, max(number) AS number,
        max(score) AS score, max(iif(simulated IS NOT 1, score, NULL)) AS score_but_simulated,
        max(iif(simulated = 0, score, NULL)) AS real_score, count(*) AS many
    FROM results INDEXED BY tests
    WHERE archived = 0 AND skill IN (
        SELECT number FROM tested
        WHERE kind = 'skill' AND id IN (SELECT value FROM json_each(?))
    )
    GROUP BY skill, baseline, skill_version, baseline_version
)
SELECT s.id, one.baseline_name, many, best.score, score_but_simulated, real_score,
    best.skill_version, skill.version, best.baseline_version, baseline.version
FROM best
JOIN results AS one ON one.number = best.number
JOIN tested AS s ON s.number = best.skill
JOIN tested AS b ON b.number = best.baseline
LEFT JOIN assets AS skill ON skill.kind = 'skill' AND skill.id = s.id
LEFT JOIN assets AS baseline ON baseline.kind = 'baseline' AND baseline.id = b.id
"""
"""The best of all tests of the same versions, in the order of the index."""


class _Best(NamedTuple):
    """``documents.leaderboard.Tested``, without all the rest, for *many* tests."""

    avg_score: Number | None
    baseline_name: str
    staleness: Staleness
    simulated: bool | None
    many: int


def test_summaries(
    connection: sqlite3.Connection, skill_ids: Sequence[str]
) -> dict[str, SkillTestSummary]:
    """What the tests of each skill come to."""
    tests: dict[str, list[_Best]] = {}
    wanted = json.dumps([as_column(identity) for identity in skill_ids])
    for skill, name, many, *rest in connection.execute(_TESTS, (wanted,)):
        scores, versions = rest[:3], rest[3:]
        best = _Best(scores[0], name, staleness(*versions), _is_simulated(*scores), many)
        tests.setdefault(skill, []).append(best)
    summaries = {identity: _summary(tests.get(as_column(identity), ())) for identity in skill_ids}
    return {identity: found for identity, found in summaries.items() if found is not None}


def _is_simulated(
    score: Number | None, score_but_simulated: Number | None, real_score: Number | None
) -> bool | None:
    """Whether the best score is a simulated one; None where nobody says that it is not."""
    if score != score_but_simulated:
        return True
    return False if score == real_score else None


def _summary(tests: Sequence[_Best]) -> SkillTestSummary | None:
    return SkillTestSummary.of(tests, sum(test.many for test in tests))
