"""Pages and groups of the leaderboard."""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.stores.index.libraries import add, identity, write
from tests.stores.index.tested import add_project, change, ranking, reference, told
from whet.core.errors import NotFound, UsageError
from whet.ports.board import BoardQuery
from whet.ports.board_row import BoardGroup
from whet.stores.index import FileIndex
from whet.stores.index.index import PIECE

LATEST = BoardQuery(by_version=True)
CURRENT = BoardQuery(current_only=True)
ARCHIVED = BoardQuery(archived=True)


def on_day(day: int) -> str:
    return f"2024-01-{day:02}T12:00:00Z"


def noon(day: int) -> datetime:
    return datetime(2024, 1, day, 12, tzinfo=UTC)


def projects(index: FileIndex, query: BoardQuery) -> list[str]:
    found = [project for project, *_ in told(index, query)]
    assert index.results(query).total == len(found)
    return found


def groups(index: FileIndex, query: BoardQuery) -> dict[str, tuple[int, int, int]]:
    """Skills, records in all and records on the page, by baseline."""
    return {
        group.baseline_name: (group.skill_count, group.record_count, len(group.records))
        for group in index.groups(query).items
    }


def group(index: FileIndex, query: BoardQuery | None = None) -> BoardGroup:
    (found,) = index.groups(query or BoardQuery()).items
    return found


def test_pages_follow_each_other_and_end(tmp_path: Path, index: FileIndex) -> None:
    add_project(tmp_path, "One", {name: number for number, name in enumerate("abcde")})
    for page, expected in ((1, "edc"), (2, "ba"), (3, "")):
        found = index.results(BoardQuery(page=page, page_size=3))
        assert "".join(row.skill_name for row in found.items) == expected
        assert (found.total, found.page, found.page_size) == (5, page, 3)


@pytest.mark.parametrize(
    "query",
    [
        BoardQuery(page=0),
        BoardQuery(page_size=0),
        BoardQuery(page_size=201),
        BoardQuery(page=10**30),
    ],
)
def test_a_page_that_cannot_be(index: FileIndex, query: BoardQuery) -> None:
    for ask in (index.results, index.groups):
        with pytest.raises(UsageError, match="page"):
            ask(query)


@pytest.mark.parametrize("query", [BoardQuery(records_page=0), BoardQuery(records_page_size=1000)])
def test_a_page_of_a_group_that_cannot_be(index: FileIndex, query: BoardQuery) -> None:
    with pytest.raises(UsageError, match="page"):
        index.groups(query)


def test_equals_go_by_completed_cases_and_then_the_newest(tmp_path: Path, index: FileIndex) -> None:
    add_project(tmp_path, "Old", generated_at=on_day(1))
    add_project(tmp_path, "New", generated_at=on_day(2))
    fuller = ranking({"Writer": 80})
    as_object(fuller[0])["completed_cases"] = 3
    add_project(tmp_path, "Full", ranking=fuller, generated_at=on_day(1))
    add_project(tmp_path, "Failed", {"Writer": None}, generated_at=on_day(3))
    add_project(tmp_path, "Zero", {"Writer": 0}, generated_at=on_day(1))
    add_project(tmp_path, "Timeless", generated_at="soon")
    assert projects(index, BoardQuery()) == ["Full", "New", "Old", "Timeless", "Zero", "Failed"]


def test_a_skill_is_counted_once_however_often_it_was_tested(
    tmp_path: Path, index: FileIndex
) -> None:
    add(tmp_path, "a", 2)
    add(tmp_path, "Tests", 1, ["x"])
    add_project(tmp_path, "One", {"a": 1, "b": 2, "a@v2": 3})
    add_project(tmp_path, "Two", {"a": 4, "c": None})
    add_project(tmp_path, "Three", {"a": 5}, ("More",))
    assert groups(index, BoardQuery()) == {"Tests": (3, 5, 5), "More": (1, 1, 1)}
    assert groups(index, CURRENT) == {"Tests": (1, 1, 1)}
    assert groups(index, LATEST) == {"Tests": (3, 4, 4), "More": (1, 1, 1)}
    assert groups(index, BoardQuery(skill=identity("a"))) == {"Tests": (1, 3, 3), "More": (1, 1, 1)}
    few = BoardQuery(page_size=1, records_page_size=2)
    assert groups(index, few) == {"Tests": (3, 5, 2)}
    assert index.groups(few).total == 2


