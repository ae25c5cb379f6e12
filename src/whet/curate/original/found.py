"""What the original has of its assets, before any of it is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from whet.curate.original.rebuilding import step_to
from whet.curate.original.report import Notebook
from whet.curate.snapshot import SkillSnapshot, Snapshot
from whet.documents.assets import HistoryRecord


@dataclass(frozen=True)
class Source:
    """The original, and what its projects tell about its assets."""

    root: Path
    now: str
    notebook: Notebook
    known: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Full id and name by short id."""

    copies: Mapping[tuple[str, str], Path] = field(default_factory=dict[tuple[str, str], Path])
    """Where a project keeps a copy of an asset, by its id and version."""


@dataclass
class Found:
    """All that the original has of one asset: what lies in its folders, by version."""

    folders: dict[int, Path] = field(default_factory=dict[int, Path])
    snapshots: dict[int, Snapshot] = field(default_factory=dict[int, Snapshot])
    records: list[HistoryRecord] = field(default_factory=list[HistoryRecord])

    def step(self, place: int) -> HistoryRecord | None:
        """The record of the edit that made a version."""
        snapshot = self.snapshots[place]
        content = snapshot.content if isinstance(snapshot, SkillSnapshot) else None
        return step_to(place, self.records, content)

    @property
    def newest(self) -> int:
        """The number of the version that the original shows."""
        return max(self.folders)
