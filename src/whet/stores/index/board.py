"""What the leaderboard is made from, kept while projects and assets come and go.

Pages and counts only read what is kept here: whether a result is current, when it was replaced, and
what the results on a baseline come to.
"""

import sqlite3
from collections.abc import Iterable

from whet.core.address import digest
from whet.ports.board_row import BoardRow
from whet.ports.listing import Kind
from whet.stores.index.rows import as_record
from whet.stores.index.schema import NEVER, as_column, as_seconds

_TIE_DIGITS = 15
"""Of a digest, in an integer."""

_IS_CURRENT = """
EXISTS (
    SELECT 1 FROM tested JOIN assets USING (kind, id)
    WHERE tested.number = {0}skill AND version = {0}skill_version
) AND EXISTS (
    SELECT 1 FROM tested JOIN assets USING (kind, id)
    WHERE tested.number = {0}baseline AND version = {0}baseline_version
)
"""
_RENEW = f"""
UPDATE results SET is_current = 1 - is_current
WHERE archived IN (0, 1) AND {{0}} = ? AND is_current <> ({_IS_CURRENT.format("results.")})
RETURNING baseline
"""
_PUT = f"""
INSERT INTO results VALUES (
    NULL, :project, :archived, :skill, :skill_version, :baseline, :baseline_version, :score,
    :completed, :tested_at, :tie, :replaced_at, {_IS_CURRENT.format(":")}, :simulated,
    :baseline_name, :purpose, :case_count
)
"""
_SAME = """
archived = :archived AND skill = :skill AND baseline = :baseline
AND skill_version = :skill_version AND baseline_version = :baseline_version
"""
_NEXT = f"""
SELECT tested_at FROM results WHERE {_SAME} AND (tested_at, tie) > (:tested_at, :tie)
ORDER BY tested_at, tie LIMIT 1
"""
_REPLACE = f"""
UPDATE results SET replaced_at = :by WHERE number = (
    SELECT number FROM results WHERE {_SAME} AND (tested_at, tie) < (:tested_at, :tie)
    ORDER BY tested_at DESC, tie DESC LIMIT 1
)
"""
_DROPPED = (
    *("archived", "skill", "skill_version", "baseline", "baseline_version"),
    *("tested_at", "tie", "replaced_at"),
)
_DROP = f"DELETE FROM results WHERE number = ? RETURNING {', '.join(_DROPPED)}"
_COUNT = f"""
INSERT INTO boards
SELECT archived, baseline, count(DISTINCT skill), count(DISTINCT iif(is_current, skill, NULL)),
    count(*), sum(is_current), sum(replaced_at = {NEVER}),
    sum(is_current AND replaced_at = {NEVER}),
    (
        SELECT number FROM results AS newest
        WHERE newest.archived = results.archived AND newest.baseline = results.baseline
        ORDER BY tested_at DESC, tie LIMIT 1
    )
FROM results WHERE archived IN (0, 1) AND baseline = ? GROUP BY archived, baseline
"""
_FORGET = """
DELETE FROM tested WHERE number = ?1 AND NOT EXISTS (
    SELECT 1 FROM results WHERE archived IN (0, 1) AND {0} = ?1
)
"""


class BoardKeeper:
    """Takes results in and out; ``settle`` comes last, in the same transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._numbers: dict[tuple[Kind, str], int] = {}
        self._skills: set[int] = set()
        self._baselines: set[int] = set()
        """Whose results are not what they were."""

    def put(self, project: str, results: Iterable[tuple[BoardRow, str]], *, archived: bool) -> None:
        """Take in the results of a project, each with the purpose of its baseline."""
        for result, purpose in results:
            row = self._row(project, result, purpose) | {"archived": archived}
            later = self._connection.execute(_NEXT, row).fetchone()
            row["replaced_at"] = later[0] if later else NEVER
            self._connection.execute(_REPLACE, row | {"by": row["tested_at"]})
            number = self._connection.execute(_PUT, row).lastrowid
            text = as_record(result)
            self._connection.execute("INSERT INTO records VALUES (?, ?)", (number, text))

    def take_out(self, project: str) -> None:
        """Drop the results of a project; what they had replaced counts again."""
        found = self._connection.execute("SELECT number FROM results WHERE project = ?", (project,))
        for number in found.fetchall():
            self._connection.execute("DELETE FROM records WHERE number = ?", number)
            (values,) = self._connection.execute(_DROP, number).fetchall()
            row = dict(zip(_DROPPED, values, strict=True))
            self._connection.execute(_REPLACE, row | {"by": row["replaced_at"]})
            self._skills.add(row["skill"])
            self._baselines.add(row["baseline"])

    def renew(self, assets: Iterable[tuple[Kind, str]]) -> None:
        """Look again which results are current, where these assets may have other versions."""
        for kind, identity in assets:
            found = self._connection.execute(
                "SELECT number FROM tested WHERE kind = ? AND id = ?", (kind, as_column(identity))
            ).fetchone()
            if found is not None:
                changed = self._connection.execute(_RENEW.format(kind), found).fetchall()
                self._baselines |= {baseline for (baseline,) in changed}

    def settle(self) -> None:
        """Count anew what is not as it was."""
        for baseline in sorted(self._baselines):
            self._connection.execute("DELETE FROM boards WHERE baseline = ?", (baseline,))
            self._connection.execute(_COUNT, (baseline,))
            self._connection.execute(_FORGET.format("baseline"), (baseline,))
        for skill in sorted(self._skills):
            self._connection.execute(_FORGET.format("skill"), (skill,))

    def _row(self, project: str, result: BoardRow, purpose: str) -> dict[str, object]:
        skill = self._number("skill", as_column(result.skill_id))
        baseline = self._number("baseline", as_column(result.baseline_id))
        self._skills.add(skill)
        self._baselines.add(baseline)
        return {
            "project": project,
            "skill": skill,
            "skill_version": as_column(result.skill_version_tested),
            "baseline": baseline,
            "baseline_version": as_column(result.baseline_version_tested),
            "score": result.avg_score,
            "completed": result.completed_cases,
            "tested_at": as_seconds(result.tested_at),
            "tie": tie(result),
            "simulated": result.simulated,
            "baseline_name": as_column(result.baseline_name),
            "purpose": as_column(purpose),
            "case_count": result.case_count,
        }

    def _number(self, kind: Kind, identity: str) -> int:
        """By which the results know an asset."""
        asset = (kind, identity)
        if asset not in self._numbers:
            self._connection.execute("INSERT OR IGNORE INTO tested VALUES (NULL, ?, ?)", asset)
            (self._numbers[asset],) = self._connection.execute(
                "SELECT number FROM tested WHERE kind = ? AND id = ?", asset
            ).fetchone()
        return self._numbers[asset]


def tie(result: BoardRow) -> int:
    """Gives equals the same order every time, however they came in."""
    versions = (result.skill_version_tested, result.baseline_version_tested)
    key = digest([result.project_id, result.skill_id, result.baseline_id, *versions])
    return int(key[:_TIE_DIGITS], 16)
