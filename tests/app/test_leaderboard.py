"""The leaderboard as every door shows it."""

import csv
import io
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.stores.index.libraries import add, identity
from tests.stores.index.tested import add_project, change, reference
from whet.app.leaderboard import (
    MOST_RECORDS,
    Slice,
    Wanted,
    exported,
    groups,
    records,
    skill_history,
)
from whet.core.errors import NotFound, UsageError
from whet.stores.index import FileIndex

ALL = Slice()


@pytest.fixture
def index(tmp_path: Path) -> Generator[FileIndex]:
    """Writer is at v2 and was tested as v1 and v2; Gone is in no library any more."""
    for version in (1, 2):
        add(tmp_path, "Writer", version)
    add(tmp_path, "Tests", 1, ["x"], purpose="review")
    add_project(
        tmp_path, "January", {"Writer": 60, "Gone": 70}, generated_at="2024-01-31T23:30:00Z"
    )
    add_project(tmp_path, "February", {"Writer@v2": 80}, generated_at="2024-02-01T00:00:00Z")
    add_project(tmp_path, "Elsewhere", {"Writer": None}, ("Lost",))
    index = FileIndex(tmp_path)
    yield index
    index.close()


def told(index: FileIndex, **wanted: Any) -> list[str]:
    found = records(index, Wanted(**wanted), ALL)
    assert found.total == len(found.records)
    return [f"{one['skill_name']} in {one['project_name']}" for one in found.records]


def test_records_with_all_that_is_known(index: FileIndex) -> None:
    found = records(index, Wanted(), ALL)
    assert (found.total, found.page, found.page_size) == (4, 1, 20)
    assert [(one["avg_score"], one["staleness"]) for one in found.records] == [
        (80, "current"),
        (70, "skill_updated"),
        (60, "skill_updated"),
        (None, "both_updated"),
    ]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"include_stale": False}, ["Writer in February"]),
        ({"skill": identity("Gone")[:8]}, ["Gone in January"]),
        ({"skill": "Writer", "baseline": "Tests"}, ["Writer in February", "Writer in January"]),
        ({"baseline": identity("Lost")}, ["Writer in Elsewhere"]),
        ({"purpose": "review", "skill": "Writer"}, ["Writer in February", "Writer in January"]),
        ({"purpose": "nothing"}, []),
        ({"since": "2024-02-01"}, ["Writer in February"]),
        (
            {"since": "2024-01-31", "until": "2024-01-31"},
            ["Gone in January", "Writer in January"],
        ),
        ({"since": "2024-01-31T23:31:00Z"}, ["Writer in February"]),
        ({"since": "2024-02-01T07:31:00+08:00"}, ["Writer in February"]),
        ({"until": "2024-01-31T23:29:59"}, ["Writer in Elsewhere"]),
        (
            {"by_version": True, "until": "2024-01-31", "skill": "Writer"},
            ["Writer in January", "Writer in Elsewhere"],
        ),
        ({"archived": True}, []),
    ],
)
def test_what_is_wanted(index: FileIndex, wanted: dict[str, Any], expected: list[str]) -> None:
    assert told(index, **wanted) == expected


@pytest.mark.parametrize(
    ("wanted", "error", "says"),
    [
        ({"skill": "nobody"}, NotFound, "no skill 'nobody'"),
        ({"baseline": "Writer"}, NotFound, "no baseline 'Writer'"),
        ({"since": "yesterday"}, UsageError, "since: 'yesterday' is no date; write"),
        ({"until": "2024-02-30"}, UsageError, "until: '2024-02-30' is no date"),
        ({"until": ""}, UsageError, "until"),
        ({"since": "x" * 5000}, UsageError, "since"),
    ],
)
def test_what_cannot_be_wanted_is_said_at_once(
    index: FileIndex, wanted: dict[str, Any], error: type[Exception], says: str
) -> None:
    for ask in (
        lambda: records(index, Wanted(**wanted), ALL),
        lambda: groups(index, Wanted(**wanted), ALL),
        lambda: exported(index, Wanted(**wanted), "csv"),
    ):
        with pytest.raises(error, match=says) as caught:
            ask()
        assert len(str(caught.value)) < 200


