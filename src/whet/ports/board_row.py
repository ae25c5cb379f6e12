"""What the index knows of a skill that was tested on a baseline."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from whet.documents.base import Number


@dataclass(frozen=True, slots=True)
class BoardRow:
    """How one skill did on one baseline in one project; a current version is None where the asset
    is gone from the library."""

    skill_id: str
    skill_name: str
    skill_version_tested: str
    skill_version_current: str | None
    baseline_id: str
    baseline_name: str
    baseline_version_tested: str
    baseline_version_current: str | None
    avg_score: Number | None
    score_breakdown: Mapping[str, Number | None]
    project_id: str
    project_name: str
    tested_at: str
    case_count: int
    completed_cases: int
    failed_cases: int
    simulated: bool | None
    interval: Mapping[str, JsonValue] | None
    """As ``documents.verdict.Interval`` has it."""

    check_pass_rate: Number | None = None
    gate_failed_cases: int | None = None
    mixed_rubrics: tuple[str, ...] | None = None
    """As ``documents.result.RankingEntry`` has them."""


@dataclass(frozen=True, slots=True)
class BoardGroup:
    """A baseline, and some of the results on it. Where it is gone from the library, it is told as
    its latest project had it."""

    baseline_id: str
    baseline_name: str
    baseline_purpose: str
    baseline_case_count: int
    baseline_version_current: str | None
    skill_count: int
    """Different skills among all results that fit."""

    record_count: int
    records: tuple[BoardRow, ...]