def test_groups_and_their_records_have_pages(tmp_path: Path, index: FileIndex) -> None:
    for baseline in ("u", "t"):
        add_project(tmp_path, f"on {baseline}", {"a": 1, "b": 2, "c": 3}, (baseline,))
    add_project(tmp_path, "more on u", {"a": 9}, ("u",))

    def page(number: int, records: int) -> list[tuple[str, str]]:
        query = BoardQuery(page=number, page_size=1, records_page=records, records_page_size=2)
        found = index.groups(query)
        assert found.total == 2
        return [
            (one.baseline_name, "".join(row.skill_name for row in one.records))
            for one in found.items
        ]

    assert [page(1, 1), page(1, 2), page(1, 3)] == [[("u", "ac")], [("u", "ba")], [("u", "")]]
    assert [page(2, 1), page(2, 2)] == [[("t", "cb")], [("t", "a")]]
    assert page(3, 1) == []


def test_only_the_latest_test_of_each_version(tmp_path: Path, index: FileIndex) -> None:
    for day, name in enumerate(("First", "Second", "Third"), 1):
        add_project(tmp_path, name, {"Writer": 90 - day}, generated_at=on_day(day))
    add_project(tmp_path, "Other", {"Writer@v2": 50}, generated_at=on_day(1))
    add_project(tmp_path, "On two", {"Writer": 40}, ("Tests@v2",), generated_at=on_day(1))
    assert projects(index, LATEST) == ["Third", "Other", "On two"]
    until = BoardQuery(by_version=True, until=noon(2))
    assert projects(index, until) == ["Second", "Other", "On two"]
    assert projects(index, BoardQuery(by_version=True, since=noon(2))) == ["Third"]
    assert projects(index, BoardQuery(by_version=True, since=noon(2), until=noon(2))) == ["Second"]


@pytest.mark.parametrize("gone", ["Third", "Second", "First"])
def test_what_a_lost_project_had_replaced_counts_again(
    tmp_path: Path, index: FileIndex, gone: str
) -> None:
    folders = {
        name: add_project(tmp_path, name, generated_at=on_day(day))
        for day, name in enumerate(("First", "Second", "Third"), 1)
    }
    index.refresh()
    shutil.rmtree(folders.pop(gone))
    index.refresh()
    for day in (1, 2, 3):
        query = BoardQuery(by_version=True, until=noon(day))
        left = [one for one in ("First", "Second", "Third")[:day] if one in folders]
        assert projects(index, query) == left[-1:]
    late = add_project(tmp_path, "Late", generated_at=on_day(9))
    index.refresh()
    assert projects(index, LATEST) == ["Late"]
    change(late / "results/summary.json", generated_at="2023-01-01T00:00:00Z")
    index.refresh()
    assert projects(index, LATEST) == [[*folders][-1]]


