"""What the library refuses, with the status and the code that programs go by."""

from pathlib import Path
from typing import Any

import pytest

from tests.curate.shelves import add_baseline
from tests.server.calling import Caller, ask, assert_problem
from tests.server.library import BASELINES, SKILLS, made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "path", "request_", "status", "code", "says"),
    [
        ("GET", f"{SKILLS}/nope", {}, 404, "not_found", "no skill 'nope'"),
        ("GET", f"{BASELINES}/Writer", {}, 404, "not_found", "no baseline 'Writer'"),
        ("GET", f"{SKILLS}/Writer?version=v9", {}, 404, "not_found", "no version 'v9'"),
        ("DELETE", f"{SKILLS}/Writer/tags/x", {}, 404, "not_found", "no tag 'x'"),
        ("DELETE", f"{SKILLS}/Writer", {}, 405, "method_not_allowed", ""),
        ("GET", f"{SKILLS}?page=0", {}, 422, "invalid_request", "page: "),
        ("GET", f"{SKILLS}?page_size=201", {}, 422, "invalid_request", "page_size: "),
        ("GET", f"{SKILLS}?sort=size", {}, 422, "invalid_request", "sort: "),
        ("GET", f"{SKILLS}?colour=red", {}, 422, "invalid_request", "colour: "),
        ("GET", f"{SKILLS}?page=10000000", {}, 422, "invalid_request", "page"),
        ("GET", f"{SKILLS}/search?q={'x' * 1_001}", {}, 400, "invalid_request", "1000"),
        ("GET", f"{SKILLS}/Writer/diff?left=v1", {}, 422, "invalid_request", "right: "),
        ("GET", f"{SKILLS}/Writer/export?format=pdf", {}, 422, "invalid_request", "format: "),
        ("GET", f"{BASELINES}/Sums/export?format=zip", {}, 422, "invalid_request", "format: "),
        ("POST", SKILLS, {"json": {"name": "x"}}, 422, "invalid_request", "content: "),
        ("POST", SKILLS, {"json": {"content": "x"}}, 400, "invalid_import", "no name"),
        ("POST", SKILLS, {"json": []}, 422, "invalid_request", "body: "),
        ("POST", f"{SKILLS}/import", {"content": b"x"}, 422, "invalid_request", "filename: "),
        (
            "POST",
            f"{SKILLS}/import?filename=x.json",
            {"content": b"{"},
            400,
            "invalid_document",
            "x.json: ",
        ),
        (
            "POST",
            f"{BASELINES}/import?filename=x.csv",
            {"content": b"a,b\n1,2\n"},
            400,
            "invalid_import",
            "no column input",
        ),
        (
            "POST",
            BASELINES,
            {"json": {"name": "x", "rubric": 3}},
            400,
            "invalid_document",
            "rubric",
        ),
        (
            "PATCH",
            f"{SKILLS}/Writer",
            {"json": {"expected_version": "v1", "content": None}},
            400,
            "invalid_request",
            "content: must be a text",
        ),
        (
            "PATCH",
            f"{BASELINES}/Sums",
            {"json": {"expected_version": "v1", "content": "x"}},
            422,
            "invalid_request",
            "content: ",
        ),
        (
            "PATCH",
            f"{BASELINES}/Sums",
            {"json": {"expected_version": "v1", "cases": [{"id": "x"}]}},
            400,
            "invalid_import",
            "case 1 ('x'): input: must not be empty",
        ),
        (
            "PATCH",
            f"{SKILLS}/Writer",
            {"json": {"expected_version": "v2", "author": "A."}},
            409,
            "conflict",
            "expected v2, found v1",
        ),
        ("POST", f"{SKILLS}/Writer/adopt", {}, 400, "invalid_request", "nothing to adopt"),
    ],
)
def test_a_request_that_cannot_be(
    call: Caller,
    method: str,
    path: str,
    request_: dict[str, Any],
    status: int,
    code: str,
    says: str,
) -> None:
    made(call)
    made(call, BASELINES)
    assert_problem(call(method, path, **request_), status, code, says)
    for kind, name in ((SKILLS, "Writer"), (BASELINES, "Sums")):
        page = call("GET", kind).json()
        assert [(item["name"], item["version"]) for item in page["items"]] == [(name, "v1")]


def test_a_document_that_somebody_broke_is_named(call: Caller, shelf: Path) -> None:
    folder = add_baseline(shelf, "Tests")
    call("POST", "/v1/index")
    (folder / "cases.json").write_text('{"cases": 3}')
    for path in ("", "/export", "/diff?left=v1&right=v1"):
        answer = call("GET", f"{BASELINES}/Tests{path}")
        assert_problem(answer, 400, "invalid_document", str(folder / "cases.json"))
    listed = call("GET", f"{BASELINES}/Tests/versions").json()
    assert [one["version"] for one in listed["versions"]] == ["v1"]


def test_a_machine_that_cannot(shelf: Path) -> None:
    """Whatever keeps the index from being used: here, something in its place."""
    (shelf / "index.db").mkdir(parents=True)
    for path in (SKILLS, f"{BASELINES}/x", f"{SKILLS}/facets", "/v1/index"):
        answer = ask(shelf, "GET", path)
        assert_problem(answer, 503, "environment", str(shelf / "index.db"))


def test_with_a_token_the_library_is_shut(shelf: Path) -> None:
    for method, path in (("GET", SKILLS), ("POST", f"{SKILLS}/import"), ("POST", "/v1/index")):
        assert_problem(
            ask(shelf, method, path, token="a-long-secret-of-tests"), 401, "unauthorized"
        )
