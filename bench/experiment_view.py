"""What the page of an experiment asks for: how soon it is answered while trials go on.

    make bench ARGS=views

A thousand cells are the results of a real run of ten skills on a hundred cases, looked at when it
is over and as if it still went on. A hundred thousand trials are rows of the table alone. The limit
is for a thousand cells.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.app.opening import app_on
from tests.curate.shelves import add_baseline, add_skill
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison
from whet.app.views.page import Cases
from whet.app.views.views import Views
from whet.core.result import Result
from whet.evaluate.project import Project

SKILLS = tuple(f"Skill {number}" for number in range(10))
RUNS = 15
MOST_MS = 100


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        workspace = Path(name) / "workspace"
        for skill in SKILLS:
            add_skill(workspace, skill, text=f"{skill}: write a docstring.")
        add_baseline(workspace, "Hundred", count=100)
        add_baseline(workspace, "Thousand", count=1000)
        with app_on(workspace) as app:
            thousand_cells(app)
            many_trials(app)


def thousand_cells(app: App) -> None:
    project = made(app, "Hundred", 1)
    asyncio.run(Experiments(app).run(project))
    views = Views(app)
    told("1,000 cells, completed", lambda: views.project(project.config.id, Cases()))
    run = app.store.runs.get(project.config.id)
    assert run is not None
    app.store.runs.put(run.model_copy(update={"status": "running"}))
    assert views.project(project.config.id, Cases()).status == "running"
    told("1,000 cells, under way", lambda: views.project(project.config.id, Cases()))


def many_trials(app: App) -> None:
    project = made(app, "Thousand", 10)
    views = Views(app)
    leg = views.project(project.config.id, Cases(size=None)).legs[0]
    rows = [
        Result(
            project=project.config.id,
            ordinal=((attempt - 1) * len(leg.cases) + place) * len(leg.columns) + column,
            arm=arm,
            set=case.set,
            case=case.id,
            attempt=attempt,
            status="completed",
            grade_status="scored",
            score=0.5,
            trial=f"{attempt} {place} {column}",
            generation=1,
            cost_usd=0,
        )
        for attempt in range(1, 11)
        for place, case in enumerate(leg.cases)
        for column, arm in enumerate(leg.columns)
    ]
    for begin in range(0, len(rows), 5000):
        app.store.results.put(rows[begin : begin + 5000])
    told("100,000 trials, a page of them", lambda: views.project(project.config.id, Cases(5)))


def made(app: App, baseline: str, repeats: int) -> Project:
    wish = Comparison(name=baseline, skills=SKILLS, baselines=(baseline,), repeats=repeats)
    return create_project(app, wish)


def told(name: str, look: Callable[[], object]) -> None:
    look()
    took: list[float] = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        look()
        took.append((time.perf_counter() - begun) * 1000)
    middle, worst = statistics.median(took), max(took)
    print(f"{name:34}{middle:8.0f} ms, {worst:.0f} at worst (limit {MOST_MS})")


if __name__ == "__main__":
    main()
