"""Rows of a leaderboard, made by hand."""

from typing import Any

from whet.ports.board_row import BoardRow

KNOWN: dict[str, Any] = {
    "skill_id": "s",
    "skill_name": "Writer",
    "skill_version_tested": "v1",
    "skill_version_current": "v1",
    "baseline_id": "b",
    "baseline_name": "Tests",
    "baseline_version_tested": "v1",
    "baseline_version_current": "v1",
    "avg_score": 87.3,
    "score_breakdown": {"robustness": 18},
    "project_id": "p",
    "project_name": "Trial",
    "tested_at": "2024-02-27T10:30:00Z",
    "case_count": 10,
    "completed_cases": 9,
    "failed_cases": 1,
    "simulated": None,
    "interval": None,
}


def row(**more: Any) -> BoardRow:
    """A row like any other, but for what is named."""
    return BoardRow(**{**KNOWN, **more})
