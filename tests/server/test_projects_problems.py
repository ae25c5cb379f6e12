"""What projects over HTTP answer to requests that make no sense."""

from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import fill
from tests.server.calling import SMALL, Caller, ask, assert_problem, caller
from tests.server.projects import PROJECTS

# No "..": the client takes that away itself, and what it then asks for is another resource.
REFERENCES = ["nope", "%2e%2e", "%00", "%ff", "x" * 10_000, "%27%20OR%201=1", "*", "abcd"]
GETS = ("", "/status", "/results", "/summary", "/environment", "/export", "/report", "/events")
POSTS = ("run", "resume", "pause", "stop", "clone", "archive", "restore")


def short(text: str) -> str:
    return text[:12]


@pytest.mark.parametrize("reference", REFERENCES, ids=short)
def test_a_reference_to_nothing(call: Caller, reference: str) -> None:
    at = f"{PROJECTS}/{reference}"
    for answer in (
        *(call("GET", f"{at}{part}") for part in GETS),
        *(call("POST", f"{at}/{part}") for part in POSTS),
        call("PATCH", at, json={"name": "x"}),
        call("POST", f"{at}/retry", json={"failed": True}),
        call("GET", f"{at}/results/x/y"),
    ):
        assert answer.status_code in (404, 405), answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert len(answer.json()["detail"]) < 400


WRONG: dict[str, tuple[dict[str, Any], int, str]] = {
    "no name": ({"name": ""}, 422, "invalid_request"),
    "no skills": ({"skills": []}, 422, "invalid_request"),
    "many skills": ({"skills": ["x"] * 51}, 422, "invalid_request"),
    "repeats": ({"repeats": 101}, 422, "invalid_request"),
    "unknown key": ({"confirmed": True}, 422, "invalid_request"),
    "a text": ({"repeats": "twice"}, 422, "invalid_request"),
    "iteration": ({"iteration": {"mode": "magic"}}, 422, "invalid_request"),
    "unknown skill": ({"skills": ["Nobody"]}, 404, "not_found"),
    "unknown baseline": ({"baselines": ["None"]}, 404, "not_found"),
    "unknown engine": ({"engine": "nope"}, 400, "unknown_part"),
    "twice": ({"skills": ["Writer", "Writer"]}, 400, "invalid_request"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_project_that_cannot_be_leaves_nothing(tmp_path: Path, name: str) -> None:
    change, status, code = WRONG[name]
    fill(tmp_path / "workspace")
    answer = ask(tmp_path / "workspace", "POST", PROJECTS, json={**SMALL, **change})
    assert_problem(answer, status, code)
    assert not [*(tmp_path / "workspace").glob("projects/*")]


@pytest.mark.parametrize(
    "query",
    [{"page": 0}, {"page_size": 0}, {"page_size": 201}, {"status": "x"}, {"archived": "x"}],
    ids=str,
)
def test_a_list_that_cannot_be(call: Caller, query: dict[str, Any]) -> None:
    assert_problem(call("GET", PROJECTS, params=query), 422, "invalid_request")


def test_what_is_no_json(call: Caller) -> None:
    headers = {"content-type": "application/json"}
    for body in (b"{", b"\xff", b"[" * 100_000):
        answer = call("POST", PROJECTS, content=body, headers=headers)
        assert answer.status_code in (400, 422), answer.text
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_beginning_that_fits_several(tmp_path: Path) -> None:
    fill(tmp_path / "workspace")
    with caller(tmp_path / "workspace") as call:
        for _ in range(2):
            assert call("POST", PROJECTS, json=SMALL).status_code == 201
        folders = sorted((tmp_path / "workspace/projects").iterdir())
        for number, folder in enumerate(folders):
            config = folder / "config.json"
            text = config.read_text()
            identity = text.partition('"id": "')[2].partition('"')[0]
            config.write_text(text.replace(identity, f"abcdef-{number}"))
        answer = call("GET", f"{PROJECTS}/abcdef")
        assert_problem(answer, 400, "invalid_request", "several projects fit", "abcdef-1")
        assert call("GET", f"{PROJECTS}/abcdef-1").status_code == 200


def test_access_is_needed_for_all_of_it(tmp_path: Path) -> None:
    with caller(tmp_path / "workspace", WHET_TOKEN="secret-token-of-the-test") as call:
        for method, path in (("GET", ""), ("POST", ""), ("POST", "/import"), ("GET", "/compare")):
            assert_problem(call(method, f"{PROJECTS}{path}"), 401, "unauthorized")


def test_a_workspace_that_is_gone(tmp_path: Path) -> None:
    fill(tmp_path / "workspace")
    with caller(tmp_path / "workspace") as call:
        (tmp_path / "workspace/projects").write_text("a file in its place")
        answer = call("POST", PROJECTS, json=SMALL)
        assert_problem(answer, 503, "environment", "projects")
        answer = call("POST", f"{PROJECTS}/import", content=b"x")
        assert_problem(answer, 503, "environment", "projects")
