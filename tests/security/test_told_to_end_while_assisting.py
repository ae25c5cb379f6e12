"""A server that is told to end, or killed, while a model tags skills and drafts cases: the next one
goes on with both."""

import json
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.curate.shelves import add_skill
from tests.flows.serving import Serving
from tests.flows.test_assist_agents import CASES
from whet.testing.model_server import Conversation, ModelServer, Script, Turn

pytestmark = pytest.mark.slow

COUNT = 12
NAMES = [f"Skill{number:02}" for number in range(COUNT)]
WANTED = {"name": "Sums", "purpose": "sums", "description": "ADDING of two numbers.", "number": 4}
ASKED = {"engine": "api", "model": "openai:gpt-5"}


def script() -> Script:
    tags = json.dumps({"tags": ["useful"]})
    marked = {name: Turn(text=tags, delay=0.5) for name in NAMES}
    marked["ADDING"] = Turn(text=json.dumps(CASES), delay=1.5)
    return Script(
        conversations=tuple(
            Conversation(marker=marker, turns=(turn,)) for marker, turn in marked.items()
        )
    )


def asked(server: ModelServer) -> Counter[str]:
    """How often each question was put to the model."""
    bodies = [(request.body or b"").decode() for request in server.requests]
    return Counter(name for name in (*NAMES, "ADDING") for body in bodies if name in body)


def until(serving: Serving, path: str, status: str) -> dict[str, Any]:
    end = time.monotonic() + 60
    while (found := serving.client.get(path).json())["status"] != status:
        assert time.monotonic() < end, found
        time.sleep(0.1)
    return found


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_tagging_and_drafting_go_on_at_the_next_start(tmp_path: Path, how: signal.Signals) -> None:
    workspace = tmp_path / "workspace"
    for name in NAMES:
        add_skill(workspace, name, text=f"Do as {name} does.")
    with ModelServer(script()) as server:
        own = {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "test-key"}
        with Serving.on(workspace, **own) as serving:
            body = {**ASKED, "assets": NAMES, "confirmed": True}
            tagging = serving.client.post("/v1/skills/auto-tag", json=body)
            drafting = serving.client.post("/v1/baselines/generate", json={**ASKED, **WANTED})
            assert (tagging.status_code, drafting.status_code) == (202, 202), tagging.text
            end = time.monotonic() + 30
            while len(asked(server)) < 6:
                assert time.monotonic() < end
                time.sleep(0.05)
            _, _, errors = serving.end(how)
            assert how == signal.SIGKILL or errors == ""
        assert len(asked(server)) <= COUNT, "it did not come to its end"
        with Serving.on(workspace, **own) as serving:
            tagged = until(serving, f"/v1/skills/auto-tag/{tagging.json()['id']}", "completed")
            drafted = until(serving, f"/v1/baselines/generate/{drafting.json()['id']}", "completed")
            assert serving.end(signal.SIGTERM)[2] == ""
        questions = asked(server)
    assert [asset["status"] for asset in tagged["assets"]] == ["completed"] * COUNT
    assert {tuple(asset["tags"]) for asset in tagged["assets"]} == {("useful",)}
    assert len(drafted["draft"]["cases"]) == 4
    assert set(questions) == {*NAMES, "ADDING"}
    if how == signal.SIGTERM:
        assert set(questions.values()) == {1}, "nothing is asked and paid for twice"
