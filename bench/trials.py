"""One process that runs a project of the given size, and prints its figures as JSON."""

import asyncio
import json
import sys
import time
from itertools import islice
from pathlib import Path

from bench.run import peak_mb
from whet.app.app import App, opened
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison
from whet.app.settings import read
from whet.core.rubric import SIX_DIMENSIONS
from whet.core.step import Ended
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.cases import BaselineCase, BaselineCases
from whet.evaluate.plan import cells, trial
from whet.evaluate.project import Project, design
from whet.ports.judge import Submission
from whet.run.workdir import keep

NOW = "2024-01-01T00:00:00Z"
SKILL = "0b5c9a52-6a2e-4a57-9d0e-3f4f5f0c7a11"
BASELINE = "1c6d0b63-7b3f-4b68-8e1f-4a5a6a1d8b22"
CASES = 500
ALONE = 500
TEXT = "You write Python functions. Validate input. Add a docstring to every function."


def main() -> None:
    folder, size = Path(sys.argv[1]), int(sys.argv[2])
    assets(folder)
    url = sys.argv[3] if len(sys.argv) > 3 else ""
    with opened(read(folder, {"WHET_DATABASE_URL": url})) as app:
        comparison = Comparison(
            name="bench", skills=(SKILL,), baselines=(BASELINE,), repeats=size // CASES
        )
        project = create_project(app, comparison)
        experiments = Experiments(app, width=32)
        begun, cpu = time.perf_counter(), time.process_time()
        report = asyncio.run(experiments.run(project))
        seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
        assert report.extent.missing == size
        assert report.summary.ranking[0].completed_cases == CASES
        begun = time.perf_counter()
        report = asyncio.run(experiments.run(project))
        again = time.perf_counter() - begun
        assert report.extent.reused == size
        figures = {
            "seconds": seconds,
            "cpu": cpu,
            "again_seconds": again,
            "alone_seconds": asyncio.run(alone(app, project)),
            "peak_mb": peak_mb(),
        }
    sys.stdout.write(json.dumps(figures))


async def alone(app: App, project: Project) -> float:
    """Seconds that one trial's agent and judge need by themselves, without any harness."""
    engine = app.parts.engine("simulated")
    judge = app.parts.judge("simulated", app.judge_setup())
    plan = design(project, app.store.blobs, {})
    spent = 0.0
    for cell in islice(cells(plan), ALONE):
        spec = trial(plan, cell)
        with app.scratch.workdir(spec.address, spec) as workdir:
            begun = time.perf_counter()
            ended = [step async for step in engine.run(spec, workdir)][-1]
            spent += time.perf_counter() - begun
            outputs = keep(workdir, ()).files
        assert isinstance(ended, Ended)
        submission = Submission(cell.case, ended.answer, outputs)
        begun = time.perf_counter()
        await judge.judge(submission, SIX_DIMENSIONS, spec.address)
        spent += time.perf_counter() - begun
    return spent / ALONE


def assets(folder: Path) -> None:
    skill = folder / "skills" / "bench" / "bench" / f"skill_{SKILL[:8]}_v1"
    baseline = folder / "baselines" / "bench" / "bench" / f"baseline_{BASELINE[:8]}_v1"
    skill.mkdir(parents=True)
    baseline.mkdir(parents=True)
    meta = {"purpose": "bench", "provider": "bench", "version": "v1", "version_count": 1}
    dates = {"status": "active", "created_at": NOW, "updated_at": NOW}
    one = SkillMeta.parse(
        {"id": SKILL, "name": "bench", "content_file": "content.txt", **meta, **dates}, "bench"
    )
    other = BaselineMeta.parse(
        {"id": BASELINE, "name": "bench", "case_count": CASES, **meta, **dates}, "bench"
    )
    cases = BaselineCases(
        baseline_id=BASELINE, version="v1", cases=tuple(case(number) for number in range(CASES))
    )
    (skill / "meta.json").write_text(one.to_json())
    (skill / "content.txt").write_text(TEXT)
    (baseline / "meta.json").write_text(other.to_json())
    (baseline / "cases.json").write_text(cases.to_json())


def case(number: int) -> BaselineCase:
    return BaselineCase(
        id=f"case_{number:03}",
        name=f"case {number}",
        category="standard",
        input=f"Write a function that computes the Fibonacci number n, variant {number}.",
        expected_output="handles negative input and zero; iterative",
        created_at=NOW,
        updated_at=NOW,
    )


if __name__ == "__main__":
    main()
