"""The leaderboard over HTTP."""

import asyncio
import csv
import io
from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import fill
from tests.server.calling import SMALL, Caller, assert_problem, calling, settled
from tests.stores.index.libraries import add, identity
from tests.stores.index.tested import add_project, change, reference

BOARD = "/v1/leaderboard"


@pytest.fixture
def filled(shelf: Path, call: Caller) -> Caller:
    """A library at v1, and two projects with seven results."""
    add(shelf, "Writer")
    add(shelf, "Tests", 1, ["x"], purpose="review")
    add_project(shelf, "Both", {"Writer": 80, "Author": 70}, ("Tests", "More"))
    scores = {"Writer@v2": None, "=HYPERLINK()": 10, "Author": 71}
    add_project(shelf, "One", scores, generated_at="2024-02-01T00:00:00Z", simulated=True)
    call("POST", "/v1/index")
    return call


def got(call: Caller, path: str = BOARD, **query: Any) -> dict[str, Any]:
    answer = call("GET", path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_groups_are_what_is_answered_by_default(filled: Caller) -> None:
    found = got(filled, records_page_size=2)
    assert (found["total"], found["page"], found["page_size"]) == (2, 1, 20)
    assert (found["records_page"], found["records_page_size"]) == (1, 2)
    first, second = found["groups"]
    assert [one["avg_score"] for one in first["records"]] == [80, 71]
    assert {key: first[key] for key in first if key != "records"} == {
        "baseline_id": identity("Tests"),
        "baseline_name": "Tests",
        "baseline_purpose": "review",
        "baseline_case_count": 1,
        "baseline_version_current": "v1",
        "skill_count": 3,
        "record_count": 5,
    }
    assert (second["baseline_name"], second["baseline_version_current"]) == ("More", None)
    more = got(filled, records_page_size=2, records_page=3, baseline="Tests")["groups"]
    assert [one["avg_score"] for one in more[0]["records"]] == [None]


def test_records_have_no_groups(filled: Caller) -> None:
    found = got(filled, group="false", page=2, page_size=3)
    assert [*found] == ["records", "total", "page", "page_size"]
    assert (found["total"], found["page"]) == (7, 2)
    assert [one["avg_score"] for one in found["records"]] == [70, 70, 10]


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ({"skill": "Writer"}, 3),
        ({"skill": identity("Author")[:8], "baseline": "Tests"}, 2),
        ({"purpose": "review"}, 5),
        ({"since": "2024-01-02"}, 3),
        ({"until": "2024-01-01T12:00:00Z"}, 4),
        ({"include_stale": "false"}, 1),
        ({"by_version": "true", "skill": identity("Author")}, 2),
        ({"archived": "true"}, 0),
    ],
)
def test_what_is_asked_for(filled: Caller, query: dict[str, str], total: int) -> None:
    assert got(filled, group="false", **query)["total"] == total
    told = got(filled, f"{BOARD}/export", format="json", **query)
    assert len(told["records"]) == total
    groups = got(filled, **query)["groups"]
    assert sum(group["record_count"] for group in groups) == total


@pytest.mark.parametrize(
    ("path", "status", "code", "says"),
    [
        (f"{BOARD}?skill=nobody", 404, "not_found", "nobody"),
        (f"{BOARD}?baseline=Writer", 404, "not_found", "Writer"),
        (f"{BOARD}?since=soon", 400, "invalid_request", "since"),
        (f"{BOARD}?page=0", 422, "invalid_request", "page"),
        (f"{BOARD}?page=99999999", 422, "invalid_request", "page"),
        (f"{BOARD}?page_size=201", 422, "invalid_request", "page_size"),
        (f"{BOARD}?page_size=200&records_page_size=200", 400, "invalid_request", "at most"),
        (f"{BOARD}?sort=name", 422, "invalid_request", "sort"),
        (f"{BOARD}/export?format=xlsx", 422, "invalid_request", "format"),
        (f"{BOARD}/export?skill=nobody", 404, "not_found", "nobody"),
        (f"{BOARD}/history/nobody", 404, "not_found", "nobody"),
    ],
)
def test_what_cannot_be_asked(filled: Caller, path: str, status: int, code: str, says: str) -> None:
    assert_problem(filled("GET", path), status, code, says)


def test_a_table_that_no_spreadsheet_computes(filled: Caller) -> None:
    answer = filled("GET", f"{BOARD}/export")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="leaderboard.csv"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    rows = [*csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""))]
    assert len(rows) == 7
    assert [one["skill_name"] for one in rows if one["avg_score"] == "10"] == ["'=HYPERLINK()"]
    assert {one["simulated"] for one in rows} == {"true", ""}


@pytest.mark.slow
def test_a_large_file_comes_in_pieces(shelf: Path, call: Caller) -> None:
    baselines = [f"b{number}" for number in range(30)]
    add_project(shelf, "Many", {f"s{number}": number for number in range(40)}, baselines)
    call("POST", "/v1/index")
    for form in ("csv", "json"):
        answer = call("GET", f"{BOARD}/export", params={"format": form})
        assert "content-length" not in answer.headers
    assert len(answer.json()["records"]) == 1200


def test_the_history_of_a_skill(filled: Caller) -> None:
    found = got(filled, f"{BOARD}/history/Writer")
    assert (found["skill_name"], found["skill_version_current"]) == ("Writer", "v1")
    assert [
        (one["baseline_name"], [(point["version"], point["avg_score"]) for point in one["points"]])
        for one in found["baselines"]
    ] == [("More", [("v1", 80)]), ("Tests", [("v1", 80), ("v2", None)])]
    point = found["baselines"][1]["points"][1]
    assert (point["simulated"], point["project_name"]) == (True, "One")


def test_half_a_character_hides_nothing_else(shelf: Path, call: Caller) -> None:
    folder = add_project(shelf, "Nasty", {"x": 99})
    baseline = reference("Tests") | {"name": "\ud800"}
    change(folder / "config.json", name="半\ud800", baselines=[baseline])
    call("POST", "/v1/index")
    for path in (BOARD, f"{BOARD}?group=false", f"{BOARD}/history/{identity('x')}"):
        assert "半\\ud800" in call("GET", path).text
    for form in ("csv", "json"):
        assert call("GET", f"{BOARD}/export?format={form}").status_code == 200


def test_a_project_that_ran_is_on_the_board(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)

    async def story() -> None:
        async with calling(workspace) as (client, _):
            started = await client.post("/v1/runs", json=SMALL)
            await settled(client, started.json()["id"])
            await client.post("/v1/index")
            (group,) = (await client.get(BOARD)).json()["groups"]
            assert (group["skill_count"], group["record_count"]) == (2, 2)
            purpose = group["baseline_purpose"]
            assert purpose
            for record in group["records"]:
                assert (record["simulated"], record["staleness"]) == (True, "current")
                assert record["project_id"] == started.json()["id"]
            same = await client.get(BOARD, params={"purpose": purpose, "group": False})
            assert same.json()["total"] == 2

    asyncio.run(story())
