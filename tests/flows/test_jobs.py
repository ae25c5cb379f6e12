"""A client that only knows the protocol gets a job done, by the simulated and by a real agent."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.engines.installed import VERSIONS, installed
from tests.flows.command import whet
from tests.flows.job_client import JobClient, result_of
from tests.flows.serving import Serving
from whet.app.library.library import library
from whet.app.packages.packages import Packages
from whet.documents.session import Session
from whet.testing.model_server import Conversation, ModelServer, Script, ToolCall, Turn

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "text-report"
TEXT = b"Knives are sharpened on stones. Water cools them. Patience is all."
ENGINES = ("claude", "codex", "gemini", "opencode", "simulated")
MODEL = "claude-sonnet-4-5"

REPORT = "# Stones\n\nKnives want stones.\n\n11 words\n"
FINAL = {"report": "artifacts/report.md", "words": 11, "summary": "Knives want stones."}
WRITES = Turn(
    calls=(ToolCall(action="write", arguments={"path": "artifacts/report.md", "content": REPORT}),)
)
READS = Turn(calls=(ToolCall(action="read", arguments={"path": "uploads/document"}),))


def install(workspace: Path, folder: Path = EXAMPLE) -> None:
    with library(workspace, "skill") as shelf:
        Packages(shelf, ENGINES).install(folder)


def says(value: object) -> Turn:
    return Turn(text=value if isinstance(value, str) else json.dumps(value))


def served(workspace: Path, tmp_path: Path, server: ModelServer) -> Serving:
    """A server whose claude knows nothing but the scripted model."""
    (tmp_path / "home").mkdir(exist_ok=True)
    given = {
        "HOME": str(tmp_path / "home"),
        "PATH": f"{installed('claude').parent}:/usr/bin:/bin",
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "key-of-claude",
    }
    return Serving.on(workspace, **given)


def complete(client: JobClient, **more: Any) -> dict[str, Any]:
    """The whole road: create, upload, poll, artifacts, bundle."""
    made = client.create(
        "text-report", input={"title": "Stones"}, parameter={"max_words": 50}, **more
    )
    assert made["status"] is None
    request_id = made["request_id"]
    assert client.status(request_id)["status"] is None
    uploaded = client.upload(request_id, {"document": TEXT})
    assert uploaded["status"] in ("queued", "running", "succeeded")
    done = client.poll(request_id)
    assert done["status"] == "succeeded", done
    assert client.artifacts(request_id) == ["artifacts/report.md"]
    report = client.artifact(request_id, "artifacts/report.md")
    assert report.startswith(b"# Stones")
    bundle = client.bundle(request_id)
    assert bundle["artifacts/report.md"] == report
    for member in json.loads(bundle["manifest.json"])["files"]:
        data = bundle[member["path"]]
        assert (member["size"], member["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    data = result_of(bundle)["result"]["data"]
    assert data["report"] == "artifacts/report.md"
    assert data["words"] == 11
    return done


def test_the_simulated_agent_does_a_job(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    install(workspace)
    with Serving.on(workspace) as server:
        done = complete(JobClient(server.client))
        again = JobClient(server.client).create("text-report", input={"title": "Stones"})
        assert again["status"] is None
    assert done["simulated"] is True
    uploads = workspace / "runs" / done["run_id"] / "uploads"
    assert (uploads / "document").read_bytes() == TEXT
    session = Session.load(workspace / "sessions" / f"{done['session_id']}.json")
    assert session.status == "success"
    assert session.simulated is True
    assert {"Read", "Write"} <= {call.tool_name for call in session.tool_calls}


def test_a_real_agent_does_a_job(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    install(workspace)
    script = Script(
        conversations=(
            Conversation(marker="Use the skill text-report", turns=(READS, WRITES, says(FINAL))),
        )
    )
    with ModelServer(script) as model, served(workspace, tmp_path, model) as server:
        done = complete(JobClient(server.client), engine="claude", model=MODEL)
        asked = "\n".join((request.body or b"").decode() for request in model.requests)
    assert (done["engine"], done["simulated"]) == ("claude", False)
    # The agent was told where its input lies, by a path that is absolute.
    assert re.search(r'": \\"/\S+/uploads/document', asked)
    log = workspace / "sessions" / f"{done['session_id']}.json"
    assert "key-of-claude" not in log.read_text()


def test_the_program_of_cli_path_does_the_job(tmp_path: Path) -> None:
    """It is not on the PATH, and has another name."""
    workspace, program = tmp_path / "workspace", tmp_path / "bin" / "my-claude"
    install(workspace)
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {installed("claude")} "$@"\n')
    program.chmod(0o755)
    own = {"WHET_CONFIG_DIR": str(tmp_path / "config")}
    chosen = whet("config", "set", f"cli_path={program}", "--workspace", workspace, **own)
    assert chosen.returncode == 0, chosen.stderr
    turns = (READS, WRITES, says(FINAL))
    script = Script(conversations=(Conversation(marker="Use the skill text-report", turns=turns),))
    given = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": "key-of-claude"}
    given["WHET_SANDBOX"] = "off"  # whose program is a script that starts another one
    with (
        ModelServer(script) as model,
        Serving.on(workspace, ANTHROPIC_BASE_URL=model.url, **given, **own) as server,
    ):
        done = complete(JobClient(server.client), engine="claude", model=MODEL)
        engines = server.client.get("/v1/engines").json()["engines"]
    assert (done["engine"], done["engine_version"]) == ("claude", VERSIONS["claude"])
    [claude] = (each for each in engines if each["name"] == "claude")
    assert (claude["program"], claude["program_setting"]) == (str(program), "cli_path")


def test_a_real_agent_mends_its_output_in_the_same_conversation(tmp_path: Path) -> None:
    """First no JSON, then without its file, then as it should be."""
    workspace = tmp_path / "workspace"
    install(workspace)
    turns = (says("I have counted 11 words."), says(FINAL), WRITES, says(FINAL))
    script = Script(conversations=(Conversation(marker="Use the skill text-report", turns=turns),))
    with ModelServer(script) as model, served(workspace, tmp_path, model) as server:
        done = complete(JobClient(server.client), engine="claude", model=MODEL)
        asked = [(request.body or b"").decode() for request in model.requests]
        result = server.client.get(f"/v1/jobs/{done['request_id']}/result").json()["result"]
        history = server.client.get(f"/v1/jobs/{done['request_id']}/events/history").json()
    assert done["current_attempt"] == 3
    assert result["repairs"] == 2
    assert "there is no JSON value in the answer" in asked[-1]
    assert "the file artifacts/report.md is missing" in asked[-1]
    assert "I have counted 11 words." in asked[-1], "it is one conversation"
    kinds = [event["data"].get("kind") for event in history["events"]]
    assert kinds.count("repair") == 2


def test_a_real_agent_asks_and_goes_on_with_the_answer_after_a_restart(tmp_path: Path) -> None:
    """The question outlives the server; the conversation is taken up where it was."""
    workspace = tmp_path / "workspace"
    install(workspace)
    question = {
        "__SKILL_DONE__": False,
        "message": "The text has two parts.",
        "ui_hints": {
            "kind": "choose_one",
            "prompt": "Which one?",
            "options": [{"label": "First", "value": "first"}, {"label": "All", "value": "all"}],
        },
    }
    final = {**FINAL, "__SKILL_DONE__": True}
    turns = (READS, says(question), WRITES, says(final))
    script = Script(conversations=(Conversation(marker="Use the skill text-report", turns=turns),))
    with ModelServer(script) as model:
        with served(workspace, tmp_path, model) as server:
            client = JobClient(server.client)
            made = client.create(
                "text-report",
                input={"title": "Stones"},
                engine="claude",
                model=MODEL,
                runtime_options={"execution_mode": "interactive"},
            )
            request_id = made["request_id"]
            client.upload(request_id, {"document": TEXT})
            waits = client.poll(request_id, 60, "waiting_user")
            assert waits["status"] == "waiting_user"
            server.process.kill()
        with served(workspace, tmp_path, model) as server:
            client = JobClient(server.client)
            asked = server.client.get(f"/v1/jobs/{request_id}/interaction/pending").json()
            assert asked["pending"]["kind"] == "choose_one"
            assert [each["value"] for each in asked["pending"]["options"]] == ["first", "all"]
            reply = {"interaction_id": asked["pending"]["id"], "response": "third"}
            path = f"/v1/jobs/{request_id}/interaction/reply"
            assert server.client.post(path, json=reply).status_code == 400
            accepted = server.client.post(path, json={**reply, "response": "all"})
            assert accepted.status_code == 200, accepted.text
            done = client.poll(request_id)
            assert done["status"] == "succeeded", done
            sent = [(request.body or b"").decode() for request in model.requests]
    assert done["interaction_count"] == 1
    assert "The text has two parts." in sent[-1], "it is one conversation"
    assert list((workspace / "runs" / done["run_id"]).glob(".turns")) == []
    session = Session.load(workspace / "sessions" / f"{done['session_id']}.json")
    assert [call.tool_name for call in session.tool_calls] == ["Read", "Write"]
