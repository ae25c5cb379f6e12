"""Checks of tool calls."""

from typing import Any

import pytest
from pydantic import JsonValue

from tests.checkers.subjects import call, check, failure, mistakes, said
from whet.checkers.values import contains
from whet.core.failure import Failure
from whet.ports.checker import Subject

WRITE: dict[str, JsonValue] = {"tool": "Write", "args": {"file_path": "a.txt"}}


def test_a_tool_was_called() -> None:
    subject = said("Done.", call("Write", file_path="a"), call("Write", file_path="b"))
    result = check(subject, "tool_called", expected="Write")
    assert (result.outcome, result.evidence) == ("passed", "Write was called 2 times")


def test_a_tool_was_not_called() -> None:
    result = check(
        said("Write a file", call("Read"), call("Bash")), "tool_called", expected="Write"
    )
    assert (result.outcome, result.score) == ("failed", 0)
    assert result.evidence == "Write was not called; called: Read, Bash"


@pytest.mark.parametrize("name", ["write_file", "Write"])
@pytest.mark.parametrize("expected", ["write_file", "Write"])
def test_names_are_brought_together(name: str, expected: str) -> None:
    subject = said(f'<tool_call>{{"name": "{name}", "arguments": {{}}}}</tool_call>')
    assert check(subject, "tool_called", expected=expected).passed


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Write", "arguments": {"file_path": "a.txt", "content": "x"}}',
        '\n{"tool": "Write", "args": {"file_path": "a.txt"}}\n',
        '{"name": "Write", "arguments": "{\\"file_path\\": \\"a.txt\\"}"}',
    ],
)
def test_a_call_may_be_text(text: str) -> None:
    for subject in (
        said(f"I call <tool_call>{text}</tool_call>"),
        said("Done.", messages=(f"<tool_call>{text}</tool_call>", "Done.")),
        said(f"<tool_call>{text}"),
    ):
        assert check(subject, "tool_args", expected=WRITE).score == 1


@pytest.mark.parametrize("text", ['{"name": "Write"', "Write", "[1]", '{"name": 3}', "[" * 100_000])
def test_a_malformed_call_is_a_format_failure(text: str) -> None:
    subject = said(f"<tool_call>{text}</tool_call>")
    for type_, expected in (("tool_called", "Write"), ("tool_args", WRITE)):
        result = check(subject, type_, expected=expected)
        assert (result.outcome, result.score) == ("failed", 0)
        assert result.evidence.startswith("format failure: a tool call is malformed")


def test_a_call_that_is_only_thought_of_is_none() -> None:
    subject = said('<think><tool_call>{"name": "Write"}</tool_call></think>No.')
    assert not check(subject, "tool_called", expected="Write").passed


def test_right_and_wrong_arguments() -> None:
    def score(*calls: JsonValue) -> float:
        return check(said("Done.", *calls), "tool_args", expected=WRITE).score

    assert score(call("Write", file_path="a.txt", content="x")) == 1
    assert score(call("Write", file_path="b.txt"), call("Write", file_path="a.txt")) == 1
    assert score(call("Write", file_path="b.txt")) == 0.5
    assert score(call("Read", file_path="a.txt")) == 0
    wrong = check(said("", call("Write", file_path="b")), "tool_args", expected=WRITE)
    assert wrong.outcome == "failed"


@pytest.mark.parametrize(
    ("made", "wanted", "score"),
    [
        ({"file_path": "/dev/shm/x/work/out/a.txt"}, {"file_path": "out/a.txt"}, 1),
        ({"file_path": "./out/a.txt"}, {"path": "out/a.txt"}, 1),
        ({"absolute_path": "/w/out/a.txt"}, {"file_path": "out/a.txt"}, 1),
        ({"file_path": "/w/about/a.txt"}, {"file_path": "out/a.txt"}, 0.5),
        ({"file_path": "x/out/a.txt"}, {"file_path": "out/a.txt"}, 0.5),
        ({"file_path": 3}, {"file_path": "out/a.txt"}, 0.5),
        ({}, {"file_path": "out/a.txt"}, 0.5),
        ({"file_path": "out/a.txt"}, {}, 1),
    ],
)
def test_paths_may_be_named_from_the_root_on(
    made: dict[str, Any], wanted: JsonValue, score: float
) -> None:
    for tool in ("Read", "read_file"):
        expected: JsonValue = {"tool": "读取文件", "args": wanted}
        assert check(said("", call(tool, **made)), "tool_args", expected=expected).score == score


def test_tools_of_servers() -> None:
    subject = said("Done.", call("mcp__notes__lookup", key="harbour"))
    assert check(subject, "tool_called", expected="notes@lookup").passed
    wrong: JsonValue = {"tool": "notes@lookup", "args": {"key": "mill"}}
    result = check(subject, "tool_args", expected=wrong)
    assert result.score == 0.5
    assert result.evidence == (
        'notes@lookup was called with other arguments: {"key": "harbour"}; expected {"key": "mill"}'
    )


def test_an_agent_that_ends_with_an_answer_gave_its_final_reply() -> None:
    assert check(said("Done."), "tool_called", expected="最终回复").passed
    assert not check(said(" "), "tool_called", expected="final_response").passed
    ended = Subject(failure(Failure.TIMEOUT, "took 60 s"), None, {})
    assert not check(ended, "tool_called", expected="final_response").passed


@pytest.mark.parametrize(
    ("whole", "part", "good"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, True),
        ([1, 2, 3], [1, 2], True),
        ([1, 2, 3], [2], False),
        ([1], [1, 2], False),
        (1.0, 1, True),
        (True, 1, False),
        (1, True, False),
        (None, None, True),
        ("ab", "a", False),
        ({}, [], False),
    ],
)
def test_parts_of_values(whole: JsonValue, part: JsonValue, good: bool) -> None:  # noqa: FBT001
    assert contains(whole, part) is good


@pytest.mark.parametrize(
    ("type_", "expected", "count"),
    [
        ("tool_called", ["Write"], 1),
        ("tool_args", "Write", 1),
        ("tool_args", {"tool": "Write"}, 1),
        ("tool_args", {"tool": "Write", "args": []}, 1),
    ],
)
def test_mistakes(type_: str, expected: JsonValue, count: int) -> None:
    assert len(mistakes(type_, expected=expected)) == count
