"""Put projects with results on disk, and look at what the index makes of them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from tests.stores.index.libraries import MOMENT, identity, write
from whet.ports.board import BoardQuery
from whet.stores.index import FileIndex

EVERY = BoardQuery()
Scores = Mapping[str, float | None]
"""By skill, ``name`` or ``name@v2``."""


def add_project(
    workspace: Path,
    name: str = "Trial",
    scores: Scores | None = None,
    baselines: Sequence[str] = ("Tests",),
    **summary: JsonValue,
) -> Path:
    """A project with results; the same ones on each baseline."""
    ranked = {"Writer": 80} if scores is None else scores
    folder = workspace / f"projects/project_{name}_20240101120000"
    write_config(folder, name, [*ranked], baselines)
    write_summary(folder, name, ranked, baselines, **summary)
    return folder


def write_config(folder: Path, name: str, skills: Sequence[str], baselines: Sequence[str]) -> None:
    """What the project compares."""
    config: dict[str, JsonValue] = {
        "id": identity(name),
        "name": name,
        "status": "completed",
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "skills": [reference(one) for one in skills],
        "baselines": [reference(one) for one in baselines],
        "cli_config": {"model": "m", "timeout_seconds": 60, "retry_count": 2},
        "context_config": {"token_threshold": 80000},
        "progress": {
            "total_tasks": 1,
            "completed_tasks": 1,
            "failed_tasks": 0,
            "last_checkpoint": None,
        },
    }
    write(folder / "config.json", config)


def write_summary(
    folder: Path, name: str, scores: Scores, baselines: Sequence[str], **more: JsonValue
) -> None:
    """How the skills did."""
    summary: dict[str, JsonValue] = {
        "project_id": identity(name),
        "generated_at": MOMENT,
        "total_cases": 3 * len(baselines),
        "ranking": ranking(scores),
    }
    if len(baselines) > 1:
        summary["by_baseline"] = [on(one, scores) for one in baselines]
    write(folder / "results/summary.json", summary | more)


def change(path: Path, **fields: JsonValue) -> None:
    """Put other values into a JSON file."""
    write(path, json.loads(path.read_text()) | fields)


def on(baseline: str, scores: Scores) -> JsonValue:
    """The part of a summary on one baseline."""
    name, version = named(baseline)
    return {
        "baseline_id": identity(name),
        "baseline_name": name,
        "baseline_version": version,
        "total_cases": 3,
        "ranking": ranking(scores),
    }


def ranking(scores: Scores) -> list[JsonValue]:
    """Skills and their scores."""
    found: list[JsonValue] = []
    for rank, (skill, score) in enumerate(scores.items(), 1):
        name, version = named(skill)
        found.append(
            {
                "rank": rank,
                "skill_id": identity(name),
                "skill_name": name,
                "skill_version": version,
                "completed_cases": 2,
                "failed_cases": 1,
                "avg_score": score,
                "score_breakdown": {"robustness": score},
            }
        )
    return found


def reference(asset: str) -> dict[str, JsonValue]:
    """An asset as a project names it."""
    name, version = named(asset)
    return {"ref_id": identity(name), "name": name, "version": version, "local_path": "x"}


def named(asset: str) -> tuple[str, str]:
    """Name and version."""
    name, _, version = asset.partition("@")
    return name, version or "v1"


def told(index: FileIndex, query: BoardQuery = EVERY) -> list[tuple[str, str, str, float | None]]:
    """Project, skill, baseline and score of all results."""
    records = [*index.every(query)]
    return [
        (
            record.project_name,
            f"{record.skill_name}@{record.skill_version_tested}",
            f"{record.baseline_name}@{record.baseline_version_tested}",
            record.avg_score,
        )
        for record in records
    ]
