"""Bodies that are something else than they should be, and JSON that goes too deep, wherever a job
takes some."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.curate.intake.zips import zipped
from tests.server.calling import Caller, assert_problem
from tests.server.job_packages import INPUT, JOBS, OUTPUT, TEXT, created, done, package, send

DEPTH = 10_000
DEEP = '{"a":' * DEPTH + "1" + "}" * DEPTH
LIST = "[" * DEPTH + "]" * DEPTH


@pytest.mark.parametrize("deep", [DEEP, LIST, f'{{"id": "report", "runtime": {DEEP}}}'])
@pytest.mark.parametrize(
    "place",
    ["assets/runner.json", "assets/input.schema.json", "assets/output.schema.json"],
)
def test_a_package_that_goes_too_deep_is_refused(call: Caller, place: str, deep: str) -> None:
    runner = {"id": "report", "execution_modes": ["auto"]}
    files = {
        "SKILL.md": TEXT.format(name="report"),
        "assets/runner.json": json.dumps(runner),
        "assets/input.schema.json": json.dumps(INPUT),
        "assets/output.schema.json": json.dumps(OUTPUT),
        place: deep,
    }
    skill = zipped(*((f"report/{path}", text.encode()) for path, text in files.items()))
    answer = send(call, created(call), skill_package=skill)
    assert_problem(answer, 400, "invalid_skill", place)
    assert len(answer.text) < 4_000


def test_schemas_that_lead_to_themselves_are_refused_or_have_an_end(call: Caller) -> None:
    loop: dict[str, Any] = {
        "type": "object",
        "properties": {"report": {"$ref": "#"}, "words": {"$ref": "#/properties/words"}},
    }
    skill = package(output=loop)
    answer = send(call, created(call), skill_package=skill)
    assert answer.status_code in (200, 400), answer.text


BODIES: list[tuple[str, Callable[[str], str]]] = [
    ("POST", lambda job: f"{JOBS}/{job}/interaction/reply"),
    ("POST", lambda job: f"{JOBS}/{job}/case"),
    ("POST", lambda _: "/v1/job-batches"),
    ("POST", lambda _: JOBS),
]


@pytest.mark.parametrize(("method", "path"), BODIES)
def test_a_body_is_json_and_says_so(call: Caller, method: str, path: Callable[[str], str]) -> None:
    job = created(call)
    where = path(job)
    for kind in (
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/zip",
        "application/json2",
        "é",
        "",
    ):
        headers = {"content-type": kind.encode(), "x-whet": b"1"}
        answer = call(method, where, content=b'{"a": 1}', headers=headers)
        assert answer.status_code in (400, 415), (kind, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
    for body in (DEEP, LIST, b"\xff\xfe{}", b"\x00", b"{} {}", b"null", b'"x"', b"{" * 9):
        kind_only = {"content-type": "application/json"}
        answer = call(method, where, content=body, headers=kind_only)
        assert answer.status_code == 400, answer.text
        assert len(answer.text) < 4_000


@pytest.mark.parametrize("about", [DEEP, LIST, "null", "", "\0", '{"interaction_id": "x"}'])
def test_what_a_reply_says_of_its_files_is_read_as_strictly(call: Caller, about: str) -> None:
    job = created(call)
    parts = {"metadata": (None, about), "files": ("a", b"x")}
    answer = call("POST", f"{JOBS}/{job}/interaction/reply/files", files=parts)
    assert answer.status_code in (400, 409), answer.text


def test_a_value_just_below_the_limit_comes_back_whole(call: Caller) -> None:
    value: Any = "磨"
    for _ in range(150):
        value = {"a": [value]} if isinstance(value, str) else {"a": value}
    plain = zipped(("deep/SKILL.md", TEXT.format(name="deep").encode()))
    job = done(call, plain, input={"value": value})
    assert job["state"] == "succeeded", job
    for path in ("", "/result", "/bundle", "/bundle/debug", "/events/history", "/logs"):
        assert call("GET", f"{JOBS}/{job['request_id']}{path}").status_code == 200
