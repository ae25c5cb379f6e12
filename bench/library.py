"""The index of a large library: how long it takes to build and to follow, to list and to search.

10,000 skills, each tenth with a package and each tenth in two versions, and 500 baselines of ten
cases. Half of them are Chinese, half English. 2,000 projects have tested four skills each, the
first ones more often, each fifth of them on two baselines. Building stands beside reading the same
files, following beside asking the file system for the same files, and a page beside 50 ms, also the
tests of a page of 200 skills and all values to choose by.
"""

import json
import os
import random
import resource
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from bench.projects import fill_projects
from whet.core.asset_query import LARGEST_PAGE, AssetQuery
from whet.ports.board import BoardQuery
from whet.ports.listing import TextQuery
from whet.stores.index import FileIndex

SKILLS = 10_000
BASELINES = 500
CASES = 10
QUERIES = 200
LIMIT = 0.050
"""Seconds for a page."""

MOMENT = "2026-01-{:02}T12:00:00Z"
PURPOSES = ("code_generate", "review", "文档写作", "data", "testing", "translate", "ops", "设计")
PROVIDERS = ("internal", "community", "vendor")
TAGS = ("python", "rust", "测试", "文档", "sql", "绘图", "安全", "web", "cli", "数据")

chance = random.Random(7)


def _english() -> list[str]:
    letters = "etaoinshrdlucmfwypvbgk"
    return ["".join(chance.choices(letters, k=chance.randint(3, 10))) for _ in range(SKILLS)]


def _chinese() -> list[str]:
    return [
        "".join(chr(0x4E00 + int(2500 * chance.random() ** 2)) for _ in range(chance.randint(1, 4)))
        for _ in range(SKILLS)
    ]


ENGLISH, CHINESE = _english(), _chinese()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        workspace = Path(name)
        skills, baselines = fill(workspace)
        fill_projects(workspace, skills, baselines)
        files = sum(1 for _ in walked(workspace))
        megabytes = sum(len(content(path)) for path in walked(workspace)) / 1e6
        before = peak_mb()
        index = FileIndex(workspace)
        read = timed(lambda: [content(path) for path in walked(workspace)])
        build = timed(index.refresh)
        said(f"build, {files} files, {megabytes:.0f} MB", build, read, "reading them")
        print(f"{'memory':34}{peak_mb() - before:8.0f} MB more, {peak_mb():.0f} MB at most")
        size = (workspace / "index.db").stat().st_size / 1e6
        print(f"{'index.db':34}{size:8.0f} MB        {size / megabytes:5.1f} × the files")
        time.sleep(2.1)  # what is younger than two seconds is read twice
        index.refresh()
        looked = min(timed(lambda: [os.lstat(path) for path in walked(workspace)]) for _ in "123")
        again = min(timed(index.refresh) for _ in "12345")
        said("follow, nothing changed", again, looked, "asking for each file")
        index.close()
        fresh = FileIndex(workspace)
        said("… opened anew", timed(fresh.refresh), looked, "asking for each file")
        asked(fresh)
        tested(fresh, skills, baselines)
        fresh.close()


def asked(index: FileIndex) -> None:
    lists = [listed(number) for number in range(QUERIES)]
    texts = [searched(number) for number in range(QUERIES)]
    paged("list", [timed(lambda q=query: index.skills(q)) for query in lists])
    paged("search", [timed(lambda q=query: index.search(q)) for query in texts])


