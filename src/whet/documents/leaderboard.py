"""Workspace format: the leaderboard, as answered by queries; never stored."""

from typing import Literal

from whet.documents.base import Document, Items, Number
from whet.documents.verdict import Interval

Staleness = Literal["current", "skill_updated", "baseline_updated", "both_updated"]


class LeaderboardRecord(Document):
    """How one skill did on one baseline in one project, and whether that still holds.

    A current version is null when the asset is gone.
    """

    skill_id: str
    skill_name: str
    skill_version_tested: str
    skill_version_current: str | None
    baseline_id: str
    baseline_name: str
    baseline_version_tested: str
    baseline_version_current: str | None
    avg_score: Number | None
    score_breakdown: dict[str, Number | None]
    project_id: str
    project_name: str
    tested_at: str
    case_count: int
    completed_cases: int
    failed_cases: int
    staleness: Staleness

    simulated: bool | None = None
    interval: Interval | None = None


class LeaderboardGroup(Document):
    """All records on one baseline, best first."""

    baseline_id: str
    baseline_name: str
    baseline_purpose: str
    baseline_case_count: int
    baseline_version_current: str | None
    skill_count: int
    records: Items[LeaderboardRecord]


class SkillTestSummary(Document):
    """What a list of skills says about the tests of one."""

    has_tests: bool
    best_score: Number | None
    best_baseline_name: str | None
    test_count: int
    staleness: Staleness | None
