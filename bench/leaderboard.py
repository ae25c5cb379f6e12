"""The leaderboard of a large workspace: a page, a list of groups, and following a new project.

    make bench ARGS=leaderboard

2,000 projects have tested ten skills each on five baselines: 100,000 records, the first skills and
baselines more often than the others. A page stands beside 50 ms, building beside reading the same
files, and following a new project beside following none.
"""

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.library import (
    PURPOSES,
    baseline,
    content,
    identity,
    paged,
    peak_mb,
    said,
    skill,
    timed,
    walked,
)
from bench.projects import one, project
from whet.ports.board import BoardQuery
from whet.stores.index import FileIndex

PROJECTS, SKILLS_EACH, BASELINES_EACH = 2_000, 10, 5
SKILLS, BASELINES = 1_000, 100
QUERIES = 200
NEW = 10

chance = random.Random(5)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        workspace = Path(name)
        skills, baselines = fill(workspace)
        read = timed(lambda: [content(path) for path in walked(workspace)])
        before = peak_mb()
        index = FileIndex(workspace)
        said("build", timed(index.refresh), read, "reading the files")
        print(f"{'memory':34}{peak_mb() - before:8.0f} MB more, {peak_mb():.0f} MB at most")
        print(f"{'records':34}{index.results(BoardQuery()).total:8}")
        asked(index, skills, baselines)
        time.sleep(2.1)  # what is younger than two seconds is read twice
        index.refresh()
        followed(workspace, index, skills, baselines)
        index.close()


def asked(index: FileIndex, skills: Sequence[str], baselines: Sequence[str]) -> None:
    def told(what: str, work: Callable[[BoardQuery], object], queries: list[BoardQuery]) -> None:
        paged(what, [timed(lambda q=query: work(q)) for query in queries])

    pages = [BoardQuery(page=chance.randint(1, 200)) for _ in range(QUERIES)]
    told("page", index.results, pages)
    told("last page", index.results, [BoardQuery(page=5_000)] * QUERIES)
    told("filtered page", index.results, [narrowed(n, skills, baselines) for n in range(QUERIES)])
    told("groups", index.groups, [grouped(number) for number in range(QUERIES)])
    several = [narrowed(number, skills, baselines, 10) for number in range(QUERIES)]
    told("filtered groups", index.groups, several)
    some_skills = chance.sample(skills, k=QUERIES)
    paged("history", [timed(lambda s=named: index.history(s)) for named in some_skills])
    longest = max(skills[:10], key=lambda named: len(index.history(named)))
    taken, many = timed(lambda: index.history(longest)), len(index.history(longest))
    print(f"{f'… of {many} results':34}{taken * 1000:8.0f} ms")
    every = timed(lambda: sum(1 for _ in index.every(BoardQuery())))
    print(f"{'all of them':34}{every * 1000:8.0f} ms")


def narrowed(
    number: int, skills: Sequence[str], baselines: Sequence[str], size: int = 20
) -> BoardQuery:
    day = datetime(2026, 2, 1 + number % 28, tzinfo=UTC)
    return BoardQuery(
        skill=chance.choice(skills) if number % 4 == 0 else None,
        baseline=chance.choice(baselines) if number % 5 == 0 else None,
        purpose=chance.choice(PURPOSES) if number % 3 == 0 else None,
        since=day if number % 7 == 0 else None,
        until=day if number % 2 == 0 else None,
        current_only=number % 3 == 1,
        by_version=number % 6 == 2,
        page=1 + number % 3,
        page_size=size,
        records_page_size=size,
    )


def grouped(number: int) -> BoardQuery:
    return BoardQuery(
        current_only=number % 2 == 0,
        by_version=number % 3 == 0,
        page=1 + number % 5,
        page_size=10,
        records_page_size=10,
    )


def followed(
    workspace: Path, index: FileIndex, skills: Sequence[str], baselines: Sequence[str]
) -> None:
    none = min(timed(index.refresh) for _ in "12345")
    taken: list[float] = []
    for number in range(NEW):
        add(workspace, PROJECTS + number, skills, baselines)
        taken.append(timed(index.refresh))
    said(f"follow a new project, worst of {NEW}", max(taken), none, "following none")


def fill(workspace: Path) -> tuple[list[str], list[str]]:
    skills = [identity() for _ in range(SKILLS)]
    for number, named in enumerate(skills):
        for version in (1, 2) if number % 3 == 0 else (1,):
            skill(workspace, number, named, version)
    baselines = [baseline(workspace, number) for number in range(BASELINES)]
    for number in range(PROJECTS):
        add(workspace, number, skills, baselines)
    return skills, baselines


def add(workspace: Path, number: int, skills: Sequence[str], baselines: Sequence[str]) -> None:
    project(workspace, number, some(skills, SKILLS_EACH), some(baselines, BASELINES_EACH))


def some(of: Sequence[str], count: int) -> list[str]:
    chosen: set[str] = set()
    while len(chosen) < count:
        chosen.add(one(of))
    return sorted(chosen)


if __name__ == "__main__":
    main()
