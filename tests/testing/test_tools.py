"""Actions in the words of each agent."""

from typing import Any

import pytest

from tests.testing.asking import PATHS, Json, body, call, script
from whet.testing.model_server import ModelServer, NativeCall, ToolCall, Turn
from whet.testing.model_server.call import Action, WireName
from whet.testing.model_server.tools import put
from whet.testing.model_server.wire import Offered

ARGUMENTS: dict[Action, dict[str, str]] = {
    "shell": {"command": "ls", "description": "list"},
    "write": {"path": "a b.txt", "content": "one\ntwo\n"},
    "read": {"path": "a b.txt"},
    "skill": {"name": "greet"},
    "agent": {"prompt": "go", "description": "helper"},
}
PATCH = "*** Begin Patch\n*** Add File: a b.txt\n+one\n+two\n*** End Patch"
COMMAND = frozenset({"cmd"})


def offer(*names: str) -> Offered:
    return {name: frozenset() for name in names}


def written(action: Action, wire: WireName, offered: Offered | None = None) -> tuple[str, Any]:
    native = put(ToolCall(action=action, arguments={**ARGUMENTS[action]}), wire, offered or {})
    return native.tool, native.arguments if native.input is None else native.input


CLAUDE = {"subagent_type": "general-purpose", "description": "helper", "prompt": "go"}


@pytest.mark.parametrize(
    ("action", "wire", "offered", "said"),
    [
        ("shell", "anthropic", None, ("Bash", {"command": "ls", "description": "list"})),
        (
            "write",
            "anthropic",
            None,
            ("Write", {"file_path": "a b.txt", "content": "one\ntwo\n"}),
        ),
        ("read", "anthropic", None, ("Read", {"file_path": "a b.txt"})),
        ("skill", "anthropic", None, ("Skill", {"skill": "greet"})),
        ("agent", "anthropic", None, ("Agent", CLAUDE | {"run_in_background": False})),
        ("agent", "anthropic", {"Agent": frozenset(CLAUDE)}, ("Agent", CLAUDE)),
        ("agent", "anthropic", offer("Task"), ("Task", CLAUDE)),
        ("shell", "responses", None, ("exec_command", {"cmd": "ls"})),
        (
            "shell",
            "responses",
            offer("exec"),
            ("exec", 'const r = await tools.exec_command({"cmd": "ls"}); text(JSON.stringify(r));'),
        ),
        ("write", "responses", offer("apply_patch", "exec_command"), ("apply_patch", PATCH)),
        (
            "write",
            "responses",
            {"exec_command": COMMAND},
            ("exec_command", {"cmd": f"apply_patch <<'EOF'\n{PATCH}\nEOF\n"}),
        ),
        ("read", "responses", None, ("exec_command", {"cmd": "cat 'a b.txt'"})),
        (
            "skill",
            "responses",
            None,
            ("exec_command", {"cmd": "cat .agents/skills/greet/SKILL.md"}),
        ),
        ("agent", "responses", None, ("spawn_agent", {"message": "go"})),
        ("shell", "chat", None, ("bash", {"command": "ls", "description": "list"})),
        (
            "shell",
            "chat",
            offer("run_shell_command"),
            (
                "run_shell_command",
                {"command": "ls", "description": "list", "is_background": False},
            ),
        ),
        ("write", "chat", None, ("write", {"filePath": "a b.txt", "content": "one\ntwo\n"})),
        ("read", "chat", offer("read_file"), ("read_file", {"file_path": "a b.txt"})),
        ("skill", "chat", {"skill": frozenset({"name"})}, ("skill", {"name": "greet"})),
        ("skill", "chat", {"skill": frozenset({"skill"})}, ("skill", {"skill": "greet"})),
        (
            "agent",
            "chat",
            None,
            ("task", {"description": "helper", "prompt": "go", "subagent_type": "general"}),
        ),
        (
            "shell",
            "gemini",
            None,
            ("run_shell_command", {"command": "ls", "description": "list"}),
        ),
        (
            "write",
            "gemini",
            None,
            ("write_file", {"file_path": "a b.txt", "content": "one\ntwo\n"}),
        ),
        ("read", "gemini", None, ("read_file", {"file_path": "a b.txt"})),
        ("skill", "gemini", None, ("activate_skill", {"name": "greet"})),
        ("agent", "gemini", None, ("invoke_agent", {"agent_name": "generalist", "prompt": "go"})),
    ],
)
def test_an_action(
    action: Action, wire: WireName, offered: Offered | None, said: tuple[str, Any]
) -> None:
    assert written(action, wire, offered) == said


def test_a_tool_goes_out_by_its_name_unless_the_protocol_has_another() -> None:
    own = NativeCall(tool="other", input="x")
    both = ToolCall(tool="mine", arguments={"a": 1}, native={"gemini": own})
    assert put(both, "chat", {}) == NativeCall(tool="mine", arguments={"a": 1})
    assert put(both, "gemini", {}) == own
    action = ToolCall(action="read", arguments={"path": "p"}, native={"chat": own})
    assert put(action, "chat", {}) == own
    assert put(action, "gemini", {}).tool == "read_file"


TOOLS: dict[str, Json] = {
    "anthropic": {"tools": [{"name": "Task", "input_schema": {"properties": {}}}]},
    "responses": {
        "tools": [{"type": "web_search"}],
        "input": [
            {
                "type": "additional_tools",
                "tools": [
                    {
                        "type": "namespace",
                        "name": "n",
                        "tools": [{"type": "custom", "name": "exec"}],
                    }
                ],
            },
            {"role": "user", "content": "MARK"},
        ],
    },
    "chat": {
        "tools": [
            {
                "type": "function",
                "function": {"name": "agent", "parameters": {"properties": {}}},
            }
        ]
    },
    "gemini": {"tools": [{"functionDeclarations": [{"name": "invoke_agent"}]}]},
}


@pytest.mark.parametrize(
    ("wire", "name"),
    [("anthropic", "Task"), ("responses", "exec"), ("chat", "agent"), ("gemini", "invoke_agent")],
)
def test_the_tools_of_the_request_decide(wire: str, name: str) -> None:
    action: Action = "shell" if wire == "responses" else "agent"
    turn = Turn(calls=(ToolCall(action=action, arguments={**ARGUMENTS[action]}),))
    with ModelServer(script(turn)) as server:
        answer = call(server, "POST", PATHS[wire], body(wire, "MARK") | TOOLS[wire])
    assert f'"name":"{name}"'.encode() in answer.body
