"""Following projects: their results, written anew whenever a summary is another one."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from whet.documents.leaderboard import LeaderboardRecord
from whet.stores.index.project import FoundProject, read_project
from whet.stores.index.schema import as_column, as_seconds
from whet.stores.index.walk import Counts, Spot

_PUT = """
INSERT OR REPLACE INTO projects VALUES (
    :path, :watched, :stamps, :is_young, :fingerprint, :problem, :has_results, :id
)
"""
_PUT_RESULT = """
INSERT INTO results VALUES (
    :project, :skill, :skill_version, :baseline, :baseline_version, :baseline_name, :purpose,
    :tested_at, :score, :simulated, :record
)
"""


def take_in_projects(
    connection: sqlite3.Connection, workspace: Path, spots: Sequence[Spot], counts: Counts
) -> None:
    """Read these folders, and count those that are new or not as they were."""
    read: dict[str, FoundProject] = {}
    touched: set[str] = set()
    for spot in spots:
        problem = spot.problem
        folder = f"{workspace}/{spot.path}"
        found = FoundProject(problems=[problem]) if problem else read_project(folder)
        read[spot.path] = found
        fingerprint, before = connection.execute(
            "SELECT fingerprint, id FROM projects WHERE path = ?", (spot.path,)
        ).fetchone() or (None, None)
        row = _row(spot, found)
        connection.execute(_PUT, row)
        touched |= {one for one in (before, found.id) if one is not None}
        counts.added += fingerprint is None
        counts.changed += fingerprint not in (None, row["fingerprint"])
    for identity in sorted(touched):
        _record(connection, workspace, identity, read)


def drop_projects(connection: sqlite3.Connection, workspace: Path, paths: Iterable[str]) -> None:
    """Forget folders that are gone."""
    touched: set[str] = set()
    for path in paths:
        rows = connection.execute("DELETE FROM projects WHERE path = ? RETURNING id", (path,))
        touched |= {identity for (identity,) in rows if identity is not None}
    for identity in sorted(touched):
        _record(connection, workspace, identity, {})


def _row(spot: Spot, found: FoundProject) -> dict[str, object]:
    return {
        "path": spot.path,
        "watched": "\0".join(found.watched),
        "stamps": found.stamps,
        "is_young": found.is_young,
        "fingerprint": found.fingerprint,
        "problem": as_column("; ".join(found.problems)),
        "has_results": found.has_results,
        "id": found.id,
    }


def _record(
    connection: sqlite3.Connection, workspace: Path, identity: str, read: Mapping[str, FoundProject]
) -> None:
    """Write the results of a project anew. Where it lies in two folders, the first counts."""
    connection.execute("DELETE FROM results WHERE project = ?", (identity,))
    (path,) = connection.execute(
        "SELECT min(path) FROM projects WHERE id = ? AND has_results", (identity,)
    ).fetchone()
    if path is None:
        return
    found = read.get(path) or read_project(f"{workspace}/{path}")
    if found.id != identity:
        return  # it changed since its row was written, which the next look will see
    rows = [_result(identity, record, purpose) for record, purpose in found.results]
    connection.executemany(_PUT_RESULT, rows)


def _result(project: str, record: LeaderboardRecord, purpose: str) -> dict[str, object]:
    return {
        "project": project,
        "skill": as_column(record.skill_id),
        "skill_version": as_column(record.skill_version_tested),
        "baseline": as_column(record.baseline_id),
        "baseline_version": as_column(record.baseline_version_tested),
        "baseline_name": as_column(record.baseline_name),
        "purpose": as_column(purpose),
        "tested_at": as_seconds(record.tested_at),
        "score": record.avg_score,
        "simulated": record.simulated,
        "record": json.dumps(record.to_data()),
    }
