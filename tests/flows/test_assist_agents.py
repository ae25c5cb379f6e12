"""A model's help from real agents, through the real command; the model is scripted."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.app.assisting import logs, pending, sessions
from tests.curate.shelves import add_skill
from tests.engines.installed import VERSIONS, installed
from tests.flows.command import whet
from whet.testing.model_server import Conversation, ModelServer, Script, ToolCall, Turn

pytestmark = pytest.mark.slow

MODELS = {
    "claude": "claude-sonnet-4-5",
    "codex": "gpt-5.5",
    "gemini": "gemini-2.5-flash",
    "opencode": "openai/gpt-5",
}


def case(number: int, category: str) -> JsonValue:
    return {
        "name": f"Sum {number}",
        "category": category,
        "input": f"{number} + {number}",
        "expected_output": f"{2 * number}",
        "description": "",
    }


CASES: JsonValue = {
    "cases": [case(1, "standard"), case(2, "standard"), case(3, "boundary"), case(4, "exception")]
}
TAGS: dict[str, JsonValue] = {"PYTHON": {"tags": ["python", "docs"]}, "POEMS": {"tags": ["诗歌"]}}
CALLING = ("claude", "opencode")
"""Agents that have a tool for an answer by schema; the others just say it."""


def script(agent: str) -> Script:
    """What the model of an agent knows."""

    def turns(answer: JsonValue) -> tuple[Turn, ...]:
        if agent not in CALLING or not isinstance(answer, dict):
            return (Turn(text=json.dumps(answer)),)
        return (Turn(calls=(ToolCall(tool="StructuredOutput", arguments=answer),)),)

    known: dict[str, JsonValue] = {**TAGS, "ADDING": CASES, "RIDDLE": "I like riddles."}
    return Script(
        conversations=tuple(
            Conversation(marker=marker, turns=turns(answer)) for marker, answer in known.items()
        )
    )


@contextmanager
def model(tmp_path: Path, agent: str) -> Generator[tuple[ModelServer, dict[str, str]]]:
    """A scripted model, and the environment in which agents know nothing else."""
    home = tmp_path / "home"
    home.mkdir()
    with ModelServer(script(agent)) as server:
        yield (
            server,
            {
                "HOME": str(home),
                "PATH": f"{installed(agent).parent}:/usr/bin:/bin",
                "ANTHROPIC_BASE_URL": server.url,
                "ANTHROPIC_API_KEY": "key-of-claude",
                "OPENAI_BASE_URL": f"{server.url}/v1",
                "OPENAI_API_KEY": "key-of-codex",
                "GOOGLE_GEMINI_BASE_URL": server.url,
                "GEMINI_API_KEY": "key-of-gemini",
                "WHET_WORKSPACE": str(tmp_path / "workspace"),
                "WHET_SCRATCH": str(tmp_path / "scratch"),
            },
        )


def told(code: int, *arguments: str, **environment: str) -> dict[str, Any]:
    done = whet(*arguments, "--json", **environment)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_batch_of_tags_by_a_real_agent(agent: str, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    add_skill(workspace, "Writer", text="Write PYTHON docstrings.")
    add_skill(workspace, "Poet", text="Write POEMS.")
    add_skill(workspace, "Sphinx", text="Ask a RIDDLE.")
    with model(tmp_path, agent) as (server, environment):
        ask = ("skill", "tag", "auto", "--engine", agent, "--model", MODELS[agent])
        refused = whet(*ask, "--all", **environment)
        assert refused.returncode == 2
        assert f"3 answers of {agent}:{MODELS[agent]}, of unknown cost" in refused.stderr
        assert not server.requests
        done = told(1, *ask, "Writer", "Poet", "Sphinx", "--yes", **environment)
    results = {asset["name"]: asset for asset in done["assets"]}
    assert (done["status"], done["simulated"]) == ("completed", False)
    assert done["tokens"] > 0
    assert pending(workspace, "Writer") == results["Writer"]["tags"] == ["python", "docs"]
    assert pending(workspace, "Poet") == results["Poet"]["tags"] == ["诗歌"]
    assert pending(workspace, "Sphinx") == []
    assert (results["Sphinx"]["status"], results["Sphinx"]["tags"]) == ("failed", [])
    for name in results:
        [log] = logs(workspace, name)
        assert (log.model_version, log.simulated) == (MODELS[agent], None)
        assert VERSIONS[agent] in (log.cli_version or "")
        assert log.status == results[name]["status"]
    [log] = logs(workspace, "Sphinx")
    assert log.error == results["Sphinx"]["error"]
    assert sessions(workspace) == {"closed"}


@pytest.mark.parametrize("agent", ["gemini", "opencode"])
def test_a_draft_by_a_real_agent_is_saved(agent: str, tmp_path: Path) -> None:
    with model(tmp_path, agent) as (server, environment):
        made = told(
            0,
            *("baseline", "generate", "--name", "Sums", "--purpose", "code", "--number", "4"),
            *("--description", "ADDING numbers", "--yes"),
            *("--engine", agent, "--model", MODELS[agent]),
            **environment,
        )
        asked = len(server.requests)
        again = told(
            0,
            *("baseline", "generate", "--name", "Again", "--purpose", "code", "--number", "4"),
            *("--description", "ADDING numbers"),
            *("--engine", agent, "--model", MODELS[agent]),
            **environment,
        )
        assert len(server.requests) == asked, "the same question is answered from the record"
    assert (made["missing"], made["left_out"], made["simulated"]) == ({}, 0, False)
    assert made["tokens"] > 0
    assert again["tokens"] == 0
    meta = json.loads((Path(made["path"]) / "meta.json").read_text())
    assert (meta["case_count"], meta["source"]) == (4, f"generated by {agent}:{MODELS[agent]}")
