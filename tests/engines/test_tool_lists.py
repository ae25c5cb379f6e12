"""The tools that engines say their agents have are those that the agents are offered."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest
from pydantic import JsonValue

from tests.engines.driving import SUBJECTS, Bench, Subject, bench, says
from whet.core.errors import UsageError
from whet.core.step import Step
from whet.engines.agent_cli.reader import Event
from whet.engines.agent_cli.task import Task
from whet.engines.api import ApiEngine
from whet.engines.claude import ClaudeEngine
from whet.engines.claude_reader import ClaudeReader
from whet.engines.codex import CodexEngine
from whet.engines.command import CommandEngine
from whet.engines.gemini import GeminiEngine
from whet.engines.opencode import OpencodeEngine
from whet.engines.replay import ReplayEngine
from whet.engines.simulated import SimulatedEngine
from whet.ports.machine import Machine
from whet.ports.tooled import FINAL_RESPONSE, Tooled
from whet.readers.gemini_names import canonical as of_gemini
from whet.readers.opencode_names import canonical as of_opencode
from whet.testing.model_server import LoggedRequest

MACHINE = Machine({}, Path("/nowhere"))
SOME: list[JsonValue] = ["Read", "Write", "Edit", "Bash", "Grep", "LS"]
SERVER: dict[str, JsonValue] = {"command": "true"}
OF_CODEX: dict[str, set[str]] = {
    "exec_command": {"Bash"},
    "write_stdin": set(),  # goes on with a command
    "apply_patch": {"Edit", "Write"},
    "web_search": {"WebSearch"},
    "tool_search": {"Task"},  # among others it finds spawn_agent
    "view_image": set(),  # reads no text
    "request_user_input": set(),  # refused by the program itself
    "create_goal": set(),
    "get_goal": set(),
    "update_goal": set(),
}


class InitReader(ClaudeReader):
    """Keeps what the program says of its tools."""

    tools: tuple[str, ...] = ()

    def read(self, event: Event, at: datetime) -> Iterator[Step]:
        if event.get("subtype") == "init":
            InitReader.tools = tuple(map(str, cast("list[JsonValue]", event["tools"])))
        return super().read(event, at)


class InitClaude(ClaudeEngine):
    def reader(self, task: Task) -> InitReader:
        return InitReader(task.spec.model)


@pytest.mark.slow
@pytest.mark.parametrize("allowed", [None, SOME], ids=["all", "some"])
def test_claude_has_the_tools_that_it_says_at_its_start(tmp_path: Path, allowed: JsonValue) -> None:
    options: dict[str, JsonValue] = {"allowed_tools": allowed}
    with bench(tmp_path, says("Done.")) as made:
        machine = made.machine("claude", ANTHROPIC_BASE_URL=made.url, ANTHROPIC_API_KEY="test-key")
        engine = InitClaude(machine)
        made.drive(
            engine, made.spec(engine, "Go.", model="claude-sonnet-4-5", allowed_tools=allowed)
        )
    assert sorted({*InitReader.tools, FINAL_RESPONSE}) == engine.tools(options)


@pytest.mark.slow
@pytest.mark.parametrize("allowed", [None, SOME], ids=["all", "some"])
@pytest.mark.parametrize("subject", SUBJECTS[1:], ids=lambda subject: subject.name)
def test_others_have_the_tools_that_the_model_is_offered(
    tmp_path: Path, subject: Subject, allowed: JsonValue
) -> None:
    options: dict[str, JsonValue] = {"allowed_tools": allowed}
    with bench(tmp_path, says("Done.")) as made:
        agent = subject.engine(made)
        run = made.drive(agent, made.spec(agent, "Go.", model=subject.model, allowed_tools=allowed))
        told = _told(subject, made, options)
    offered = {tool for name in _offered(run.requests[0]) for tool in _named(subject, name)}
    assert sorted({*offered, FINAL_RESPONSE}) == told


def _told(subject: Subject, made: Bench, options: dict[str, JsonValue]) -> list[str]:
    engine = subject.engine(made)
    assert isinstance(engine, Tooled)
    return list(engine.tools(options))


def _named(subject: Subject, tool: str) -> set[str]:
    match subject.name:
        case "codex":
            return OF_CODEX[tool]
        case "gemini":
            return {of_gemini(tool, ())}
        case _:
            return {of_opencode(tool, ())}


def _offered(request: LoggedRequest) -> Iterator[str]:
    body = request.json
    assert isinstance(body, dict)
    for tool in cast("list[dict[str, JsonValue]]", body["tools"]):
        functions = tool.get("functionDeclarations") or [tool.get("function") or tool]
        for function in cast("list[dict[str, JsonValue]]", functions):
            yield str(function.get("name") or function["type"])


@pytest.mark.parametrize(
    "engine",
    [ClaudeEngine, CodexEngine, GeminiEngine, OpencodeEngine],
    ids=lambda engine: engine.name,
)
def test_agents_have_what_is_left_to_them(
    engine: type[ClaudeEngine | CodexEngine | GeminiEngine | OpencodeEngine],
) -> None:
    made = engine(MACHINE)
    assert isinstance(made, Tooled)
    everything = made.tools({})
    assert {"Bash", "Edit", "Write", FINAL_RESPONSE} <= set(everything)
    assert list(everything) == sorted(everything)
    some = made.tools({"allowed_tools": ["Write", "Nonsense"], "mcp_servers": {"notes": SERVER}})
    assert some == ["Write", FINAL_RESPONSE, "notes@*"]
    assert made.tools({"allowed_tools": []}) == [FINAL_RESPONSE]
    with pytest.raises(UsageError, match="allowed_tools"):
        made.tools({"allowed_tools": 7})


def test_claude_has_searching_tools_only_if_they_are_asked_for() -> None:
    claude = ClaudeEngine(MACHINE)
    assert "Grep" not in claude.tools({})
    assert claude.tools({"allowed_tools": ["Grep"]}) == ["Grep", FINAL_RESPONSE]
    lists = {"TaskCreate", "TaskGet", "TaskList", "TaskUpdate"}
    assert set(claude.tools({"allowed_tools": ["TodoWrite"]})) == {*lists, FINAL_RESPONSE}


def test_the_simulated_agent_has_a_few_and_no_servers() -> None:
    agent = SimulatedEngine()
    assert isinstance(agent, Tooled)
    assert agent.tools({"mcp_servers": {"notes": SERVER}}) == sorted(
        ["Bash", "Edit", "Grep", "LS", "Read", "Write", FINAL_RESPONSE]
    )
    assert agent.tools({"allowed_tools": ["Read", "Nonsense"]}) == ["Read", FINAL_RESPONSE]
    assert agent.tools({"allowed_tools": []}) == [FINAL_RESPONSE]
    with pytest.raises(UsageError, match="allowed_tools"):
        agent.tools({"allowed_tools": "Read"})


def test_a_model_alone_only_answers() -> None:
    assert ApiEngine(MACHINE).tools({}) == [FINAL_RESPONSE]
    assert isinstance(ApiEngine(MACHINE), Tooled)


@pytest.mark.parametrize("engine", [CommandEngine, ReplayEngine], ids=lambda each: each.name)
def test_of_some_nobody_knows(engine: type[CommandEngine | ReplayEngine]) -> None:
    assert not isinstance(engine(MACHINE), Tooled)
