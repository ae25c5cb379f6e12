"""Sessions over HTTP: looked at, annotated, taken in and taken away."""

import asyncio
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.app.opening import fill
from tests.server.calling import SMALL, Caller, assert_problem, calling, settled
from tests.server.recorded_sessions import EVIL, session, shelve
from whet.app.app import UPLOADS
from whet.server import sessions_files

NAME = "2026-01-25-001-markers"
PHASE = {
    "phase_type": "explore",
    "tool_call_range": {"start_call_id": "tool-000", "end_call_id": "tool-002"},
}


@pytest.fixture
def name(shelf: Path) -> str:
    return shelve(shelf, NAME)


def got(call: Caller, path: str, **query: Any) -> Any:
    answer = call("GET", f"/v1/sessions{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_sessions_are_listed_found_and_shown_without_their_calls(call: Caller, name: str) -> None:
    head = got(call, f"/{name}")
    assert (head["name"], head["calls"], head["messages"]) == (name, 12, 3)
    assert "tool_calls" not in head
    listed = got(call, "")
    assert [one["name"] for one in listed["sessions"]] == [name]
    assert (listed["total"], listed["page"]) == (1, 1)
    assert got(call, "", status="failed")["sessions"] == []
    found = got(call, "/search", q="markers status:failed")
    assert [hit["entry"]["name"] for hit in found["hits"]] == [name]
    assert got(call, "/latest")["name"] == name
    assert_problem(call("GET", "/v1/sessions/nobody"), 404, "not_found")
    assert_problem(call("GET", "/v1/sessions?since=tomorrow"), 400, "invalid_request")
    assert_problem(call("GET", "/v1/sessions/search"), 422, "invalid_request")
    assert_problem(call("GET", "/v1/sessions/..%2F..%2Fetc%2Fpasswd"), 404, "not_found")


def test_calls_come_in_pages_and_one_by_one(call: Caller, name: str) -> None:
    seen: list[str] = []
    after = -1
    while page := got(call, f"/{name}/calls", after=after, limit=5)["calls"]:
        seen += [row["call_id"] for row in page]
        after = page[-1]["index"]
    assert seen == [f"tool-{n:03}" for n in range(12)]
    third = got(call, f"/{name}/calls/3")
    assert third == got(call, f"/{name}/calls/tool-003")
    assert third["call"]["output"]["error"] == f"exit 2 {EVIL}"
    assert_problem(call("GET", f"/v1/sessions/{name}/calls/99"), 404, "not_found")
    assert_problem(call("GET", f"/v1/sessions/{name}/calls/nope"), 404, "not_found")
    too_many = call("GET", f"/v1/sessions/{name}/calls?limit=501")
    assert_problem(too_many, 422, "invalid_request")
    said = got(call, f"/{name}/messages")
    assert [(one["who"], one["text"]) for one in said["messages"]][1:] == [
        ("agent", "I look."),
        ("agent", "Done."),
    ]
    assert got(call, f"/{name}/messages", after=1)["offset"] == 2


def test_a_page_of_long_messages_ends_before_and_none_is_lost(call: Caller) -> None:
    texts = ["a" * 400_000, "b" * 400_000, "c" * 400_000, "d" * 1_000_000, "e"]
    log = json.dumps({**session("long"), "messages": texts, "messages_at": None}).encode()
    name = call("POST", "/v1/sessions/import", content=log).json()["sessions"][0]["name"]
    pages: list[str] = []
    after = -1
    while page := got(call, f"/{name}/messages", after=after)["messages"]:
        pages.append("".join(one["text"][0] for one in page if one["who"] == "agent"))
        after = page[-1]["index"]
    assert pages == ["ab", "c", "d", "e"]


def test_timeline_figures_verdicts_and_comparison(call: Caller, name: str, shelf: Path) -> None:
    other = shelve(shelf, "2026-01-25-002-others", calls=9)
    timeline = got(call, f"/{name}/timeline")
    assert (timeline["calls"], timeline["failed"]) == (12, 2)
    assert got(call, f"/{name}/figures")["session_id"] == name
    assert got(call, f"/{name}/verdicts") == {"name": name, "verdicts": [], "links": []}
    compared = got(call, "/compare", left=name, right=other)
    assert compared["divergence"]["kind"] == "ended"
    assert_problem(
        call("GET", "/v1/sessions/compare", params={"left": name, "right": "nobody"}),
        404,
        "not_found",
    )


def test_phases_are_added_changed_and_taken_away(call: Caller, name: str) -> None:
    path = f"/v1/sessions/{name}/annotations"
    made = call("POST", path, json={"phase_annotations": [PHASE], "name": "anna"})
    assert made.status_code == 201, made.text
    [phase] = made.json()["phase_annotations"]
    assert (phase["annotated_by"], phase["annotator"], phase["confidence"]) == (
        "human",
        "anna",
        "high",
    )
    auto = call("POST", f"{path}/auto").json()
    assert set(auto["annotators"]) == {"auto:signals", "human:anna"}
    changed = {**phase, "phase_type": "plan"}
    edited = call("PUT", f"{path}/{phase['annotation_id']}", json=changed)
    assert edited.json()["phase_annotations"][0]["phase_type"] == "plan"
    engine = call("POST", f"{path}/engine", json={"engine": "simulated"})
    assert engine.status_code == 200, engine.text
    assert "agent:simulated" in engine.json()["annotators"]
    gone = call("DELETE", f"{path}/human:anna").json()
    assert "human:anna" not in gone["annotators"]
    kept = got(call, f"/{name}/annotations")
    assert set(kept["annotators"]) == {"auto:signals", "agent:simulated"}
    bands = {band["annotator"] for band in got(call, f"/{name}/timeline")["bands"]}
    assert bands == set(kept["annotators"])


def test_phases_that_cannot_be_are_problems(call: Caller, name: str) -> None:
    path = f"/v1/sessions/{name}/annotations"
    strange = {**PHASE, "phase_type": "dance"}
    bodies: list[Any] = [{"phase_annotations": [strange]}, {"phase_annotations": "x"}, {}, []]
    for body in bodies:
        answer = call("POST", path, json=body)
        assert answer.status_code == 400, answer.text
    nowhere = {**PHASE, "tool_call_range": {"start_call_id": "x", "end_call_id": "y"}}
    assert call("POST", path, json={"phase_annotations": [nowhere]}).status_code == 400
    assert_problem(call("DELETE", f"{path}/nobody"), 404, "not_found")
    assert got(call, f"/{name}/annotations")["phase_annotations"] == []


def test_who_costs_money_has_to_be_agreed_to(call: Caller, name: str) -> None:
    answer = call("POST", f"/v1/sessions/{name}/annotations/engine", json={"engine": "claude"})
    assert answer.status_code in (409, 503), answer.text


@pytest.mark.parametrize("form", ["html", "md", "json", "otlp"])
def test_an_export_has_no_secrets_and_runs_nothing(call: Caller, name: str, form: str) -> None:
    answer = call("GET", f"/v1/sessions/{name}/export", params={"format": form})
    assert answer.status_code == 200, answer.text
    assert "A1b2C3d4" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("sandbox")
    if form == "html":
        assert "<script>alert(1)" not in answer.text
    raw = call("GET", f"/v1/sessions/{name}/export", params={"format": form, "redact": "false"})
    assert form not in ("json", "otlp") or "A1b2C3d4" in raw.text


def test_a_log_is_sent_mended_taken_away_and_removed(call: Caller, shelf: Path) -> None:
    log = json.dumps({**session("other-name"), "status": "fine"}).encode()
    place = "/v1/sessions/import?keep_secrets=true&filename=log.json"
    sent = call("POST", place, content=log)
    assert sent.status_code == 201, sent.text
    done = sent.json()
    assert (done["status"], done["calls"], done["source"]) == ("imported", 12, "log.json")
    assert done["repairs"] > 0
    name = done["sessions"][0]["name"]
    assert call("GET", f"/v1/sessions/{name}/original").content == log
    form = call("POST", place, files={"file": ("../../again.json", log)})
    assert form.json()["status"] == "unchanged"
    clean = call("POST", "/v1/sessions/import", files={"file": ("again.json", log)}).json()
    assert (clean["status"], clean["redactions"]) == ("updated", {"key": 1})
    kept = call("GET", f"/v1/sessions/{name}/original").content
    assert (b"sk-ant-" in log, b"sk-ant-" in kept) == (True, False)
    assert "sk-ant-" not in call("GET", f"/v1/sessions/{name}").text
    gone = call("DELETE", f"/v1/sessions/{name}")
    assert gone.json() == {"name": name, "original": True}
    assert_problem(call("GET", f"/v1/sessions/{name}"), 404, "not_found")
    assert list((shelf / "sessions/originals").iterdir()) == []
    assert left(shelf) == []


@pytest.mark.parametrize("log", [b"", b"nothing", b'{"session_id": ', b"\0" * 100, b"[" * 10_000])
def test_what_is_no_log_is_a_problem_and_leaves_nothing(
    call: Caller, shelf: Path, log: bytes
) -> None:
    answer = call("POST", "/v1/sessions/import?filename=x.json", content=log)
    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert str(shelf) not in answer.text
    assert left(shelf) == []


def left(shelf: Path) -> list[Path]:
    """What lies where uploads were received."""
    return [*shelf.glob(f"{UPLOADS}/*/*"), *shelf.glob("requests/*")]


@pytest.mark.parametrize(
    "filename", ["\u8bcd" * 160 + ".json", "x" * 499, "..", "a/../..", "\0\x1b"]
)
def test_a_log_may_be_called_anything(call: Caller, shelf: Path, filename: str) -> None:
    log = json.dumps({**session("other-name"), "user_prompt": "Add markers."}).encode()
    sent = call("POST", "/v1/sessions/import", params={"filename": filename}, content=log)
    assert sent.status_code == 201, sent.text
    kept = (shelf / sent.json()["original"]).resolve()
    assert kept.read_bytes() == log
    assert kept.is_relative_to((shelf / "sessions/originals").resolve())


def test_a_session_that_was_not_imported_has_no_log(call: Caller, name: str) -> None:
    assert_problem(call("GET", f"/v1/sessions/{name}/original"), 404, "not_found")


class _Collector(BaseHTTPRequestHandler):
    got: list[tuple[str, str | None, bytes]]

    def do_POST(self) -> None:
        size = int(self.headers["content-length"])
        self.got.append((self.path, self.headers["authorization"], self.rfile.read(size)))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


def test_spans_go_to_where_the_caller_says_and_nowhere_else(
    call: Caller, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_files, "SEND_SECONDS", 3.0)
    _Collector.got = []
    server = HTTPServer(("127.0.0.1", 0), _Collector)
    Thread(target=server.serve_forever, daemon=True).start()
    path = f"/v1/sessions/{name}/export/otlp"
    try:
        where = f"http://127.0.0.1:{server.server_port}"
        wanted = {"endpoint": where, "headers": {"Authorization": "Bearer x"}}
        sent = call("POST", path, json=wanted)
        assert sent.status_code == 200, sent.text
        assert sent.json()["spans"] == 13
        [(asked, key, body)] = _Collector.got
        assert (asked, key) == ("/v1/traces", "Bearer x")
        assert b"A1b2C3d4" not in body
    finally:
        server.shutdown()
        server.server_close()
    for strange in ("file:///etc/passwd", "http://u:p@localhost", "ftp://x", "x"):
        assert_problem(call("POST", path, json={"endpoint": strange}), 400, "invalid_request")
    nobody = call("POST", path, json={"endpoint": "http://127.0.0.1:9"})
    assert nobody.status_code == 503


@pytest.mark.slow
def test_sessions_of_trials_have_the_verdicts_on_them(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    fill(workspace)

    async def scenario() -> None:
        async with calling(workspace) as (client, _):
            started = (await client.post("/v1/runs", json=SMALL)).json()
            await settled(client, started["id"])
            # The index follows a moment later, but one that is named is found at once.
            record = (await client.get("/v1/sessions/latest")).json()
            listed = (await client.get("/v1/sessions", params={"kind": "trial"})).json()
            assert listed["total"] == 8
            name = listed["sessions"][0]["name"]
            assert record["name"] == name
            verdicts = (await client.get(f"/v1/sessions/{name}/verdicts")).json()
            assert {one["verdict"].split(":")[0] for one in verdicts["verdicts"]} == {"dimension"}
            path = f"/v1/sessions/{name}/annotations"
            refused = await client.delete(f"/v1/sessions/{name}")
            assert_problem(refused, 400, "invalid_request")
            calls = (await client.get(f"/v1/sessions/{name}/calls")).json()["calls"]
            ids = {"start_call_id": calls[0]["call_id"], "end_call_id": calls[-1]["call_id"]}
            phase = {"phase_type": "execute", "tool_call_range": ids}
            said = await client.post(path, json={"phase_annotations": [phase]})
            assert said.status_code == 201, said.text
            bands = (await client.get(f"/v1/sessions/{name}/timeline")).json()["bands"]
            assert [band["phase"] for band in bands] == ["execute"]

    asyncio.run(scenario())
