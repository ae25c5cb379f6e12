"""The leaderboard in the plainest way: read every file, keep what fits, sort it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from whet.ports.board import BoardQuery
from whet.ports.board_row import BoardRow
from whet.stores.index.board import tie


@dataclass(frozen=True)
class Test:
    """One result, with what the library says."""

    __test__ = False

    row: BoardRow
    purpose: str
    archived: bool

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.row.tested_at)

    @property
    def versions(self) -> tuple[str, str, str, str]:
        """What a later test of the same replaces it by."""
        row = self.row
        skill = (row.skill_id, row.skill_version_tested)
        return (row.baseline_id, row.baseline_version_tested, *skill)

    @property
    def is_current(self) -> bool:
        row = self.row
        return (row.skill_version_tested, row.baseline_version_tested) == (
            row.skill_version_current,
            row.baseline_version_current,
        )

    @property
    def merit(self) -> tuple[bool, float, int, float, int]:
        row = self.row
        score = (row.avg_score is None, -(row.avg_score or 0))
        return (*score, -row.completed_cases, -self.moment.timestamp(), tie(row))


def every(workspace: Path) -> list[Test]:
    """Every result of every project that can be read."""
    skills, baselines = newest(workspace, "skills"), newest(workspace, "baselines")
    return [
        Test(
            as_row(config, summary, part, place, skills, baselines),
            baselines.get(part["baseline_id"], {}).get("purpose", ""),
            bool(config.get("archived")),
        )
        for config, summary in readable(workspace)
        for part in parts(config, summary)
        for place in part["ranking"]
    ]


def newest(workspace: Path, shelf: str) -> dict[str, Any]:
    metas = [json.loads(path.read_text()) for path in workspace.glob(f"{shelf}/*/*/*/meta.json")]
    metas.sort(key=lambda meta: int(meta["version"][1:]))
    return {meta["id"]: meta for meta in metas}


def readable(workspace: Path) -> Iterable[tuple[Any, Any]]:
    for folder in sorted(workspace.glob("projects/*")):
        try:
            yield tuple(
                json.loads((folder / name).read_text())
                for name in ("config.json", "results/summary.json")
            )
        except (FileNotFoundError, ValueError):
            continue


def parts(config: Any, summary: Any) -> list[Any]:
    only = config["baselines"][0]
    alone = {
        "baseline_id": only["ref_id"],
        "baseline_version": only["version"],
        "baseline_name": only["name"],
        "total_cases": summary["total_cases"],
        "ranking": summary["ranking"],
    }
    return summary.get("by_baseline") or [alone]


def as_row(
    config: Any,
    summary: Any,
    part: Any,
    place: Any,
    skills: dict[str, Any],
    baselines: dict[str, Any],
) -> BoardRow:
    return BoardRow(
        skill_id=place["skill_id"],
        skill_name=place["skill_name"],
        skill_version_tested=place["skill_version"],
        skill_version_current=skills.get(place["skill_id"], {}).get("version"),
        baseline_id=part["baseline_id"],
        baseline_name=part["baseline_name"],
        baseline_version_tested=part["baseline_version"],
        baseline_version_current=baselines.get(part["baseline_id"], {}).get("version"),
        avg_score=place["avg_score"],
        score_breakdown=place["score_breakdown"],
        project_id=config["id"],
        project_name=config["name"],
        tested_at=summary["generated_at"],
        case_count=part["total_cases"],
        completed_cases=place["completed_cases"],
        failed_cases=place["failed_cases"],
        simulated=summary.get("simulated"),
        interval=place.get("interval"),
    )


def fitting(tests: Iterable[Test], query: BoardQuery) -> list[Test]:
    """Those that a question asks for, the best first."""
    found = [
        test
        for test in tests
        if test.archived == query.archived
        and query.skill in (None, test.row.skill_id)
        and query.baseline in (None, test.row.baseline_id)
        and query.purpose in (None, test.purpose)
        and (query.until is None or test.moment <= query.until)
    ]
    if query.by_version:
        found = latest(found)
    return sorted(
        (
            test
            for test in found
            if (query.since is None or test.moment >= query.since)
            and (test.is_current or not query.current_only)
        ),
        key=lambda test: test.merit,
    )


def latest(tests: Sequence[Test]) -> list[Test]:
    """The last one of each version of a skill on each version of a baseline."""
    ordered = sorted(tests, key=lambda test: (test.versions, test.moment, tie(test.row)))
    return [[*same][-1] for _, same in groupby(ordered, key=lambda test: test.versions)]


def grouped(tests: Sequence[Test]) -> dict[str, list[Test]]:
    """By baseline; those with the most come first, then the name decides."""
    ids = {test.row.baseline_id: test.row.baseline_name for test in tests}
    found = {one: [test for test in tests if test.row.baseline_id == one] for one in ids}
    order = sorted(found, key=lambda one: (-len(found[one]), ids[one], one))
    return {one: found[one] for one in order}
