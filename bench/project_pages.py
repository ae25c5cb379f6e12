"""A project of 100,000 trials: lists, status, pages and one result, without loading it whole."""

import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.app.opening import app_on
from tests.curate.shelves import add_baseline, add_skill
from whet.app.app import App
from whet.app.projects import results_told, told
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison, ProjectListing
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.status import status
from whet.core.result import Result
from whet.evaluate.project import Project
from whet.evaluate.project_places import arm_id
from whet.ports.results import ResultQuery

SKILLS, CASES, REPEATS = 10, 100, 100
TRIALS = SKILLS * CASES * REPEATS
TIMES = 100
LIMIT = 50.0
MEGABYTE = 1024 * 1024


def main() -> None:
    with TemporaryDirectory(prefix="whet-bench-") as folder:
        workspace = Path(folder) / "workspace"
        names = tuple(f"Skill {number}" for number in range(SKILLS))
        for name in names:
            add_skill(workspace, name)
        add_baseline(workspace, "Tests", count=CASES)
        with app_on(workspace) as app:
            wanted = Comparison(name="Large", skills=names, baselines=("Tests",), repeats=REPEATS)
            project = create_project(app, wanted)
            fill(app, project)
            measure(app, project)


def fill(app: App, project: Project) -> None:
    """Results as a run leaves them in the database."""
    config = project.config
    [tests] = config.baselines
    at = 0
    for attempt in range(1, REPEATS + 1):
        rows: list[Result] = []
        for case in range(1, CASES + 1):
            for skill in config.skills:
                failed = at % 50 == 0
                rows.append(
                    Result(
                        project=config.id,
                        arm=arm_id(skill.ref_id, skill.version),
                        set=arm_id(tests.ref_id, tests.version),
                        case=f"case_{case:03}",
                        attempt=attempt,
                        ordinal=at,
                        trial=f"{at:064x}",
                        generation=1,
                        status="failed" if failed else "completed",
                        grade_status=None if failed else "scored",
                        score=None if failed else at % 101 / 100,
                        duration_ms=1000,
                    )
                )
                at += 1
        app.store.results.put(rows)


def measure(app: App, project: Project) -> None:
    shelf, identity = ProjectShelf(app), project.config.id
    arm = arm_id(project.config.skills[3].ref_id, project.config.skills[3].version)

    def page(query: ResultQuery) -> Callable[[], object]:
        return lambda: results_told.page(app, project, query)

    shown("list of projects", lambda: told.page(app, shelf.page(ProjectListing()), ()))
    shown("status", lambda: status(app, project), times=20)
    shown("first page", page(ResultQuery(identity)))
    shown("last page", page(ResultQuery(identity, page=TRIALS // 50, page_size=50)))
    shown("page of what failed", page(ResultQuery(identity, status="failed")))
    shown("page of a skill", page(ResultQuery(identity, arm=arm, page=20)))


def shown(what: str, look: Callable[[], object], times: int = TIMES) -> None:
    look()
    tracemalloc.start()
    look()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    taken = sorted(_timed(look) for _ in range(times))
    worst = taken[int(0.95 * (times - 1))]
    print(
        f"{what:<22}{worst:8.1f} ms p95 {worst / LIMIT:6.2f} × the limit ({LIMIT:.0f} ms)"
        f"  {taken[times // 2]:6.1f} ms median  {peak / MEGABYTE:5.1f} MB"
    )


def _timed(look: Callable[[], object]) -> float:
    begun = time.perf_counter()
    look()
    return (time.perf_counter() - begun) * 1000


if __name__ == "__main__":
    main()