def test_archived_projects_do_not_count_unless_asked_for(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Writer")
    add_project(tmp_path, "Kept", {"Writer": 10}, generated_at=on_day(1))
    folder = add_project(tmp_path, "Put away", {"Writer": 90}, generated_at=on_day(2))
    index.refresh()
    change(folder / "config.json", archived=True)
    index.refresh()
    assert projects(index, BoardQuery()) == projects(index, LATEST) == ["Kept"]
    assert projects(index, ARCHIVED) == ["Put away"]
    assert groups(index, BoardQuery()) == groups(index, ARCHIVED) == {"Tests": (1, 1, 1)}
    assert [row.project_name for row in index.history(identity("Writer"))] == ["Kept"]
    summary = index.test_summaries([identity("Writer")])[identity("Writer")]
    assert (summary.best_score, summary.test_count) == (10, 1)
    change(folder / "config.json", archived=False)
    index.refresh()
    assert projects(index, LATEST) == ["Put away"]
    assert projects(index, ARCHIVED) == []


def test_counts_follow_the_library(tmp_path: Path, index: FileIndex) -> None:
    add_project(tmp_path, "Trial", {"Writer": 1, "Author": 2})
    assert groups(index, CURRENT) == {}
    for name in ("Writer", "Author"):
        add(tmp_path, name)
    add(tmp_path, "Tests", 1, ["x"])
    index.refresh()
    assert groups(index, CURRENT) == {"Tests": (2, 2, 2)}
    newest = add(tmp_path, "Writer", 2)
    index.refresh()
    assert groups(index, CURRENT) == {"Tests": (1, 1, 1)}
    assert index.results(CURRENT).total == 1
    add(tmp_path, "Tests", 2, ["x"])
    index.refresh()
    assert groups(index, CURRENT) == {}
    shutil.rmtree(newest)
    shutil.rmtree(next(tmp_path.glob("baselines/*/*/*_v2")))
    index.refresh()
    assert groups(index, CURRENT) == {"Tests": (2, 2, 2)}
    index.rebuild()
    assert groups(index, CURRENT) == {"Tests": (2, 2, 2)}


def test_a_group_is_told_as_the_library_has_it(tmp_path: Path, index: FileIndex) -> None:
    add_project(tmp_path, "Trial")
    add(tmp_path, "Tests", 1, ["x"])
    second = add(tmp_path, "Tests", 2, ["x", "y"], purpose="review")
    change(second / "meta.json", name="Renamed")
    found = group(index)
    assert (found.baseline_id, found.baseline_name) == (identity("Tests"), "Renamed")
    assert (found.baseline_purpose, found.baseline_case_count) == ("review", 2)
    assert found.baseline_version_current == "v2"


def test_a_baseline_that_is_gone_is_told_as_its_latest_project_had_it(
    tmp_path: Path, index: FileIndex
) -> None:
    for day, purpose in ((1, "old"), (3, "newest"), (2, "between")):
        folder = add_project(tmp_path, purpose, generated_at=on_day(day), total_cases=day)
        named = reference("Tests") | {"name": f"Tests {purpose}", "purpose": purpose}
        change(folder / "config.json", baselines=[named])
    found = group(index)
    assert (found.baseline_name, found.baseline_purpose) == ("Tests newest", "newest")
    assert (found.baseline_case_count, found.baseline_version_current) == (3, None)
    assert projects(index, BoardQuery(purpose="old")) == []
    assert len(projects(index, BoardQuery(purpose="newest"))) == 3
    shutil.rmtree(next(tmp_path.glob("projects/project_newest_*")))
    index.refresh()
    assert group(index).baseline_name == "Tests between"


def test_the_purpose_of_a_project_that_names_none(tmp_path: Path, index: FileIndex) -> None:
    """As the original program writes them: the library knows the purpose."""
    add(tmp_path, "Tests", 1, ["x"], purpose="review")
    folder = add_project(tmp_path, "Trial")
    assert "purpose" not in json.loads((folder / "config.json").read_text())["baselines"][0]
    assert projects(index, BoardQuery(purpose="review")) == ["Trial"]
    assert groups(index, BoardQuery(purpose="review")) == {"Tests": (1, 1, 1)}
    assert groups(index, BoardQuery(purpose="review", since=noon(1))) == {"Tests": (1, 1, 1)}
    assert groups(index, BoardQuery(purpose="code")) == {}


def test_assets_are_found_that_only_projects_know(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Writer")
    add_project(tmp_path, "Trial", {"Writer": 1, "Gone": 2}, ("Lost",))
    gone, lost = identity("Gone"), identity("Lost")
    assert index.tested("skill", "Writer") == identity("Writer")
    assert index.tested("skill", gone) == index.tested("skill", gone[:8]) == gone
    assert index.tested("baseline", lost) == lost
    for kind, nobody in (("skill", "Gone"), ("skill", lost), ("baseline", gone), ("skill", "%")):
        with pytest.raises(NotFound):
            index.tested("skill" if kind == "skill" else "baseline", nobody)
    shutil.rmtree(next(tmp_path.glob("projects/*")))
    index.refresh()
    with pytest.raises(NotFound):
        index.tested("skill", gone)


def test_a_beginning_of_several_ids_that_are_gone(tmp_path: Path, index: FileIndex) -> None:
    folder = add_project(tmp_path, "Trial")
    ids = ("same-1", "same-12")
    skills = [reference("x") | {"ref_id": one} for one in ids]
    places = [{**as_object(ranking({"x": 1})[0]), "skill_id": one} for one in ids]
    change(folder / "config.json", skills=[*skills])
    change(folder / "results/summary.json", ranking=[*places])
    assert index.tested("skill", "same-1") == "same-1"
    with pytest.raises(UsageError, match="several skills"):
        index.tested("skill", "same")


def as_object(value: JsonValue) -> dict[str, JsonValue]:
    assert isinstance(value, dict)
    return value


def test_a_history_goes_by_time(tmp_path: Path, index: FileIndex) -> None:
    for day, name, skill in ((3, "C", "Writer@v2"), (1, "A", "Writer"), (2, "B", "Writer")):
        add_project(tmp_path, name, {skill: day, "Other": 9}, generated_at=on_day(day))
    add_project(tmp_path, "Timeless", generated_at="")
    found = index.history(identity("Writer"))
    assert [(row.project_name, row.skill_version_tested) for row in found] == [
        ("Timeless", "v1"),
        ("A", "v1"),
        ("B", "v1"),
        ("C", "v2"),
    ]
    assert index.history("nobody") == []


def test_reading_all_goes_on_while_projects_go(tmp_path: Path, index: FileIndex) -> None:
    scores = {f"s{number}": number for number in range(99)}
    folders = {name: add_project(tmp_path, name, scores) for name in "abcdef"}
    before = [*index.every(BoardQuery())]
    reading = index.every(BoardQuery())
    first = next(reading)
    # Those that came in last, whose place in the index the new one could take.
    gone = sorted(folders, key=identity)[-2:]
    for name in gone:
        shutil.rmtree(folders[name])
    index.refresh()
    add_project(tmp_path, "New", scores)
    index.refresh()
    left = [row for row in before[PIECE:] if row.project_name not in gone]
    assert 0 < len(left) < len(before) - PIECE
    assert [first, *reading] == before[:PIECE] + left
    assert len([*index.every(BoardQuery())]) == 5 * 99


@pytest.mark.parametrize("count", [-1, 10**9 + 1, 10**40])
def test_a_count_that_cannot_be_is_named(tmp_path: Path, index: FileIndex, count: int) -> None:
    add_project(tmp_path, "Sound")
    folder = add_project(tmp_path, "Broken")
    summary = json.loads((folder / "results/summary.json").read_text())
    summary["ranking"][0]["completed_cases"] = count
    write(folder / "results/summary.json", summary)
    assert projects(index, BoardQuery()) == ["Sound"]
    (broken,) = index.broken()
    assert "cases cannot be" in broken.reason
    assert len(broken.reason) < 100


def test_nothing_is_left_of_what_is_gone(tmp_path: Path, index: FileIndex) -> None:
    add_project(tmp_path, "Trial", {"a": 1, "b": 2}, ("Tests", "More"))
    index.refresh()
    shutil.rmtree(tmp_path / "projects")
    index.refresh()
    with closing(sqlite3.connect(tmp_path / "index.db")) as database:
        for table in ("tested", "results", "records", "boards", "projects"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_what_was_read_again_and_is_the_same_is_left_alone(
    tmp_path: Path, index: FileIndex
) -> None:
    """A folder that is young when it is read is read again."""
    add_project(tmp_path, "Trial")

    def numbers() -> list[tuple[int]]:
        with closing(sqlite3.connect(tmp_path / "index.db")) as database:
            return database.execute("SELECT number FROM results").fetchall()

    index.refresh()
    before = numbers()
    index.refresh()
    assert numbers() == before
