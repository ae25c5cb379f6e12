"""Following projects: their results, written anew whenever a summary is another one."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from whet.stores.index.board import BoardKeeper
from whet.stores.index.project import FoundProject, read_project
from whet.stores.index.schema import as_column
from whet.stores.index.walk import Counts, Spot

_PUT = """
INSERT OR REPLACE INTO projects VALUES (
    :path, :watched, :stamps, :is_young, :fingerprint, :problem, :has_results, :id
)
"""


class ProjectShelf:
    """Projects of a *workspace* on their way into the index and out of it."""

    def __init__(self, connection: sqlite3.Connection, workspace: Path, board: BoardKeeper) -> None:
        self._connection = connection
        self._workspace = workspace
        self._board = board

    def take_in(self, spots: Sequence[Spot], counts: Counts) -> None:
        """Read these folders, and count those that are new or not as they were."""
        read: dict[str, FoundProject] = {}
        touched: set[str] = set()
        for spot in spots:
            problem = spot.problem
            folder = f"{self._workspace}/{spot.path}"
            found = FoundProject(problems=[problem]) if problem else read_project(folder)
            read[spot.path] = found
            fingerprint, before = self._connection.execute(
                "SELECT fingerprint, id FROM projects WHERE path = ?", (spot.path,)
            ).fetchone() or (None, None)
            row = _row(spot, found)
            self._connection.execute(_PUT, row)
            counts.added += fingerprint is None
            if fingerprint != row["fingerprint"]:
                counts.changed += fingerprint is not None
                touched |= {one for one in (before, found.id) if one is not None}
        for identity in sorted(touched):
            self._record(identity, read)

    def drop(self, paths: Iterable[str]) -> None:
        """Forget folders that are gone."""
        touched: set[str] = set()
        for path in paths:
            rows = self._connection.execute(
                "DELETE FROM projects WHERE path = ? RETURNING id", (path,)
            )
            touched |= {identity for (identity,) in rows if identity is not None}
        for identity in sorted(touched):
            self._record(identity, {})

    def _record(self, identity: str, read: Mapping[str, FoundProject]) -> None:
        """Write the results of a project anew. Where it lies in two folders, the first counts."""
        self._board.take_out(identity)
        (path,) = self._connection.execute(
            "SELECT min(path) FROM projects WHERE id = ? AND has_results", (identity,)
        ).fetchone()
        if path is None:
            return
        found = read.get(path) or read_project(f"{self._workspace}/{path}")
        if found.id == identity:
            self._board.put(identity, found.results, archived=found.archived)
        else:  # it changed since its row was written, which the next look will see
            self._connection.execute(
                "UPDATE projects SET is_young = 1, fingerprint = '' WHERE path = ?", (path,)
            )


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
