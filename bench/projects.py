"""Projects with results, for the index of the library."""

import json
import random
import uuid
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

PROJECTS = 2_000
SKILLS_EACH = 4
CASES = 10
MOMENT = "2026-02-{:02}T12:00:00Z"
DIMENSIONS = ("functional_correctness", "robustness", "readability", "conciseness")

chance = random.Random(11)


def fill_projects(workspace: Path, skills: Sequence[str], baselines: Sequence[str]) -> None:
    """Projects over these assets; the first ones are tested most."""
    for number in range(PROJECTS):
        chosen = {one(skills) for _ in range(SKILLS_EACH)}
        on = {one(baselines) for _ in range(2 if number % 5 == 0 else 1)}
        project(workspace, number, sorted(chosen), sorted(on))


def project(workspace: Path, number: int, skills: list[str], baselines: list[str]) -> None:
    identity = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    folder = workspace / "projects" / f"project_number_{number}_20260101000000"
    (folder / "results").mkdir(parents=True)
    config = {
        "id": identity,
        "name": f"Number {number}",
        "status": "completed",
        "created_at": MOMENT.format(1),
        "updated_at": MOMENT.format(1),
        "skills": [_reference(each) for each in skills],
        "baselines": [_reference(each) for each in baselines],
        "cli_config": {"model": "m", "timeout_seconds": 60, "retry_count": 2},
        "context_config": {"token_threshold": 80000},
        "progress": {
            "total_tasks": CASES * len(skills),
            "completed_tasks": CASES * len(skills),
            "failed_tasks": 0,
            "last_checkpoint": None,
        },
    }
    summary: dict[str, JsonValue] = {
        "project_id": identity,
        "generated_at": MOMENT.format(1 + number % 28),
        "total_cases": CASES,
        "ranking": _ranking(skills),
        "simulated": number % 3 == 0,
    }
    if len(baselines) > 1:
        summary["by_baseline"] = [
            {
                "baseline_id": each,
                "baseline_name": f"Baseline {each[:8]}",
                "baseline_version": "v1",
                "total_cases": CASES,
                "ranking": _ranking(skills),
            }
            for each in baselines
        ]
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "results" / "summary.json").write_text(json.dumps(summary))


def one(of: Sequence[str]) -> str:
    """The first ones are the most likely."""
    return of[int(len(of) * chance.random() ** 3)]


def _reference(identity: str) -> dict[str, JsonValue]:
    return {"ref_id": identity, "name": f"Name {identity[:8]}", "version": "v1", "local_path": "x"}


def _ranking(skills: list[str]) -> list[JsonValue]:
    return [
        {
            "rank": rank,
            "skill_id": identity,
            "skill_name": f"Name {identity[:8]}",
            "skill_version": "v1",
            "completed_cases": CASES,
            "failed_cases": 0,
            "avg_score": round(100 * chance.random(), 2),
            "score_breakdown": {name: round(20 * chance.random(), 2) for name in DIMENSIONS},
            "interval": {"low": 0.0, "high": 100.0, "level": 0.95, "method": "t over cases"},
        }
        for rank, identity in enumerate(skills, 1)
    ]
