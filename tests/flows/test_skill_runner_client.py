"""Skill-Runner's own example client, all thirteen methods of it, works with the real server."""

import io
import json
import zipfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.flows.serving import Serving
from tests.flows.skill_runner_client import Frame, Refused, SkillRunnerClient
from tests.flows.test_jobs import EXAMPLE, TEXT, install

ASKS = "---\nname: asks\ndescription: Asks first.\n---\n\nAsk the user which colour it is to be.\n"
OUTPUT = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
SCHEMAS = {key: f"assets/{key}.schema.json" for key in ("input", "parameter", "output")}


def asks(folder: Path) -> Path:
    """A package as small as the format allows."""
    (folder / "assets").mkdir(parents=True)
    (folder / "SKILL.md").write_text(ASKS)
    runner = {"id": "asks", "execution_modes": ["auto", "interactive"], "schemas": SCHEMAS}
    (folder / "assets/runner.json").write_text(json.dumps(runner))
    for key, path in SCHEMAS.items():
        schema: object = OUTPUT if key == "output" else {"type": "object", "properties": {}}
        (folder / path).write_text(json.dumps(schema))
    return folder


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Generator[SkillRunnerClient]:
    folder = tmp_path_factory.mktemp("runner")
    install(folder / "workspace")
    install(folder / "workspace", asks(folder / "asks"))
    with Serving.on(folder / "workspace") as server:
        yield SkillRunnerClient(server.client)


def made(client: SkillRunnerClient, title: str, **options: Any) -> str:
    """A job of the example that was given its file, as the client's form sends it."""
    created = client.create_run(
        {
            "skill_id": "text-report",
            "engine": "simulated",
            "input": {"title": title},
            "parameter": {},
            "runtime_options": {"execution_mode": "auto", **options},
        }
    )
    assert created["status"] is None
    uploaded = client.upload_run_file(created["request_id"], {"document": TEXT})
    assert uploaded["extracted_files"] == ["document"]
    return created["request_id"]


def text_of(frames: list[Frame]) -> str:
    return "".join(frame.data["chunk"] for frame in frames if frame.event == "stdout")


def test_the_form_of_a_skill_can_be_drawn(client: SkillRunnerClient) -> None:
    skills = {one["id"]: one for one in client.list_skills()["skills"]}
    assert skills.keys() == {"asks", "text-report"}
    listed = skills["text-report"]
    assert (listed["version"], listed["health"], listed["health_error"]) == (
        "1.0.0",
        "healthy",
        None,
    )
    assert skills["asks"]["version"].startswith("0.0.0+sha256.")
    detail = client.get_skill_detail("text-report")
    assert {name: detail[name] for name in listed} == listed
    assert detail["execution_modes"] == ["auto", "interactive"]
    assert {"claude", "codex", "simulated"} <= {*detail["effective_engines"]}
    assert "SKILL.md" in [one["path"] for one in detail["files"]]
    schemas = client.get_skill_schemas("text-report")
    for key, path in detail["schemas"].items():
        assert schemas[key] == json.loads((EXAMPLE / path).read_text())
    for engine in detail["effective_engines"]:
        found = client.get_engine_detail(engine)
        assert (found["engine"], found["models_count"]) == (engine, len(found["models"]))
    assert client.get_engine_detail("simulated")["auth_ready"] is True


