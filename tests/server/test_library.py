"""Skills and baselines over HTTP: make, find, look, edit, go back, put away."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from tests.curate.assets import tree
from tests.server.calling import Caller, assert_problem
from tests.server.library import BASELINES, CASE, SKILLS, made, names
from whet.server import assets, baselines, skills, tags, workspace

MODULES = (assets, baselines, skills, tags, workspace)
BOTH = pytest.mark.parametrize("path", [SKILLS, BASELINES])


def at(path: str, asset: dict[str, Any], *more: str) -> str:
    return "/".join((path, asset["id"], *more))


@BOTH
def test_what_is_made_is_on_disk_and_in_the_list(call: Caller, shelf: Path, path: str) -> None:
    first = made(call, path, description="For sums.", author="A.", source="a book", provider="me")
    assert (first["version"], first["outcome"]) == ("v1", "created")
    assert (Path(first["path"]) / "meta.json").is_file()
    assert Path(first["path"]).is_relative_to(shelf / path.rpartition("/")[2] / "code/me")
    [item] = call("GET", path).json()["items"]
    given = ("id", "name", "purpose", "provider", "description", "author", "source")
    assert [item[key] for key in given] == [
        first["id"],
        first["name"],
        *("code", "me", "For sums.", "A.", "a book"),
    ]
    assert item["case_count"] == (None if path == SKILLS else 1)
    assert item["testSummary"] is None
    other = BASELINES if path == SKILLS else SKILLS
    assert names(call, other) == []
    assert_problem(call("GET", at(other, first)), 404, "not_found")


@BOTH
def test_the_same_again_is_not_made_twice(call: Caller, path: str) -> None:
    first = made(call, path)
    content = {"content": "Write well."} if path == SKILLS else {"cases": [CASE]}
    answer = call("POST", path, json={"name": first["name"], **content})
    assert answer.status_code == 200
    assert (answer.json()["id"], answer.json()["outcome"]) == (first["id"], "unchanged")
    assert len(names(call, path)) == 1


@BOTH
def test_lists_are_narrowed_sorted_and_paged(call: Caller, path: str) -> None:
    for name, purpose, provider in (("B one", "code", "me"), ("A two", "text", "you")):
        made(call, path, name=name, purpose=purpose, provider=provider)
    third = made(call, path, name="C three", purpose="text", provider="me")
    call("POST", at(path, third, "tags"), json={"value": "Big"})
    call("POST", at(path, third, "tags"), json={"value": "new"})
    assert names(call, path, sort="name") == ["C three", "B one", "A two"]
    assert names(call, path, sort="name", order="asc", page_size=2, page=2) == ["C three"]
    assert names(call, path, purpose="text", provider="me") == ["C three"]
    assert names(call, path, keyword="TWO") == ["A two"]
    assert names(call, path, tag=["big", "New"]) == ["C three"]
    assert names(call, path, tag=["big", "old"]) == []
    call("POST", at(path, third, "archive"))
    assert names(call, path, sort="name") == ["B one", "A two"]
    assert names(call, path, status="archived") == ["C three"]
    assert len(names(call, path, status="all")) == 3
    page = call("GET", path, params={"page_size": 1, "page": 9}).json()
    assert (page["items"], page["total"], page["page"], page["page_size"]) == ([], 2, 9, 1)


def test_skills_are_listed_by_type(call: Caller) -> None:
    made(call, name="S")
    made(call, name="A", type="agent")
    assert names(call, type="agent") == ["A"]
    assert names(call, type="skill") == ["S"]
    assert_problem(call("GET", BASELINES, params={"type": "skill"}), 422, "invalid_request", "type")


@BOTH
def test_words_are_found_wherever_they_are(call: Caller, path: str) -> None:
    where = {"content": "数据清洗 of tables"} if path == SKILLS else {"cases": [{"input": "清洗"}]}
    made(call, path, name="Found", **where)
    made(call, path, name="Other")
    page = call("GET", f"{path}/search", params={"q": "清洗"}).json()
    assert [hit["asset"]["name"] for hit in page["items"]] == ["Found"]
    assert page["items"][0]["matched_in"] == ["content" if path == SKILLS else "cases"]
    assert "清洗" in page["items"][0]["snippet"]
    assert (page["total"], page["page"]) == (1, 1)
    assert call("GET", f"{path}/search", params={"q": "nowhere"}).json()["items"] == []
    assert_problem(call("GET", f"{path}/search"), 422, "invalid_request", "q: Field required")


@BOTH
def test_facets_are_told_with_their_counts(call: Caller, path: str) -> None:
    first = made(call, path, name="A", purpose="code")
    made(call, path, name="B", purpose="code", provider="me")
    call("POST", at(path, first, "tags"), json={"value": "new"})
    assert call("GET", f"{path}/facets").json() == {
        "purposes": [{"value": "code", "count": 2}],
        "providers": [{"value": "local", "count": 1}, {"value": "me", "count": 1}],
        "tags": [{"value": "new", "count": 1}],
    }


def test_an_asset_is_named_by_id_beginning_or_name(call: Caller) -> None:
    asset = made(call, name="代码 助手？#1")
    for reference in (asset["id"], asset["id"][:6], "代码 助手？%231"):
        detail = call("GET", f"{SKILLS}/{reference}").json()
        assert detail["asset"]["id"] == asset["id"]
        assert detail["content"] == "Write well."
    edited = call(
        "PATCH", f"{SKILLS}/代码 助手？%231", json={"expected_version": "v1", "author": "张"}
    )
    assert edited.json()["version"] == "v2"


def test_a_name_that_several_have_is_refused_with_their_ids(call: Caller) -> None:
    ids = [made(call, content=f"Write {number}.")["id"] for number in (1, 2)]
    assert_problem(call("GET", f"{SKILLS}/Writer"), 400, "invalid_request", *ids)


@BOTH
def test_an_edit_is_the_next_version_and_old_ones_stay(call: Caller, path: str) -> None:
    asset = made(call, path, name="First", author="A.")
    change = {"expected_version": "v1", "name": "Second", "purpose": "text"}
    answer = call("PATCH", at(path, asset), json=change)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["version"], answer.json()["changed"]) == ("v2", True)
    assert "/text/" in answer.json()["path"]
    again = call("PATCH", at(path, asset), json={**change, "expected_version": "v2"})
    assert (again.json()["version"], again.json()["changed"]) == ("v2", False), "nothing is new"
    new = call("GET", at(path, asset)).json()
    old = call("GET", at(path, asset), params={"version": "v1"}).json()
    assert (new["version"], new["meta"]["name"], new["meta"]["author"]) == ("v2", "Second", "A.")
    assert (old["version"], old["meta"]["name"]) == ("v1", "First")
    assert [one["version"] for one in new["versions"]] == ["v2", "v1"]
    listed = call("GET", at(path, asset, "versions")).json()
    assert listed == {"versions": new["versions"], "problems": []}
    assert listed["versions"][0]["changed_fields"] == ["meta.name", "meta.purpose"]
    [record] = call("GET", at(path, asset, "history")).json()["records"]
    assert (record["from_version"], record["to_version"]) == ("v1", "v2")
    assert record["diff"]["meta"]["name"] == {"before": "First", "after": "Second"}


@BOTH
def test_two_who_edit_the_same_version(call: Caller, shelf: Path, path: str) -> None:
    asset = made(call, path)
    change = {"expected_version": "v1", "author": "A."}
    assert call("PATCH", at(path, asset), json=change).status_code == 200
    before = tree(shelf / path.rpartition("/")[2])
    late = call("PATCH", at(path, asset), json={"expected_version": "v1", "author": "B."})
    assert_problem(late, 409, "conflict", asset["name"], "expected v1, found v2")
    assert (late.json()["expected"], late.json()["actual"]) == ("v1", "v2")
    body = {"version": "v1", "expected_version": "v1"}
    assert_problem(call("POST", at(path, asset, "rollback"), json=body), 409, "conflict")
    assert tree(shelf / path.rpartition("/")[2]) == before


@BOTH
def test_an_older_version_comes_back_as_the_next(call: Caller, path: str) -> None:
    asset = made(call, path)
    change: dict[str, Any] = {"content": "Worse."} if path == SKILLS else {"cases": []}
    call("PATCH", at(path, asset), json={"expected_version": "v1", **change})
    body = {"version": "v1", "expected_version": "v2"}
    assert call("POST", at(path, asset, "rollback"), json=body).json()["version"] == "v3"
    first, second, third = (
        call("GET", at(path, asset), params={"version": name}).json() for name in ("v1", "v2", "v3")
    )
    what = "content" if path == SKILLS else "cases"
    assert first[what] == third[what] != second[what]


def test_any_two_versions_are_compared(call: Caller) -> None:
    asset = made(call, content="One.\nTwo.\n")
    for number, content in enumerate(("One.\n2.\n", "One.\nTwo!\n"), 1):
        change = {"expected_version": f"v{number}", "content": content}
        assert call("PATCH", at(SKILLS, asset), json=change).status_code == 200
    answer = call("GET", at(SKILLS, asset, "diff"), params={"left": "v1", "right": "v3"}).json()
    assert answer["unified"] == "--- v1\n+++ v3\n@@ -1,2 +1,2 @@\n One.\n-Two.\n+Two!\n"
    assert [row["kind"] for row in answer["rows"]] == ["equal", "changed"]
    assert answer["changed_fields"] == ["content"]
    missing = call("GET", at(SKILLS, asset, "diff"), params={"left": "v1", "right": "v9"})
    assert_problem(missing, 404, "not_found", "no version 'v9'", "v1, v2, v3")


@BOTH
def test_archived_ones_are_out_of_the_way_and_not_gone(call: Caller, path: str) -> None:
    asset = made(call, path)
    for action, status, changed in (
        ("archive", "archived", True),
        ("archive", "archived", False),
        ("restore", "active", True),
    ):
        answer = call("POST", at(path, asset, action)).json()
        assert (answer["version"], answer["changed"]) == ("v1", changed)
        assert call("GET", at(path, asset)).json()["asset"]["status"] == status


def test_what_was_edited_by_hand_is_adopted(call: Caller) -> None:
    asset = made(call)
    adopt = at(SKILLS, asset, "adopt")
    assert_problem(call("POST", adopt), 400, "invalid_request", "not edited outside")
    (Path(asset["path"]) / "content.txt").write_text("By hand.")
    call("POST", "/v1/index")
    assert call("GET", at(SKILLS, asset)).json()["asset"]["edited_outside"]
    assert call("POST", adopt).json()["version"] == "v2"
    assert call("GET", at(SKILLS, asset)).json()["content"] == "By hand."


def test_what_cannot_be_read_is_named_and_hides_nothing(call: Caller, shelf: Path) -> None:
    asset = made(call)
    broken = shelf / "skills/code/me/skill_broken_v1"
    broken.mkdir(parents=True)
    (broken / "meta.json").write_text("{")
    (shelf / "baselines/code/me/baseline_broken_v1").mkdir(parents=True)
    assert call("POST", "/v1/index").json()["broken"] == 2
    page = call("GET", SKILLS).json()
    assert ([item["id"] for item in page["items"]], page["broken_count"]) == ([asset["id"]], 1)
    [skill] = call("GET", f"{SKILLS}/broken").json()["broken"]
    assert skill["path"] == "skills/code/me/skill_broken_v1"
    assert "meta.json" in skill["reason"]
    [baseline] = call("GET", f"{BASELINES}/broken").json()["broken"]
    assert baseline["path"] == "baselines/code/me/baseline_broken_v1"
    state = call("GET", "/v1/index").json()
    assert state == {"skills": 1, "baselines": 0, "broken": [baseline, skill]}


@pytest.mark.slow
def test_every_parameter_is_documented(call: Caller) -> None:
    paths = call("GET", "/openapi.json").json()["paths"]
    found = [
        (path, parameter["name"], parameter.get("description"))
        for path, methods in paths.items()
        for operation in methods.values()
        for parameter in operation.get("parameters", ())
        if path.startswith((SKILLS, BASELINES, "/v1/workspace", "/v1/index"))
        and "identity" not in path
    ]
    assert len(found) > 100
    assert [(path, name) for path, name, said in found if not said] == []


def test_nothing_that_reads_files_holds_the_others_up() -> None:
    """What is no coroutine runs in a thread."""
    routes = [route for module in MODULES for route in module.router.routes]
    endpoints = {route.endpoint for route in routes if isinstance(route, APIRoute)}
    assert len(endpoints) > 30
    assert [one.__name__ for one in endpoints if inspect.iscoroutinefunction(one)] == []
