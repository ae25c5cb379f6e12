"""Every error is a problem document that a person can read."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.app.opening import allow, fill
from tests.curate.shelves import add_baseline
from tests.server.calling import SMALL, ask, assert_problem, calling
from whet.core.run import Run

RUNS = "/v1/runs"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("problems") / "workspace"
    fill(folder)
    add_baseline(folder, "Empty", count=0)
    return folder


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"{RUNS}/nope"),
        ("GET", f"{RUNS}/nope/events"),
        ("POST", f"{RUNS}/nope/resume"),
        ("GET", f"{RUNS}/%2e%2e%2f%2e%2e%2fetc"),
        ("GET", "/nowhere"),
        ("GET", "/docs"),
    ],
)
def test_what_is_not_there(workspace: Path, method: str, path: str) -> None:
    assert_problem(ask(workspace, method, path), 404, "not_found")


def test_an_unknown_id_is_named(workspace: Path) -> None:
    answer = ask(workspace, "GET", f"{RUNS}/nope")
    assert_problem(answer, 404, "not_found", "no run 'nope'")


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/v1/health"), ("PUT", RUNS)])
def test_what_cannot_be_done(workspace: Path, method: str, path: str) -> None:
    answer = ask(workspace, method, path)
    assert_problem(answer, 405, "method_not_allowed")
    assert answer.headers["allow"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": ""}, "name: "),
        ({"skills": []}, "skills: "),
        ({"skills": "Writer"}, "skills: "),
        ({"skills": [1]}, "skills.0: "),
        ({"repeats": 0}, "repeats: "),
        ({"repeats": "many"}, "repeats: "),
        ({"timeout_seconds": -1}, "timeout_seconds: "),
        ({"unknown": 1}, "unknown: "),
    ],
)
def test_a_wrong_field_is_named(workspace: Path, change: dict[str, object], says: str) -> None:
    answer = ask(workspace, "POST", RUNS, json={**SMALL, **change})
    assert_problem(answer, 422, "invalid_request", says)


def test_every_missing_field_is_named(workspace: Path) -> None:
    answer = ask(workspace, "POST", RUNS, json={})
    wanted = (f"{name}: Field required" for name in ("name", "skills", "baselines"))
    assert_problem(answer, 422, "invalid_request", *wanted)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "body: broken JSON: "),
        (b"", "body: "),
        (b"[]", "body: "),
        (b'{"timeout_seconds": Infinity}', "timeout_seconds: "),
        (b'{"timeout_seconds": NaN}', "timeout_seconds: "),
    ],
)
def test_a_body_that_is_no_comparison(workspace: Path, body: bytes, says: str) -> None:
    headers = {"content-type": "application/json"}
    answer = ask(workspace, "POST", RUNS, content=body, headers=headers)
    assert_problem(answer, 422, "invalid_request", says)


def test_a_body_that_is_no_text(workspace: Path) -> None:
    headers = {"content-type": "application/json"}
    answer = ask(workspace, "POST", RUNS, content=b"\xff", headers=headers)
    assert_problem(answer, 400, "bad_request")


def _wants(engine: str, **options: object) -> dict[str, object]:
    return {"engine": engine, "options": options}


@pytest.mark.parametrize(
    ("change", "status", "code", "says"),
    [
        ({"skills": ["Nobody"]}, 404, "not_found", "no asset 'Nobody'"),
        ({"skills": ["Writer@v7"]}, 404, "not_found", "'Writer@v7'"),
        ({"skills": ["Writer", "Writer"]}, 400, "invalid_request", "named twice"),
        ({"baselines": ["Empty"]}, 400, "invalid_request", "'Empty' has no cases"),
        ({"engine": "nope"}, 400, "unknown_part", "known: api, claude"),
        # An option that nobody knows might widen anything.
        (_wants("claude", max_turnz=1), 403, "consent_needed", "gives claude max_turnz"),
        (_wants("api", max_turnz=1), 403, "consent_needed", "gives api max_turnz"),
        (_wants("codex", max_turns=0), 400, "invalid_request", "option max_turns of engine codex"),
        (_wants("gemini", output_schema={}), 400, "invalid_request", "gemini cannot do this"),
        (_wants("opencode", allow_hosts=["a.example"]), 400, "invalid_request", "name:443"),
        (_wants("opencode", allow_hosts=["b.example:443"]), 403, "consent_needed", "policy.json"),
        (_wants("claude", pass_environment=["NOWHERE"]), 503, "environment", "NOWHERE is not set"),
    ],
)
def test_what_cannot_be_compared_is_refused_and_leaves_nothing(
    workspace: Path, change: dict[str, object], status: int, code: str, says: str
) -> None:
    allow(workspace, hosts=["a.example"], environment=["NOWHERE"])
    answer = ask(workspace, "POST", RUNS, json={**SMALL, **change})
    assert_problem(answer, status, code, says)
    assert not list(workspace.glob("projects/*"))
    assert ask(workspace, "GET", RUNS).json()["runs"] == []


@pytest.mark.parametrize("last", ["abc", "-1", "1.5", str(2**63), "9" * 40])
def test_a_last_event_id_that_is_none(workspace: Path, last: str) -> None:
    async def asked() -> None:
        async with calling(workspace) as (client, desk):
            desk.app.store.runs.claim(RUN.model_copy(update={"id": f"x{last}"}))
            path = f"{RUNS}/x{last}/events"
            answer = await client.get(path, headers={"last-event-id": last})
            assert_problem(answer, 422, "invalid_request", "last-event-id: ")

    asyncio.run(asked())


RUN = Run(
    id="x",
    kind="project",
    name="X",
    status="completed",
    details={"folder": "project_x"},
    owner="1-x",
    created_at="2024-01-01T12:00:00Z",
    started_at="2024-01-01T12:00:00Z",
    total=1,
)


def test_a_fault_of_the_server_says_so_and_no_more(workspace: Path) -> None:
    """A state that no version of whet has written stands for whatever nobody thought of."""

    async def asked() -> None:
        async with calling(workspace) as (client, desk):
            odd = {"id": "odd", "details": {"secret": "value"}}
            desk.app.store.runs.claim(RUN.model_copy(update=odd))
            answer = await client.get(f"{RUNS}/odd")
            assert_problem(answer, 500, "internal", "fault of the server")
            assert "secret" not in answer.text

    asyncio.run(asked())


@pytest.mark.parametrize("length", [True, False], ids=["announced", "in chunks"])
def test_a_body_beyond_all_measure_is_refused(workspace: Path, *, length: bool) -> None:
    async def stream() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b" " * 1024 * 1024

    content = b" " * 20 * 1024 * 1024 if length else stream()
    answer = ask(workspace, "POST", RUNS, content=content)
    assert_problem(answer, 413, "request_entity_too_large", "16 MiB")