def test_groups_with_a_page_of_records(index: FileIndex) -> None:
    found = groups(index, Wanted(), Slice(records_page_size=2))
    assert (found.total, found.records_page, found.records_page_size) == (2, 1, 2)
    first, second = found.groups
    assert (first["baseline_name"], first["skill_count"], first["record_count"]) == ("Tests", 2, 3)
    assert isinstance(first["records"], list)
    assert len(first["records"]) == 2
    assert (second["baseline_name"], second["baseline_version_current"]) == ("Lost", None)
    assert (second["skill_count"], second["baseline_purpose"]) == (1, "")


def test_a_page_of_groups_has_an_end(index: FileIndex) -> None:
    many = Slice(page_size=200, records_page_size=MOST_RECORDS // 200 + 1)
    with pytest.raises(UsageError, match=f"at most {MOST_RECORDS}"):
        groups(index, Wanted(), many)


def test_a_history_over_versions_and_time(index: FileIndex) -> None:
    found = skill_history(index, "Writer")
    assert (found.skill_name, found.skill_version_current) == ("Writer", "v2")
    assert [
        (one.baseline_name, [(point.version, point.avg_score) for point in one.points])
        for one in found.baselines
    ] == [("Lost", [("v1", None)]), ("Tests", [("v1", 60), ("v2", 80)])]
    gone = skill_history(index, identity("Gone"))
    assert (gone.skill_name, gone.skill_version_current) == ("Gone", None)
    assert len(gone.baselines) == 1


def test_a_skill_that_was_never_tested_has_an_empty_history(
    tmp_path: Path, index: FileIndex
) -> None:
    add(tmp_path, "New")
    index.refresh()
    found = skill_history(index, "New")
    assert (found.skill_name, found.baselines) == ("New", ())
    with pytest.raises(NotFound, match="nobody"):
        skill_history(index, "nobody")


def test_all_of_it_in_a_file(index: FileIndex) -> None:
    page = records(index, Wanted(), ALL)
    data = json.loads(b"".join(exported(index, Wanted(), "json")))
    assert data == {"records": [*page.records]}
    table = b"".join(exported(index, Wanted(), "csv")).decode("utf-8-sig")
    rows = [*csv.DictReader(io.StringIO(table, newline=""))]
    assert [one["project_name"] for one in rows] == [one["project_name"] for one in page.records]


def test_nothing_in_a_file(index: FileIndex) -> None:
    nothing = Wanted(purpose="nothing")
    assert json.loads(b"".join(exported(index, nothing, "json"))) == {"records": []}
    assert b"".join(exported(index, nothing, "csv")).count(b"\n") == 1


@pytest.mark.slow
def test_many_go_out_in_pieces(tmp_path: Path, index: FileIndex) -> None:
    add_project(
        tmp_path,
        "Many",
        {f"s{number}": number for number in range(50)},
        [f"b{n}" for n in range(21)],
    )
    index.refresh()
    pieces = [*exported(index, Wanted(), "json")]
    assert len(pieces) > 5
    assert len(json.loads(b"".join(pieces))["records"]) == 50 * 21 + 4


def test_half_a_character_hides_nothing_else(tmp_path: Path, index: FileIndex) -> None:
    folder = add_project(tmp_path, "Nasty", {"x": 99})
    change(
        folder / "config.json", name="半\ud800", baselines=[reference("Tests") | {"name": "\ud800"}]
    )
    index.refresh()
    page = records(index, Wanted(), ALL)
    assert page.records[0]["project_name"] == "半\ud800"
    data = json.loads(b"".join(exported(index, Wanted(), "json")))
    assert data["records"] == [*page.records]
    assert b"".join(exported(index, Wanted(), "csv")).decode("utf-8-sig").count("半?") == 1