def tested(index: FileIndex, skills: list[str], baselines: list[str]) -> None:
    """The tests of pages as lists have them, and of the skills that are tested most."""
    pages = [chance.sample(skills, k=LARGEST_PAGE) for _ in range(QUERIES // 2)]
    pages += [skills[:LARGEST_PAGE]] * (QUERIES // 2)
    paged("tests", [timed(lambda p=page: index.test_summaries(p)) for page in pages])
    paged("facets", [timed(lambda: index.facets("skill")) for _ in range(QUERIES)])
    queries = [BoardQuery(baseline=baseline) for baseline in baselines[:QUERIES]]
    paged("results", [timed(lambda q=query: index.results(q)) for query in queries])


def listed(number: int) -> AssetQuery:
    sorts: tuple[Literal["created_at", "updated_at", "name"], ...] = (
        "created_at",
        "updated_at",
        "name",
    )
    return AssetQuery(
        purpose=chance.choice(PURPOSES) if number % 2 else None,
        provider=chance.choice(PROVIDERS) if number % 3 == 0 else None,
        tag=tuple(chance.sample(TAGS, k=number % 3)),
        keyword=word(is_chinese=number % 2 == 0)[:3] if number % 5 == 0 else "",
        sort=chance.choice(sorts),
        order="desc" if number % 2 == 0 else "asc",
        page=chance.randint(1, 5),
    )


def searched(number: int) -> TextQuery:
    """One word, whole or begun, a single character, or two words."""
    first = word(is_chinese=number % 2 == 0)
    kinds = (first, first[:3], first[0], f"{word(is_chinese=number % 4 < 2)} {first}")
    return TextQuery(kinds[number % len(kinds)])


def paged(what: str, taken: list[float]) -> None:
    p95 = statistics.quantiles(taken, n=20)[-1]
    said(f"{what}, p95 of {len(taken)} pages", p95, LIMIT, "the limit")
    middle, most = statistics.median(taken), max(taken)
    print(f"{'':34}{middle * 1000:8.1f} ms median, {most * 1000:.1f} ms at most")


def said(what: str, taken: float, limit: float, of: str) -> None:
    print(f"{what:34}{taken * 1000:8.1f} ms  {taken / limit:8.2f} × {of} ({limit * 1000:.0f} ms)")


def fill(workspace: Path) -> tuple[list[str], list[str]]:
    """Write the library; the ids of its skills and baselines."""
    skills = [identity() for _ in range(SKILLS)]
    for number, named in enumerate(skills):
        for version in (1, 2) if number % 10 == 0 else (1,):
            skill(workspace, number, named, version)
    return skills, [baseline(workspace, number) for number in range(BASELINES)]


def identity() -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def skill(workspace: Path, number: int, named: str, version: int) -> None:
    is_chinese = number % 2 == 0
    meta = about(number, named, version)
    where = f"skills/{meta['purpose']}/{meta['provider']}/skill_{named[:8]}_v{version}"
    body = text(chance.choice((200, 800, 2000)), is_chinese=is_chinese)
    files = {
        "meta.json": json.dumps({**meta, "type": "skill", "content_file": "content.txt"}),
        "content.txt": body,
        "tags.json": tags(),
    }
    if number % 10 == 1:
        files |= {
            "package/SKILL.md": body,
            "package/references/more.md": text(500, is_chinese=is_chinese),
            "package/scripts/run.py": "print('hello')\n" * 20,
        }
    write(workspace / where, files)


def baseline(workspace: Path, number: int) -> str:
    named = identity()
    is_chinese = number % 2 == 0
    meta = about(number, named, 1) | {"case_count": CASES}
    cases = [
        {
            "id": f"case_{each:03}",
            "name": text(10, is_chinese=is_chinese),
            "category": "standard",
            "input": text(100, is_chinese=is_chinese),
            "expected_output": text(50, is_chinese=is_chinese),
            "created_at": MOMENT.format(1),
            "updated_at": MOMENT.format(1),
        }
        for each in range(1, CASES + 1)
    ]
    document = {"baseline_id": named, "version": "v1", "cases": cases}
    where = f"baselines/{meta['purpose']}/{meta['provider']}/baseline_{named[:8]}_v1"
    files = {
        "meta.json": json.dumps(meta),
        "cases.json": json.dumps(document, ensure_ascii=False),
        "tags.json": tags(),
    }
    write(workspace / where, files)
    return named


def about(number: int, named: str, version: int) -> dict[str, str | int]:
    is_chinese = number % 2 == 0
    return {
        "id": named,
        "name": text(15, is_chinese=is_chinese),
        "description": text(80, is_chinese=is_chinese),
        "purpose": PURPOSES[number % len(PURPOSES)],
        "provider": PROVIDERS[number % len(PROVIDERS)],
        "version": f"v{version}",
        "version_count": version,
        "status": "archived" if number % 20 == 0 else "active",
        "created_at": MOMENT.format(1 + number % 28),
        "updated_at": MOMENT.format(1 + number * 7 % 28),
    }


def tags() -> str:
    given = [
        {"id": str(number), "value": tag, "created_at": MOMENT.format(1)}
        for number, tag in enumerate(chance.sample(TAGS, k=3))
    ]
    return json.dumps({"manual": given, "auto": []})


def write(folder: Path, files: dict[str, str]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data)


def text(length: int, *, is_chinese: bool) -> str:
    """About *length* characters, with frequent and rare words as people have them."""
    words = [word(is_chinese=is_chinese) for _ in range(length // (2 if is_chinese else 7) + 1)]
    return "".join(words) if is_chinese else " ".join(words)


def word(*, is_chinese: bool) -> str:
    words = CHINESE if is_chinese else ENGLISH
    return words[int(len(words) * chance.random() ** 3)]


def walked(root: Path) -> Iterator[str]:
    for shelf in ("skills", "baselines", "projects"):
        for place, _, names in os.walk(root / shelf):
            for name in names:
                yield f"{place}/{name}"


def content(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123 - what is compared with must not be slow
        return file.read()


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
