"""The port of the library's index."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from whet.core.asset_query import AssetQuery
from whet.ports.board import Board
from whet.ports.entry import BaselineEntry, Hit, SkillEntry
from whet.ports.facets import Facets
from whet.ports.listing import Kind, Page, TextQuery


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What was found to be new since the last time, in folders of versions and projects."""

    added: int
    changed: int
    removed: int
    broken: int
    """How many are broken now."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Broken:
    """A folder with something in it that cannot be read; *path* is relative to the workspace."""

    path: str
    reason: str


class Index(Board, Protocol):
    """Lists and search over the files of the library and the results of projects, which stay the
    truth. Sync, thread-safe, and shared by processes.

    Answers are as new as the last ``refresh`` of any process; an index that has never been
    filled fills itself. Raises ``UsageError`` for a page that cannot be.
    """

    def refresh(self) -> Refreshed:
        """Follow the files."""
        ...

    def look_at(self, folder: str) -> None:
        """Follow one folder of a version, relative to the workspace: quick for who wrote it."""
        ...

    def rebuild(self) -> Refreshed:
        """Read every file anew; which contents were edited outside stays known."""
        ...

    def skills(self, query: AssetQuery) -> Page[SkillEntry]:
        """One page of skills and agents."""
        ...

    def baselines(self, query: AssetQuery) -> Page[BaselineEntry]:
        """One page of baselines."""
        ...

    def get(self, kind: Kind, reference: str) -> SkillEntry | BaselineEntry:
        """The asset with that id, unique beginning of an id, or name; raises ``NotFound``, and
        ``UsageError`` where several fit."""
        ...

    def search(self, query: TextQuery) -> Page[Hit]:
        """One page of what is found in names, tags, descriptions, contents and cases, the best
        first. Without any word in the query there is nothing."""
        ...

    def facets(self, kind: Kind) -> Facets:
        """The purposes, providers and tags of active assets."""
        ...

    def broken(self) -> Sequence[Broken]:
        """Everything that cannot be read, and why."""
        ...
