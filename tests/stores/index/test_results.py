"""Results of projects: records, filters, staleness, and the summary of a skill."""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.stores.index.libraries import MOMENT, add, identity
from tests.stores.index.tested import add_project, change, ranking, reference, told
from whet.documents.leaderboard import Staleness
from whet.ports.board import BoardQuery
from whet.rank.leaderboard import record, staleness_of
from whet.stores.index import FileIndex

INTERVAL: JsonValue = {"low": 70, "high": 90.0, "level": 0.95, "method": "t over cases"}


def ages(index: FileIndex) -> dict[str, Staleness]:
    return {row.project_name: staleness_of(row) for row in index.every(BoardQuery())}


def test_a_record_has_all_that_a_leaderboard_shows(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Writer", 1)
    add(tmp_path, "Writer", 3)
    add(tmp_path, "Tests", 1, ["one", "two"], purpose="review")
    entry = {**dict[str, JsonValue](as_object(ranking({"Writer": 87.3})[0])), "interval": INTERVAL}
    add_project(tmp_path, "Trial", {"Writer": 87.3}, ranking=[entry], simulated=True)
    (row,) = index.results(BoardQuery()).items
    assert json.dumps(record(row).to_data()) == json.dumps(
        {
            "skill_id": identity("Writer"),
            "skill_name": "Writer",
            "skill_version_tested": "v1",
            "skill_version_current": "v3",
            "baseline_id": identity("Tests"),
            "baseline_name": "Tests",
            "baseline_version_tested": "v1",
            "baseline_version_current": "v1",
            "avg_score": 87.3,
            "score_breakdown": {"robustness": 87.3},
            "project_id": identity("Trial"),
            "project_name": "Trial",
            "tested_at": MOMENT,
            "case_count": 3,
            "completed_cases": 2,
            "failed_cases": 1,
            "staleness": "skill_updated",
            "simulated": True,
            "interval": INTERVAL,
        }
    )


def as_object(value: JsonValue) -> dict[str, JsonValue]:
    assert isinstance(value, dict)
    return value


def test_the_best_come_first_and_those_without_a_score_last(
    tmp_path: Path, index: FileIndex
) -> None:
    add_project(tmp_path, "One", {"b": 50, "a": None, "c": 70.5})
    add_project(tmp_path, "Two", {"a": 0, "c@v2": 70.5, "c": 60})
    fuller = ranking({"d": 50})
    as_object(fuller[0])["completed_cases"] = 3
    add_project(tmp_path, "Three", {"d": 50}, ranking=fuller)
    assert told(index) == [
        ("One", "c@v1", "Tests@v1", 70.5),
        ("Two", "c@v2", "Tests@v1", 70.5),
        ("Two", "c@v1", "Tests@v1", 60),
        ("Three", "d@v1", "Tests@v1", 50),
        ("One", "b@v1", "Tests@v1", 50),
        ("Two", "a@v1", "Tests@v1", 0),
        ("One", "a@v1", "Tests@v1", None),
    ]


def test_each_of_several_baselines_counts_for_itself(tmp_path: Path, index: FileIndex) -> None:
    folder = add_project(tmp_path, "Both", {"Writer": 10}, ("Tests", "Tests@v2", "More"))
    summary = json.loads((folder / "results/summary.json").read_text())
    first, second, more = summary["by_baseline"]
    second["ranking"][0]["avg_score"] = 30
    more["ranking"] = ranking({"Writer": 20, "Stranger": 99})
    first["ranking"] = []
    others = {**more, "baseline_id": "elsewhere"}
    change(folder / "results/summary.json", by_baseline=[first, second, more, others])
    assert told(index) == [
        ("Both", "Writer@v1", "Tests@v2", 30),
        ("Both", "Writer@v1", "More@v1", 20),
    ]
    assert told(index, BoardQuery(baseline=identity("Tests"))) == [
        ("Both", "Writer@v1", "Tests@v2", 30)
    ]
    summaries = index.test_summaries([identity("Writer"), identity("Stranger")])
    assert [(one.test_count, one.best_baseline_name) for one in summaries.values()] == [
        (2, "Tests")
    ]
    assert [row.case_count for row in index.every(BoardQuery())] == [3, 3]


def test_filters_hold_together(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Tests", 1, ["x"], purpose="review")
    add_project(tmp_path, "Old", {"a": 1, "b": 2}, generated_at="2024-01-01T20:00:00+08:00")
    add_project(tmp_path, "New", {"a": 3}, generated_at="2024-02-01T00:00:00Z")
    folder = add_project(tmp_path, "Gone", {"a": 4}, ("Lost",), generated_at="soon")
    lost: JsonValue = [reference("Lost") | {"purpose": "data"}]
    change(folder / "config.json", baselines=lost)

    def fits(query: BoardQuery) -> list[tuple[str, float | None]]:
        return [(project, score) for project, _, _, score in told(index, query)]

    noon = datetime(2024, 1, 1, 12, tzinfo=UTC)
    assert fits(BoardQuery(skill=identity("b"))) == [("Old", 2)]
    assert fits(BoardQuery(baseline=identity("Lost"))) == [("Gone", 4)]
    assert fits(BoardQuery(purpose="review")) == [("New", 3), ("Old", 2), ("Old", 1)]
    assert fits(BoardQuery(purpose="data", skill=identity("a"))) == [("Gone", 4)]
    assert fits(BoardQuery(since=noon)) == [("New", 3), ("Old", 2), ("Old", 1)]
    assert fits(BoardQuery(until=noon.replace(tzinfo=None))) == [
        ("Gone", 4),
        ("Old", 2),
        ("Old", 1),
    ]
    assert fits(BoardQuery(since=noon.replace(second=1))) == [("New", 3)]
    assert fits(BoardQuery(since=noon, until=noon, skill=identity("a"))) == [("Old", 1)]
    for nobody in ("", "%", identity("a")[:8], "\ud800"):
        assert fits(BoardQuery(skill=nobody)) == fits(BoardQuery(purpose=nobody)) == []


def test_staleness_follows_the_library(tmp_path: Path, index: FileIndex) -> None:
    add_project(tmp_path, "Trial")
    add_project(tmp_path, "Newer", {"Writer@v2": 1}, ("Tests@v2",))
    assert ages(index) == {"Trial": "both_updated", "Newer": "both_updated"}
    assert [row.skill_version_current for row in index.every(BoardQuery())] == [None, None]
    add(tmp_path, "Writer", 1)
    add(tmp_path, "Tests", 1, ["x"], status="archived")
    index.refresh()
    assert ages(index) == {"Trial": "current", "Newer": "both_updated"}
    newest = add(tmp_path, "Writer", 2)
    index.refresh()
    assert ages(index) == {"Trial": "skill_updated", "Newer": "baseline_updated"}
    add(tmp_path, "Tests", 2, ["x"])
    index.refresh()
    assert ages(index) == {"Trial": "both_updated", "Newer": "current"}
    shutil.rmtree(newest)
    index.refresh()
    assert ages(index) == {"Trial": "baseline_updated", "Newer": "skill_updated"}


def test_a_skill_is_no_baseline_of_the_same_id(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Writer", 1, id=identity("Tests"))
    add(tmp_path, "Tests", 1, ["x"], id=identity("Writer"))
    add_project(tmp_path)
    assert ages(index) == {"Trial": "both_updated"}


def test_equals_are_always_in_the_same_order(tmp_path: Path, index: FileIndex) -> None:
    for project in ("a", "b", "c"):
        add_project(tmp_path, project, {"y": 5, "x": 5})
    before = told(index)
    with closing(sqlite3.connect(tmp_path / "index.db")) as database, database:
        database.execute("UPDATE results SET number = -number")
        database.execute("UPDATE records SET number = -number")
    assert told(index) == before


@pytest.mark.slow
def test_summaries_of_a_page_of_skills(tmp_path: Path, index: FileIndex) -> None:
    for name in ("a", "b", "c"):
        add(tmp_path, name, 2)
    add(tmp_path, "Tests", 1, ["x"])
    add_project(tmp_path, "One", {"a": 85, "b": None})
    add_project(tmp_path, "Two", {"a@v2": 70, "c@v2": 40}, simulated=True)
    add_project(tmp_path, "Three", {"a": 90}, ("Lost",), simulated=False)
    ids = [identity(name) for name in ("a", "b", "c", "nobody")]
    found = index.test_summaries([*ids, "\ud800", ids[0]])
    assert [*found] == ids[:3]
    assert [json.dumps(found[one].to_data()) for one in ids[:3]] == [
        json.dumps(
            {
                "has_tests": True,
                "best_score": 90,
                "best_baseline_name": "Lost",
                "test_count": 3,
                "staleness": "current",
                "simulated": False,
            }
        ),
        json.dumps(
            {
                "has_tests": True,
                "best_score": None,
                "best_baseline_name": None,
                "test_count": 1,
                "staleness": "skill_updated",
            }
        ),
        json.dumps(
            {
                "has_tests": True,
                "best_score": 40,
                "best_baseline_name": "Tests",
                "test_count": 1,
                "staleness": "current",
                "simulated": True,
            }
        ),
    ]
    assert index.test_summaries([]) == {}
    assert index.test_summaries([identity("a")] * 50_000).keys() == {identity("a")}


@pytest.mark.parametrize("name", ["'; DROP TABLE results; --", "半\ud800", "a\0b", "\u202e", ""])
def test_names_from_outside_are_data(tmp_path: Path, index: FileIndex, name: str) -> None:
    folder = add_project(tmp_path, "Nasty")
    skill: JsonValue = {**reference("Writer"), "ref_id": name, "name": name}
    baseline: JsonValue = {**reference("Tests"), "ref_id": name, "name": name, "purpose": name}
    change(folder / "config.json", name=name, skills=[skill], baselines=[baseline])
    place = as_object(ranking({"Writer": 80})[0]) | {"skill_id": name, "skill_name": name}
    change(folder / "results/summary.json", ranking=[place], generated_at=name)
    (row,) = index.results(BoardQuery(skill=name, baseline=name, purpose=name)).items
    assert (row.skill_id, row.skill_name, row.tested_at) == (name, name, name)
    assert (row.baseline_id, row.baseline_name, row.project_name) == (name, name, name)
    assert index.test_summaries([name])[name].best_score == 80
    assert index.broken() == []