def test_a_run_is_watched_to_its_end(client: SkillRunnerClient) -> None:
    job = made(client, "Watched")
    frames = list(client.stream_run_events(job))
    assert frames[0].event == "snapshot"
    assert frames[-1] == Frame("end", {"reason": "terminal"})
    state = client.get_run_state(job)
    assert (state["request_id"], state["status"], state["poll_logs"]) == (job, "succeeded", False)
    assert (state["engine"], state["skill_id"]) == ("simulated", "text-report")
    assert client.get_run_pending(job) == {
        "request_id": job,
        "status": "succeeded",
        "pending": None,
    }
    result = client.get_run_result(job)["result"]
    assert (result["status"], result["error"]) == ("success", None)
    artifacts = client.get_run_artifacts(job)["artifacts"]
    assert artifacts == ["artifacts/report.md"]
    with zipfile.ZipFile(io.BytesIO(client.get_run_bundle(job))) as bundle:
        assert {"result.json", "manifest.json", *artifacts} <= {*bundle.namelist()}
    again = list(client.stream_run_events(job))
    assert [frame.event for frame in again if frame.event != "stdout"] == ["snapshot", "end"]
    assert again[0].data["status"] == "succeeded"
    whole = text_of(again)
    assert whole
    assert whole.startswith(text_of(frames))
    for seen in (1, len(whole.encode()) // 2, len(whole.encode())):
        rest = list(client.stream_run_events(job, stdout_from=seen))
        assert text_of(rest).encode() == whole.encode()[seen:]
        assert all(frame.data["from"] >= seen for frame in rest if frame.event == "stdout")


def test_a_run_that_asks_is_answered(client: SkillRunnerClient) -> None:
    options = {"execution_mode": "interactive", "interactive_require_user_reply": True}
    created = client.create_run(
        {"skill_id": "asks", "engine": "simulated", "input": {}, "runtime_options": options}
    )
    job = created["request_id"]
    frames = list(client.stream_run_events(job))
    assert frames[-1] == Frame("end", {"reason": "waiting_user"})
    state = client.get_run_state(job)
    assert (state["status"], state["interaction_count"]) == ("waiting_user", 0)
    pending = client.get_run_pending(job)["pending"]
    assert pending["interaction_id"] == state["pending_interaction_id"] == 1
    assert pending["prompt"]
    with pytest.raises(Refused) as caught:
        client.post_run_reply(job, {"interaction_id": 9, "response": {"text": "red"}})
    assert caught.value.status == 409
    reply = client.post_run_reply(
        job, {"interaction_id": pending["interaction_id"], "response": {"text": "a deep red"}}
    )
    assert (reply["request_id"], reply["accepted"]) == (job, True)
    assert list(client.stream_run_events(job))[-1] == Frame("end", {"reason": "terminal"})
    assert client.get_run_state(job)["interaction_count"] == 1
    assert "a deep red" in json.dumps(client.get_run_result(job)["result"]["data"])


def test_what_has_no_effect_is_accepted_and_said(client: SkillRunnerClient) -> None:
    options = {"verbose": True, "debug_keep_temp": True, "session_timeout_sec": 30}
    options["interactive_require_user_reply"] = False
    job = made(client, "Options", **options)
    assert list(client.stream_run_events(job))[-1].data == {"reason": "terminal"}
    found = client.http.get(f"/v1/jobs/{job}").json()["warnings"]
    said = [one["message"] for one in found if one["code"] == "option_without_effect"]
    assert sorted(one.partition(":")[0].partition(".")[2] for one in said) == sorted(options)


def test_what_is_unknown_is_refused_with_a_reason(client: SkillRunnerClient) -> None:
    for ask, status in (
        (lambda: client.get_skill_detail("nobody"), 404),
        (lambda: client.get_skill_schemas("nobody"), 404),
        (lambda: client.get_engine_detail("nobody"), 404),
        (lambda: client.get_run_state("nobody"), 404),
        (lambda: client.get_run_pending("nobody"), 404),
        (lambda: list(client.stream_run_events("nobody")), 404),
        (lambda: client.create_run({"skill_id": "text-report", "runtime_options": {"x": 1}}), 400),
        (lambda: client.create_run({"skill_id": "nobody"}), 404),
    ):
        with pytest.raises(Refused) as caught:
            ask()
        assert caught.value.status == status
        assert isinstance(caught.value.detail, str)


def test_what_its_administrators_look_at(client: SkillRunnerClient) -> None:
    job = made(client, "Looked at")
    list(client.stream_run_events(job))
    runs = client.http.get("/v1/management/runs", params={"limit": 1000}).json()["runs"]
    assert job in [one["request_id"] for one in runs]
    page = client.http.get("/v1/management/runs", params={"page": 2, "page_size": 1}).json()
    assert (len(page["runs"]), page["total"]) == (1, len(runs))
    entries = client.http.get(f"/v1/management/runs/{job}/files").json()["entries"]
    assert [one["path"] for one in entries] == [
        "artifacts",
        "artifacts/report.md",
        "uploads",
        "uploads/document",
    ]
    path = f"/v1/management/runs/{job}/file"
    shown = client.http.get(path, params={"path": "uploads/document"}).json()["preview"]
    assert (shown["mode"], shown["content"]) == ("text", TEXT.decode())
    for odd, status in (("../x", 400), ("/etc/passwd", 400), ("result.json", 404)):
        assert client.http.get(path, params={"path": odd}).status_code == status
    engines = client.http.get("/v1/management/engines").json()["engines"]
    assert {"claude", "simulated"} <= {one["engine"] for one in engines}
    models = client.http.get("/v1/engines/simulated/models").json()
    assert models["engine"] == "simulated"
    for model in models["models"]:
        body = {"skill_id": "asks", "engine": "simulated", "model": model["id"]}
        assert client.create_run(body)["request_id"]
    assert client.http.get("/v1/engines/nobody/models").status_code == 404
    assert "did you mean codex?" in client.http.get("/v1/engines/codx/models").json()["detail"]


def test_a_clean_up_takes_what_is_over_and_nothing_else(client: SkillRunnerClient) -> None:
    over = made(client, "Over")
    list(client.stream_run_events(over))
    twin = made(client, "Over")
    options = {"execution_mode": "interactive"}
    asking = client.create_run(
        {"skill_id": "asks", "engine": "simulated", "input": {}, "runtime_options": options}
    )["request_id"]
    list(client.stream_run_events(asking))
    waiting = client.create_run({"skill_id": "text-report", "input": {"title": "W"}})["request_id"]
    before = client.http.get("/v1/jobs", params={"limit": 200}).json()["jobs"]
    ended = [one for one in before if one["status"] in ("succeeded", "failed", "cancelled")]
    assert {over, twin} <= {one["request_id"] for one in ended}
    done = client.http.post("/v1/jobs/cleanup").json()
    assert done["requests_deleted"] == len(ended)
    assert done["runs_deleted"] == len({one["run_id"] for one in ended})
    assert 1 <= done["cache_entries_deleted"] <= done["runs_deleted"]
    left = client.http.get("/v1/jobs", params={"limit": 200}).json()["jobs"]
    assert {asking, waiting} <= {one["request_id"] for one in left}
    assert {one["request_id"] for one in left}.isdisjoint(one["request_id"] for one in ended)
    assert client.http.post("/v1/jobs/cleanup").json()["requests_deleted"] == 0
    assert client.http.get("/v1/sessions").json()["sessions"]
