"""What a leaderboard asks the index for: results of projects."""

from dataclasses import dataclass
from datetime import datetime

from whet.documents.leaderboard import LeaderboardRecord


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """Which results of projects a leaderboard shows; None does not narrow."""

    skill: str | None = None
    baseline: str | None = None
    """Ids, as a whole."""

    purpose: str | None = None
    """Of the baseline: as the library has it, or the project where the library has it no more."""

    since: datetime | None = None
    until: datetime | None = None
    """When they were tested, both moments included. What has no time is older than all."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of the leaderboard: how one skill did on one baseline in one project."""

    record: LeaderboardRecord
    baseline_purpose: str
    """As the library has it, or the project where it is gone; may be empty there."""

    baseline_case_count: int
    """Of its newest version, or of the one tested where it is gone."""
