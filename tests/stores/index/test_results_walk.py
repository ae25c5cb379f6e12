"""Random projects, libraries and edits: results are what reading every file gives, page by page
and group by group."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.stores.index import board_model
from tests.stores.index.board_model import Test
from tests.stores.index.libraries import add, identity
from tests.stores.index.tested import add_project, change
from whet.documents.leaderboard import SkillTestSummary
from whet.ports.board import BoardQuery
from whet.ports.board_row import BoardRow
from whet.rank.leaderboard import record
from whet.stores.index import FileIndex

SCORES = st.dictionaries(
    st.sampled_from(["a", "a@v2", "b"]), st.none() | st.integers(50, 53), min_size=1, max_size=3
)
ON = st.lists(st.sampled_from(["t", "t@v2", "u"]), min_size=1, max_size=2, unique=True)
DAYS = st.integers(1, 3)
Step = Callable[[Path], object]


def moment(day: int) -> datetime:
    return datetime(2024, 1, day, 12, tzinfo=UTC)


def vary(folder: Path, day: int) -> None:
    """Let equal scores be of more or fewer cases."""
    summary = json.loads((folder / "results/summary.json").read_text())
    parts = [summary, *summary.get("by_baseline", [])]
    places = [place for part in parts for place in part["ranking"]]
    for number, place in enumerate(places):
        place["completed_cases"] = (number + day) % 3
    (folder / "results/summary.json").write_text(json.dumps(summary))


def ran(
    name: str, scores: dict[str, float | None], baselines: list[str], day: int, flag: str
) -> Step:
    def run(workspace: Path) -> None:
        simulated = {"simulated": flag == "simulated"} if flag != "unknown" else {}
        folder = add_project(
            workspace, name, scores, baselines, generated_at=moment(day).isoformat(), **simulated
        )
        vary(folder, day)
        if flag == "archived":
            change(folder / "config.json", archived=True)

    return run


def shelved(name: str, version: int) -> Step:
    content = "text" if name in "ab" else ["case"]
    return lambda workspace: add(workspace, name, version, content)


def dropped(pattern: str) -> Step:
    return lambda workspace: [
        shutil.rmtree(folder) for folder in sorted(workspace.glob(pattern))[:1]
    ]


def broken(name: str) -> Step:
    return lambda workspace: [
        path.write_text("{") for path in sorted(workspace.glob(f"projects/*/{name}"))[:1]
    ]


FLAGS = st.sampled_from(["unknown", "real", "simulated", "archived"])
RUNS = st.builds(ran, st.sampled_from("pqrstuvw"), SCORES, ON, DAYS, FLAGS)
EDITS = st.one_of(
    RUNS,
    st.builds(shelved, st.sampled_from("abtu"), st.integers(1, 3)),
    st.builds(dropped, st.sampled_from(["skills/*/*/*", "baselines/*/*/*", "projects/*"])),
    st.builds(broken, st.sampled_from(["config.json", "results/summary.json"])),
)
LIBRARY = [shelved(name, 1) for name in "abt"]

QUERIES = st.builds(
    BoardQuery,
    skill=st.sampled_from([None, identity("a"), identity("b")]),
    baseline=st.sampled_from([None, identity("t"), identity("u")]),
    purpose=st.sampled_from([None, None, "code", "", "other"]),
    since=st.none() | DAYS.map(moment),
    until=st.none() | DAYS.map(moment),
    current_only=st.booleans(),
    by_version=st.booleans(),
    archived=st.sampled_from([False, False, True]),
    page_size=st.integers(1, 3),
    records_page_size=st.integers(1, 3),
)


def check_pages(index: FileIndex, query: BoardQuery, expected: Sequence[BoardRow]) -> None:
    assert [*index.every(query)] == expected
    for page in range(1, len(expected) // query.page_size + 3):
        found = index.results(replace(query, page=page))
        start = (page - 1) * query.page_size
        assert [*found.items] == expected[start : start + query.page_size]
        assert found.total == len(expected)


def check_groups(index: FileIndex, query: BoardQuery, expected: dict[str, list[Test]]) -> None:
    ids: list[str] = []
    for page in range(1, len(expected) // query.page_size + 3):
        found = index.groups(replace(query, page=page))
        assert found.total == len(expected)
        ids += [group.baseline_id for group in found.items]
        for group in found.items:
            tests = expected[group.baseline_id]
            assert group.record_count == len(tests)
            assert group.skill_count == len({test.row.skill_id for test in tests})
            assert group.baseline_purpose == tests[0].purpose
            assert group.baseline_version_current == tests[0].row.baseline_version_current
            assert [*group.records] == [test.row for test in tests[: query.records_page_size]]
    assert ids == [*expected]
    second = index.groups(replace(query, records_page=2, page_size=200))
    for group in second.items:
        rows = [test.row for test in expected[group.baseline_id]]
        size = query.records_page_size
        assert [*group.records] == rows[size : 2 * size]


def check_summaries(index: FileIndex, tests: Sequence[Test]) -> None:
    ids = [identity(name) for name in ("a", "b", "nobody")]
    records = [record(test.row) for test in tests if not test.archived]
    by_skill = {one: [mine for mine in records if mine.skill_id == one] for one in ids}
    expected = {one: SkillTestSummary.of(mine) for one, mine in by_skill.items() if mine}
    found = index.test_summaries(ids)
    assert found.keys() == expected.keys()
    for one, summary in expected.items():
        assert summary is not None
        # Of equal best scores one that is not simulated counts, but either of those.
        assert found[one] == summary or (
            found[one].simulated is not True
            and summary.simulated is not True
            and replace_simulated(found[one]) == replace_simulated(summary)
        )


def replace_simulated(summary: SkillTestSummary) -> SkillTestSummary:
    return summary.model_copy(update={"simulated": None}).lean()


@pytest.mark.slow
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    runs=st.lists(RUNS, min_size=4, max_size=10),
    rounds=st.lists(st.lists(EDITS, min_size=1, max_size=3), min_size=1, max_size=3),
    queries=st.lists(QUERIES, min_size=3, max_size=3),
)
def test_results_are_what_the_files_say(
    tmp_path_factory: pytest.TempPathFactory,
    runs: list[Step],
    rounds: list[list[Step]],
    queries: list[BoardQuery],
) -> None:
    workspace = tmp_path_factory.mktemp("projects")
    index = FileIndex(workspace)
    try:
        for steps in ([*LIBRARY, *runs], *rounds):
            for step in steps:
                step(workspace)
            index.refresh()
            tests = board_model.every(workspace)
            for query in (BoardQuery(page_size=3), BoardQuery(by_version=True), *queries):
                expected = board_model.fitting(tests, query)
                check_pages(index, query, [test.row for test in expected])
                check_groups(index, query, board_model.grouped(expected))
            check_summaries(index, tests)
    finally:
        index.close()
