"""Capability runs on the simulated agent without latency: what a case costs beside its agent, and
how memory grows with their number.

    python -m bench.capability            2,000 and 10,000 cases, each in a process of its own
    python -m bench.capability 10000      the figures of one as JSON
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.run import peak_mb
from whet.app.app import App, opened
from whet.app.capability.plan import RunPlan, design_of
from whet.app.capability.requests import EvaluationStart
from whet.app.capability.runs import Evaluations
from whet.app.settings import read
from whet.core.step import Ended
from whet.evaluate.plan import Cell, trial

SIZES = (2_000, 10_000)
ALONE = 500
WIDTH = 16
DIMENSIONS = ("tool", "logic", "common", "complex")


def main() -> None:
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory(prefix="whet-bench-") as folder:
            sys.stdout.write(json.dumps(measured(Path(folder), int(sys.argv[1]))))
        return
    for size in SIZES:
        child = [sys.executable, "-m", "bench.capability", str(size)]
        done = subprocess.run(child, check=True, capture_output=True, text=True)
        show(size, json.loads(done.stdout))


def show(size: int, figures: dict[str, float]) -> None:
    each, alone = figures["seconds"] / size, figures["alone_seconds"]
    print(f"{size} cases, {figures['seconds']:.1f} s after {figures['start_seconds']:.1f} s")
    print(f"  a case          {each * 1000:6.2f} ms, {figures['cpu'] / size * 1000:.2f} of CPU")
    print(f"  its agent       {alone * 1000:6.2f} ms by itself")
    print(f"  overhead        {(each - alone) * 1000:6.2f} ms, of which the plan is not a part")
    print(f"  an event        {figures['events'] / size:6.2f} for each case")
    before, peak = figures["before_mb"], figures["peak_mb"]
    print(f"  memory          {peak:6.0f} MB at most, {before:.0f} of them before the run")


def measured(folder: Path, size: int) -> dict[str, float]:
    fill(folder, size)
    with opened(read(folder, {})) as app:
        evaluations = Evaluations(app)
        before = peak_mb()
        begun = time.perf_counter()
        wanted = EvaluationStart(
            model_name="simulated",
            case_set="bench",
            language="en-US",
            config_overrides={"concurrency": WIDTH},
        )
        plan = evaluations.plan(wanted)
        alone = asyncio.run(agent_alone(app, plan))
        run_id = evaluations.start(plan).run_id
        started = time.perf_counter() - begun - alone * ALONE
        del plan
        begun, cpu = time.perf_counter(), time.process_time()
        run = asyncio.run(evaluations.run(run_id))
        seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
        peak = peak_mb()
        assert run.status == "finished"
        assert run.counts is not None
        assert run.counts["passed"] + run.counts["failed"] == run.counts["total"] == size
        return {
            "seconds": seconds,
            "cpu": cpu,
            "start_seconds": started,
            "alone_seconds": alone,
            "events": app.store.events.last(),
            "before_mb": before,
            "peak_mb": peak,
        }


async def agent_alone(app: App, plan: RunPlan) -> float:
    """Seconds that one case's agent needs by itself, without any harness."""
    engine = app.parts.engine("simulated")
    design = design_of(plan.run_id, plan.snapshot, plan.chosen)
    spent = 0.0
    for case in design.cases[:ALONE]:
        spec = trial(design, Cell(design.arms[0], case, 1))
        with app.scratch.workdir(spec.address, spec) as workdir:
            begun = time.perf_counter()
            ended = [step async for step in engine.run(spec, workdir)][-1]
            spent += time.perf_counter() - begun
        assert isinstance(ended, Ended)
    return spent / min(ALONE, len(design.cases))


def fill(folder: Path, size: int) -> None:
    cases = [
        {
            "id": f"case_{number:05}",
            "dimension": DIMENSIONS[number % len(DIMENSIONS)],
            "prompt": f"Write a function that computes the Fibonacci number n, variant {number}.",
            "checker": [
                {"type": "tool_called", "expected": "write"},
                {"type": "contains", "expected": "def "},
            ],
        }
        for number in range(size)
    ]
    path = folder / "evaluation" / "cases" / "bench.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"case_set": "bench", "language": "en-US", "cases": cases}))


if __name__ == "__main__":
    main()
