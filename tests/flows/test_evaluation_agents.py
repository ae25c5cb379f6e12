"""Capability cases on real agents, with an MCP server and a skill; the model is scripted."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.app.measuring import assert_whole, carried_out, write_set
from tests.app.opening import app_on
from tests.engines.installed import installed
from whet.app.app import App
from whet.app.library.intake import Intake
from whet.app.library.library import library
from whet.curate.intake.given import Given
from whet.documents.capability import EvaluationItem
from whet.testing import mcp_server
from whet.testing.model_server import Conversation, ModelServer, NativeCall, Script, ToolCall, Turn

pytestmark = pytest.mark.slow

BUNDLED = files("whet.app").joinpath("case_sets")
SKILL = "unit-conventions"
PASSWORD = "marigold-17"
WORK = ("tool_mcp_1", "tool_mcp_2", "tool_skill_1", "tool_read_1", "tool_ptc_1")
"""Of the bundled set; codex has nothing to read with but a shell, and neither has the last."""

CHOICES = ("common_planet_1", "common_mammal_1")
"""Only the first is answered rightly."""


def of_server(tool: str, **given: JsonValue) -> ToolCall:
    """A call of the MCP server in the words of either agent."""
    native = NativeCall(tool=tool, namespace="mcp__notes", arguments=given)
    return ToolCall(tool=f"mcp__notes__{tool}", arguments=given, native={"responses": native})


def does(marker: str, call: ToolCall | None, answer: str) -> Conversation:
    """What the model says to the prompt with *marker* in it."""
    asks = (Turn(calls=(call,)),) if call else ()
    return Conversation(marker=marker, turns=(*asks, Turn(text=answer)))


def bundled() -> dict[str, dict[str, Any]]:
    """The English cases that ship with whet."""
    content = json.loads(BUNDLED.joinpath("default.en-US.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in content["cases"]}


def script(cases: dict[str, dict[str, Any]], program: str) -> Script:
    """A model that answers everything rightly but the last choice."""
    right, other = (cases[name] for name in CHOICES)
    wrong = "A" if other["expected"] != "A" else "B"
    loads = ToolCall(action="skill", arguments={"name": SKILL})
    if program == "codex":  # it has no tool for that
        command = f'cat "$CODEX_HOME/skills/{SKILL}/SKILL.md"'
        loads = ToolCall(action="shell", arguments={"command": command})
    reads = ToolCall(action="read", arguments={"path": "notes/secret.txt"})
    return Script(
        conversations=(
            does('the key "harbour"', of_server("lookup", key="harbour"), "From pier 7, 06:40."),
            does("a = 4127", of_server("add", a=4127, b=3985), "8112"),
            does("our unit conventions demand", loads, "12500 mm"),
            does("notes/secret.txt", reads, PASSWORD),
            does(right["prompt"][:60], None, right["expected"]),
            does(other["prompt"][:60], None, f"Answer: {wrong}"),
        )
    )


@contextmanager
def workplace(tmp_path: Path, program: str) -> Generator[tuple[App, ModelServer]]:
    """An app whose agent knows nothing but the scripted model, and what it is to be measured by."""
    workspace, cases = tmp_path / "workspace", bundled()
    write_set(workspace, [cases[name] for name in (*WORK, *CHOICES)])
    with as_file(BUNDLED.joinpath("skills", SKILL)) as skill, library(workspace, "skill") as shelf:
        Intake(shelf, Given(purpose="code")).path(skill)
    (tmp_path / "home").mkdir()
    with ModelServer(script(cases, program)) as server:
        given = {
            "HOME": str(tmp_path / "home"),
            "PATH": f"{installed(program).parent}:/usr/bin:/bin",
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "key-of-claude",
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "key-of-codex",
        }
        with app_on(workspace, **given) as app:
            yield app, server


def calls(item: EvaluationItem) -> list[tuple[str, JsonValue]]:
    return [(call.name, call.args) for call in item.tool_calls]


@pytest.mark.parametrize("model", ["claude:claude-sonnet-4-5", "codex:gpt-5.5"])
def test_bundled_cases_on_a_real_agent(model: str, tmp_path: Path) -> None:
    overrides = {"mcp_servers": {"notes": mcp_server.as_option()}, "skills": [SKILL]}
    body = {"model_name": model, "case_set": "mini", "config_overrides": overrides}
    with workplace(tmp_path, model.partition(":")[0]) as (app, server):
        detail = carried_out(app, {**body, "language": "en-US"})
        assert_whole(app, detail)
        sent = "\n".join((request.body or b"").decode() for request in server.requests)
    items = {item.case_id: item for item in detail.items}
    reads = model.startswith("claude")
    assert {name: item.status for name, item in items.items()} == {
        **dict.fromkeys((*WORK[:4], CHOICES[0]), "passed"),
        "tool_read_1": "passed" if reads else "skipped",
        "tool_ptc_1": "skipped",
        CHOICES[1]: "failed",
    }, {name: (item.error, item.checker_detail) for name, item in items.items()}
    assert calls(items["tool_mcp_1"]) == [("notes@lookup", {"key": "harbour"})]
    assert calls(items["tool_mcp_2"]) == [("notes@add", {"a": 4127, "b": 3985})]
    assert [name for name, _ in calls(items["tool_read_1"])] == ["Read"] * reads
    assert all(item.session_id for item in detail.items if item.status != "skipped")
    run = detail.run
    assert (run.model_name, run.status, run.simulated) == (model, "finished", False)
    assert run.dimension_scores == {"tool": 100, "logic": None, "common": 50, "complex": None}
    assert run.total_score == pytest.approx((35 * 100 + 20 * 50) / 55)
    # What is expected stands in no request: the model is told the question, never the key.
    assert "(?<!" not in sent
    assert '"expected"' not in sent
