"""Scripts: what can be said, and how mistakes are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from whet.core.errors import EnvironmentProblem, InvalidDocument, NotFound
from whet.testing.model_server import Answer, Problem, Script, Tokens, ToolCall, Turn

FULL: dict[str, Any] = {
    "conversations": [
        {
            "marker": "MARK",
            "turns": [
                {
                    "text": ["a", "b"],
                    "thinking": "t",
                    "calls": [
                        {"action": "skill", "arguments": {"name": "s", "args": "x"}},
                        {
                            "tool": "patch",
                            "arguments": {"deep": [1, {"x": None}]},
                            "native": {
                                "responses": {
                                    "tool": "apply_patch",
                                    "input": "x",
                                    "custom": True,
                                    "namespace": "n",
                                }
                            },
                        },
                    ],
                    "usage": {"input": 1, "output": 3, "cache_read": 3, "cache_write": 4},
                    "stop": "length",
                    "delay": 1,
                    "chunk_delay": 0.5,
                    "cut": 3,
                    "hang": True,
                },
                {"hits": [{"error": {"status": 429, "retry_after": 1}}, {"text": "ok"}]},
            ],
        }
    ],
    "default": [{"text": "?"}],
    "models": ["a", "b"],
}


def turn(**fields: Any) -> dict[str, Any]:
    return {"conversations": [{"marker": "MARK", "turns": [fields]}]}


def test_a_script_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text(json.dumps(FULL))
    script = Script.load(tmp_path / "script.json")
    first, second = script.conversations[0].turns
    assert first.pieces == ("a", "b")
    assert first.calls[1].native["responses"].custom
    assert second.on(0).error == Problem(status=429, retry_after=1)
    assert second.on(1) == second.on(7) == Answer(text="ok")
    assert script.models == ("a", "b")


MISTAKES: list[tuple[Any, str]] = [
    ([], "s.json: must be an object, found a list"),
    ({"conversation": []}, "unknown key 'conversation'; known: conversations, default, models"),
    (turn(text=3), "conversations[0].turns[0].text: must be a string or a list, found 3"),
    (turn(txt="x"), "conversations[0].turns[0]: unknown key 'txt'"),
    (turn(delay=-1), "turns[0].delay: must be greater than or equal to 0, found -1"),
    (turn(delay="1"), 'turns[0].delay: must be a number, found "1"'),
    (turn(stop="x"), 'turns[0].stop: must be end, tool, length or refusal, found "x"'),
    (turn(error={"status": 200}), "error.status: must be greater than or equal to 400"),
    (turn(error={}), "error.status: is required but missing"),
    (
        turn(error={"status": 400}, text="x"),
        "turns[0]: an error may have a delay, but no text",
    ),
    (turn(hits=[{}], text="x"), "turns[0]: a turn with hits has nothing else"),
    (turn(hits=[{"hits": []}]), "turns[0].hits[0]: unknown key 'hits'"),
    (turn(usage={"output": 1, "reasoning": 2}), "usage: reasoning tokens are part of"),
    (turn(calls=[{}]), "calls[0]: a call has either an action or a tool"),
    (
        turn(calls=[{"action": "read", "tool": "x", "arguments": {"path": "p"}}]),
        "calls[0]: a call has either an action or a tool",
    ),
    (
        turn(calls=[{"action": "delete"}]),
        'action: must be shell, write, read, skill or agent, found "delete"',
    ),
    (
        turn(calls=[{"action": "write", "arguments": {"path": "p"}}]),
        "calls[0]: the action write needs the argument 'content'",
    ),
    (
        turn(calls=[{"action": "read", "arguments": {"path": "p", "mode": "r"}}]),
        "calls[0]: unknown argument 'mode'; known: path",
    ),
    (
        turn(calls=[{"action": "read", "arguments": {"path": 1}}]),
        "calls[0]: the argument 'path' of an action must be a string",
    ),
    (
        turn(calls=[{"tool": "x", "native": {"openai": {"tool": "y"}}}]),
        "native.openai: must be anthropic, responses, chat or gemini",
    ),
    ({"conversations": [{"marker": "", "turns": [{}]}]}, "marker: must not be empty"),
    (
        {"conversations": [{"marker": "x", "turns": []}]},
        "conversations[0]: a conversation needs at least one turn",
    ),
    (
        {"conversations": [{"marker": "x", "turns": [{}]}] * 2},
        "s.json: two conversations have the marker 'x'",
    ),
    ({"models": []}, "s.json: a script needs the name of at least one model"),
]


@pytest.mark.parametrize(("data", "says"), MISTAKES)
def test_a_mistake_is_named_with_its_place(data: Any, says: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        Script.parse(data, "s.json")
    assert says in str(caught.value)
    assert str(caught.value).startswith("s.json: ")
    assert "more)" not in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"gone\.json: no such file"):
        Script.load(tmp_path / "gone.json")
    with pytest.raises(EnvironmentProblem):
        Script.load(tmp_path)
    (tmp_path / "broken.json").write_text('{"models": [')
    with pytest.raises(InvalidDocument, match=r"broken\.json: line 1.*broken JSON"):
        Script.load(tmp_path / "broken.json")


def test_what_follows_from_what_is_said() -> None:
    call = ToolCall(tool="x")
    assert [Turn().stops, Turn(calls=(call,)).stops] == ["end", "tool"]
    assert Turn(calls=(call,), stop="length").stops == "length"
    assert Turn(text="").pieces == ()
    assert Turn(text=("a", "", "b")).full_text == "ab"
    assert Tokens(input=1, cache_read=2, cache_write=4).prompt == 7


def test_the_script_of_the_documentation_is_one() -> None:
    page = (Path(__file__).parents[2] / "docs/commands.md").read_text()
    example = page.partition("## whet model-server")[2].partition("```json")[2].partition("```")[0]
    script = Script.parse(json.loads(example), "docs")
    assert script.conversations[0].marker == "write-hello"
