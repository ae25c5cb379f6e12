"""Iterations on disk, written by hand."""

import json
from pathlib import Path
from typing import Any

from whet.documents.grading import Grading

PROMPT = "Write a haiku about knives."


def grading(
    share: float | None = 0.8,
    judged: str = "",
    *,
    opinions: tuple[tuple[str, float | None], ...] = (),
    scores: dict[str, float] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """``grading.json`` with a rubric score, and a judged expectation for each + (met) or -."""
    expectations = [
        {"text": f"e{n}", "passed": sign == "+", "evidence": "", "judged": True}
        for n, sign in enumerate(judged)
    ]
    met = judged.count("+")
    total = len(judged)
    made: dict[str, Any] = {
        "expectations": expectations,
        "summary": {"passed": met, "failed": total - met, "total": total, "pass_rate": 1.0},
        "grade_status": "scored",
        "run_status": "completed",
    }
    if share is not None:
        made["rubric_summary"] = {
            "weighted_mean": share * 5,
            "max_possible": 5.0,
            "normalized": share,
        }
    if scores is not None:
        made["rubric_scores"] = {n: {"score": s, "evidence": ""} for n, s in scores.items()}
    if opinions:
        made["judges"] = [
            {
                "judge": name,
                "model": name,
                "reading": 1,
                "status": "scored",
                "rubric_normalized": given,
            }
            for name, given in opinions
        ]
    return {**made, **more}


def parsed(data: dict[str, Any]) -> Grading:
    return Grading.parse(data, "grading.json")


def add_run(
    iteration: Path,
    configuration: str = "with_skill",
    number: int = 1,
    eval_id: int | str = 1,
    answer: str = "Steel in morning light",
    files: dict[str, bytes] | None = None,
    **more: Any,
) -> Path:
    """The folder of a run, as the projection leaves it."""
    folder = iteration / f"eval-{eval_id}-haiku" / configuration / f"run-{number}"
    (folder / "outputs").mkdir(parents=True)
    metadata: dict[str, Any] = {
        "eval_id": eval_id,
        "eval_name": "Haiku",
        "prompt": PROMPT,
        "assertions": [],
    }
    (folder.parent.parent / "eval_metadata.json").write_text(json.dumps(metadata))
    address = f"{iteration.name}-{eval_id}-{configuration}-{number}"
    data = grading(trial_address=address, grade_address=f"g-{address}")
    (folder / "grading.json").write_text(json.dumps({**data, **more}))
    for name in ("metrics.json", "outputs/metrics.json"):
        (folder / name).write_text('{"ours": 1}')
    for name, content in (files or {}).items():
        (folder / "outputs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "outputs" / name).write_bytes(content)
    if answer:
        (folder / "session.json").write_text(json.dumps(session(answer)))
    return folder


def session(answer: str) -> dict[str, Any]:
    example = Path(__file__).parent.parent / "documents" / "fixtures" / "session"
    source = next(path for path in sorted(example.rglob("*.json")))
    return {**json.loads(source.read_text()), "final_answer": answer}
