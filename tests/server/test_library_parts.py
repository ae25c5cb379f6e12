"""Parts of assets over HTTP: tags, and the cases of a baseline."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.curate.shelves import add_skill, identity, write
from tests.server.calling import Caller, assert_problem
from tests.server.library import BASELINES, SKILLS, made

SUMS = f"{BASELINES}/Sums"
CASES = f"{SUMS}/cases"


def values(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return answer.json()["tags"]


@pytest.mark.parametrize(("path", "name"), [(SKILLS, "Writer"), (BASELINES, "Sums")])
def test_tags_are_added_renamed_and_removed(call: Caller, path: str, name: str) -> None:
    made(call, path)
    tags = f"{path}/{name}/tags"
    assert values(call("POST", tags, json={"value": "ci/cd"})) == ["ci/cd"]
    assert values(call("POST", tags, json={"value": "数据"})) == ["ci/cd", "数据"]
    assert values(call("PATCH", f"{tags}/ci%2Fcd", json={"value": "build"})) == ["build", "数据"]
    assert values(call("DELETE", f"{tags}/数据")) == ["build"]
    found = call("GET", tags).json()
    assert [tag["value"] for tag in found["manual"]] == ["build"]
    assert values(call("DELETE", f"{tags}/{found['manual'][0]['id']}")) == []
    assert call("GET", f"{path}/{name}").json()["version"] == "v1", "tags make no version"


def waiting(shelf: Path, *proposed: str) -> str:
    """A skill with tags that a model proposed."""
    folder = add_skill(shelf)
    auto = [
        {
            "id": f"tag-{number}",
            "value": value,
            "status": "pending",
            "generated_at": "2024-01-01T12:00:00Z",
            "approved_at": None,
            "rejected_at": None,
            "log_ref": "auto_tag_log/session_1.json",
        }
        for number, value in enumerate(proposed)
    ]
    write(folder / "tags.json", json.loads(json.dumps({"manual": [], "auto": auto})))
    return identity("Writer")


def test_proposed_tags_are_reviewed_all_or_none(call: Caller, shelf: Path) -> None:
    tags = f"{SKILLS}/{waiting(shelf, 'one', 'two', 'three')}/tags"
    call("POST", "/v1/index")
    wrong = [{"tag": "one", "action": "approve"}, {"tag": "nine", "action": "reject"}]
    answer = call("POST", f"{tags}/review", json={"reviews": wrong})
    assert_problem(answer, 404, "not_found", "no proposed tag 'nine'")
    assert values(call("GET", tags)) == []
    said = [
        {"tag": "one", "action": "approve"},
        {"tag": "tag-1", "action": "reject"},
        {"tag": "three", "action": "modify", "value": "drei"},
    ]
    assert values(call("POST", f"{tags}/review", json={"reviews": said})) == ["one", "drei"]
    late = call("POST", f"{tags}/review", json={"reviews": [{"tag": "two", "action": "approve"}]})
    assert_problem(late, 409, "conflict", "'two'")
    assert (late.json()["expected"], late.json()["actual"]) == ("pending", "rejected")
    changed = [{"tag": "two", "action": "approve", "again": True}]
    after = call("POST", f"{tags}/review", json={"reviews": changed})
    assert values(after) == ["one", "two", "drei"]
    assert values(call("DELETE", f"{tags}/two")) == ["one", "drei"]


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"value": ""}, 400, "empty"),
        ({"value": "a\nb"}, 400, "cannot be printed"),
        ({"value": "x" * 101}, 400, "longer than 100"),
        ({"value": 3}, 422, "value"),
        ({"value": "a", "id": "mine"}, 422, "id: "),
        ({}, 422, "value: Field required"),
    ],
)
def test_a_tag_that_cannot_be(call: Caller, body: object, status: int, says: str) -> None:
    made(call)
    tags = f"{SKILLS}/Writer/tags"
    assert_problem(call("POST", tags, json=body), status, "invalid_request", says)
    assert_problem(call("DELETE", f"{tags}/nothing"), 404, "not_found", "no tag 'nothing'")
    assert values(call("GET", tags)) == []


def test_cases_are_added_changed_and_removed(call: Caller) -> None:
    made(call, BASELINES)
    body = {"cases": [{"input": "2 + 2"}, {"id": "long", "input": "3 + 3"}]}
    added = call("POST", CASES, json={**body, "expected_version": "v1"}).json()
    assert (added["version"], added["case_ids"]) == ("v2", ["case_002", "long"])
    assert added["notes"] == ["nothing is expected of case_002, long"]
    change = {"set": {"expected_output": "4", "weight": 2}, "expected_version": "v2"}
    assert call("PATCH", f"{CASES}/case_002", json=change).json()["version"] == "v3"
    gone = call("DELETE", f"{CASES}/long", params={"expected_version": "v3"}).json()
    assert (gone["version"], gone["case_ids"]) == ("v4", ["long"])
    detail = call("GET", SUMS).json()
    assert [case["id"] for case in detail["cases"]] == ["case_001", "case_002"]
    assert (detail["cases"][1]["expected_output"], detail["cases"][1]["weight"]) == ("4", 2)
    whole = {"cases": detail["cases"][1:], "rubric": "quality", "expected_version": "v4"}
    assert call("PATCH", SUMS, json=whole).json()["version"] == "v5"
    after = call("GET", SUMS).json()
    assert ([case["id"] for case in after["cases"]], after["rubric"]) == (["case_002"], "quality")
    call("PATCH", SUMS, json={"rubric": None, "expected_version": "v5"})
    assert call("GET", SUMS).json()["rubric"] is None


def test_cases_of_any_version_are_listed_and_shown(call: Caller) -> None:
    asset = made(call, BASELINES)
    call("POST", CASES, json={"cases": [{"input": "2 + 2"}], "expected_version": "v1"})
    listed = call("GET", CASES).json()
    assert (listed["id"], listed["version"]) == (asset["id"], "v2")
    assert listed["cases"] == call("GET", SUMS).json()["cases"]
    older = call("GET", CASES, params={"version": "v1"}).json()
    assert [case["id"] for case in older["cases"]] == ["case_001"]
    assert call("GET", f"{CASES}/case_002").json() == listed["cases"][1]
    gone = call("GET", f"{CASES}/case_002", params={"version": "v1"})
    assert_problem(gone, 404, "not_found", "'Sums' has no case 'case_002'")
    assert_problem(call("GET", CASES, params={"version": "v9"}), 404, "not_found", "v9")


def test_all_cases_may_be_sent_as_briefly_as_new_ones(call: Caller) -> None:
    made(call, BASELINES)
    cases = [{"id": "case_001", "input": "1 + 1"}, {"case_id": "b", "input": "2"}, {"input": "3"}]
    body = {"cases": cases, "expected_version": "v1"}
    assert call("PATCH", SUMS, json=body).json()["version"] == "v2"
    after = call("GET", SUMS).json()["cases"]
    assert [(case["id"], case["name"], case["category"]) for case in after] == [
        ("case_001", "case_001", "standard"),
        ("b", "b", "standard"),
        ("case_002", "case_002", "standard"),
    ]
    assert all(case["created_at"] and case["updated_at"] for case in after)
    for case, says in ((5, "object"), ({"input": "x", "weight": -1}, "negative"), ({}, "input")):
        body = {"cases": [case], "expected_version": "v2"}
        assert says in call("PATCH", SUMS, json=body).json()["detail"]


def test_a_baseline_is_made_with_a_rubric(call: Caller) -> None:
    made(call, BASELINES, rubric="quality")
    assert call("GET", SUMS).json()["rubric"] == "quality"


def test_cases_meant_for_another_version_are_a_conflict(call: Caller) -> None:
    made(call, BASELINES)
    call("PATCH", SUMS, json={"expected_version": "v1", "author": "A."})
    for answer in (
        call("POST", CASES, json={"cases": [{"input": "x"}], "expected_version": "v1"}),
        call("PATCH", f"{CASES}/case_001", json={"set": {"name": "x"}, "expected_version": "v1"}),
        call("DELETE", f"{CASES}/case_001", params={"expected_version": "v1"}),
    ):
        assert_problem(answer, 409, "conflict", "'Sums'")
        assert (answer.json()["expected"], answer.json()["actual"]) == ("v1", "v2")
    assert call("GET", SUMS).json()["version"] == "v2"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code", "says"),
    [
        ("PATCH", "/nine", {"set": {"name": "x"}}, 404, "not_found", "no case 'nine'"),
        ("PATCH", "/case_001", {"set": {}}, 422, "invalid_request", "set: "),
        ("PATCH", "/case_001", {"set": {"id": "x"}}, 400, "invalid_request", "'id'"),
        ("PATCH", "/case_001", {"set": {"created_at": "x"}}, 400, "invalid_request", "created_at"),
        ("PATCH", "/case_001", {"set": {"category": "odd"}}, 400, "invalid_import", "category"),
        ("PATCH", "/case_001", {"set": {"input": ""}}, 400, "invalid_import", "input"),
        ("PATCH", "/case_001", {"set": {"weight": -2}}, 400, "invalid_import", "negative"),
        ("POST", "", {"cases": []}, 422, "invalid_request", "cases: "),
        ("POST", "", {"cases": [{"input": ""}]}, 400, "invalid_import", "input"),
        ("POST", "", {"cases": ["x"]}, 400, "invalid_import", "must be an object"),
        ("POST", "", {"cases": [{"id": "case_001", "input": "x"}]}, 400, "invalid_request", "edit"),
        ("POST", "", {"cases": [{"id": "../x", "input": "x"}]}, 400, "invalid_import", "'../x'"),
        ("POST", "", {"cases": [{"id": "a\0", "input": "x"}]}, 400, "invalid_import", "a\\x00"),
        ("POST", "", {"cases": [{"id": "CON", "input": "x"}]}, 400, "invalid_import", "device"),
        ("POST", "", {"cases": [{"id": "x" * 10_000, "input": "x"}]}, 400, "invalid_import", "100"),
    ],
)
def test_cases_that_cannot_be(
    call: Caller, method: str, path: str, body: dict[str, Any], status: int, code: str, says: str
) -> None:
    made(call, BASELINES)
    answer = call(method, CASES + path, json={**body, "expected_version": "v1"})
    assert_problem(answer, status, code, says)
    assert call("GET", SUMS).json()["version"] == "v1"


def test_a_change_says_which_version_it_is_meant_for(call: Caller) -> None:
    made(call, BASELINES)
    for method, path, body in (
        ("PATCH", SUMS, {"author": "A."}),
        ("PATCH", SUMS, {"author": "A.", "expected_version": ""}),
        ("POST", CASES, {"cases": [{"input": "x"}]}),
        ("PATCH", f"{CASES}/case_001", {"set": {"name": "x"}}),
        ("DELETE", f"{CASES}/case_001", None),
        ("POST", f"{SUMS}/rollback", {"version": "v1"}),
    ):
        answer = call(method, path, json=body)
        assert_problem(answer, 422, "invalid_request", "expected_version: ")
