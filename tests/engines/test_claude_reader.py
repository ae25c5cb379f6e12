"""Reading streams: a recorded one, and whatever may come instead of it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.request import Reply
from whet.core.step import Called, Ended, Said, Step, Triggered
from whet.core.usage import Usage
from whet.engines.claude_reader import ClaudeReader
from whet.shell.process import Exit

Event = dict[str, JsonValue]

LINES = (Path(__file__).parent / "recorded/claude.jsonl").read_text().splitlines()
RECORDED: list[Event] = [json.loads(line) for line in LINES]
WELL = Exit(code=0, signal=None, timed_out=False, truncated=False, seconds=1, stderr="")
BADLY = Exit(code=1, signal=None, timed_out=False, truncated=False, seconds=1, stderr="")
KILLED = Exit(code=None, signal=9, timed_out=False, truncated=False, seconds=1, stderr="")
RESULT: Event = {"type": "result", "is_error": False, "result": "Fine."}


def now() -> datetime:
    return datetime.now(UTC)


def reader(*, structured: bool = False, named: str | None = None) -> ClaudeReader:
    return ClaudeReader("a-model", structured=structured, named=named)


def read(events: list[Event], exit_: Exit, *, structured: bool = False) -> tuple[list[Step], Ended]:
    made = reader(structured=structured)
    steps = [step for event in events for step in made.read(event, now())]
    assert not any(isinstance(step, Ended) for step in steps)
    return steps, made.ended(exit_, now())


def test_a_recorded_stream() -> None:
    steps, ended = read(RECORDED, WELL)
    assert [step.text for step in steps if isinstance(step, Said)] == ["I look.", "main done"]
    assert [step.tool for step in steps if isinstance(step, Called)] == [
        "Skill",
        "Task",
        "Bash",
        "Bash",
    ]
    assert [step.skill for step in steps if isinstance(step, Triggered)] == ["greet"]
    usage = Usage(input_tokens=416, output_tokens=47, cost_usd=0.0019530000000000003)
    assert (ended.answer, ended.failure, ended.usage) == ("main done", None, usage)
    assert ended.conversation == RECORDED[0]["session_id"]


def test_a_skill_that_the_prompt_names_is_taken_up_once() -> None:
    made = reader(named="greet")
    steps = [step for event in (RECORDED[0], RECORDED[0]) for step in made.read(event, now())]
    assert [step.skill for step in steps if isinstance(step, Triggered)] == ["greet"]
    unknown = reader(named="other")
    assert list(unknown.read(RECORDED[0], now())) == []


@pytest.mark.parametrize("end", range(1, len(RECORDED) - 1, 7))
def test_a_stream_that_breaks_off_is_a_crash_and_charged(end: int) -> None:
    _, ended = read(RECORDED[:end], KILLED)
    assert ended.failure is Failure.CRASH
    assert ended.usage.cost_usd is None
    assert ended.usage.input_tokens <= 416


def test_success_needs_the_exit_code_and_the_result() -> None:
    assert read([RESULT], WELL)[1].failure is None
    assert read([RESULT], BADLY)[1].failure is Failure.CRASH
    assert read([RESULT], KILLED)[1].failure is Failure.CRASH
    assert read([], WELL)[1].failure is Failure.CRASH
    assert read([{**RESULT, "is_error": None}], WELL)[1].failure is Failure.CRASH
    assert read([{**RESULT, "is_error": True, "subtype": "success"}], WELL)[1].failure is not None
    assert read([RESULT], WELL, structured=True)[1].failure is Failure.CRASH
    structured = read([{**RESULT, "structured_output": {"a": 1}}], WELL, structured=True)[1]
    assert (structured.failure, structured.answer) == (None, '{"a": 1}')


def test_the_last_result_counts_and_their_use_adds_up() -> None:
    first: Event = {**RESULT, "model_usage_since_last_result": {"m": {"inputTokens": 5}}}
    second: Event = {
        **RESULT,
        "result": "Finer.",
        "model_usage_since_last_result": {"m": {"inputTokens": 6, "costUSD": 0.5}},
    }
    _, ended = read([first, second], WELL)
    assert (ended.answer, ended.usage) == ("Finer.", Usage(input_tokens=11, cost_usd=0.5))


def test_an_unknown_model_is_the_caller_s_mistake() -> None:
    told: Event = {
        "type": "assistant",
        "error": "model_not_found",
        "message": {"model": "<synthetic>", "content": [{"type": "text", "text": "No."}]},
    }
    with pytest.raises(UsageError, match="a-model"):
        read([told, {**RESULT, "is_error": True}], BADLY)


def test_input_is_closed_only_when_nobody_works_in_the_background() -> None:
    made = reader()
    busy: Event = {"type": "system", "subtype": "background_tasks_changed", "tasks": [{}]}
    idle: Event = {**busy, "tasks": []}
    seen: list[bool] = []
    for event in (busy, RESULT, idle, RESULT):
        assert list(made.read(event, now())) == []
        seen.append(made.finished)
    assert seen == [False, False, False, True]


def test_a_request_and_its_replies() -> None:
    asked: Event = {
        "type": "control_request",
        "request_id": "r1",
        "request": {"subtype": "can_use_tool", "tool_name": "Agent", "input": {"prompt": "p"}},
    }
    request = reader().request(asked)
    assert request is not None
    assert (request.kind, request.tool, request.params) == ("permission", "Task", {"prompt": "p"})
    allowed = json.loads(reader().reply(request, Reply(allow=True)))
    assert allowed["response"]["response"] == {"behavior": "allow", "updatedInput": {"prompt": "p"}}
    denied = json.loads(reader().reply(request, Reply(allow=False)))
    assert denied["response"]["request_id"] == "r1"
    assert denied["response"]["response"]["behavior"] == "deny"
    assert denied["response"]["response"]["message"]
    assert reader().request({**asked, "type": "assistant"}) is None


def _words_in(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            yield from (word for item in value for word in _words_in(item))
        case dict():
            yield from value
            yield from (word for item in value.values() for word in _words_in(item))
        case _:
            return


WORDS = st.sampled_from(sorted({*_words_in([*RECORDED]), "control_request", "can_use_tool"}))
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=12,
)
EVENTS = st.dictionaries(WORDS | st.text(max_size=3), VALUES, max_size=8)


@st.composite
def mangled(draw: st.DrawFn) -> list[Event]:
    """The recorded stream with some events lost, repeated, or with another value somewhere."""
    events = draw(st.lists(st.sampled_from(RECORDED), max_size=12))
    return [_mangle(draw, event) if draw(st.booleans()) else event for event in events]


def _mangle(draw: st.DrawFn, event: Event) -> Event:
    key = draw(st.sampled_from(sorted(event)))
    value = event[key]
    if isinstance(value, dict) and value and draw(st.booleans()):
        return {**event, key: _mangle(draw, value)}
    return {**event, key: draw(VALUES)}


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(EVENTS, max_size=10) | mangled(), st.sampled_from([WELL, BADLY, KILLED]))
def test_no_stream_breaks_the_reader(events: list[Event], exit_: Exit) -> None:
    made = reader(named="greet")
    for event in events:
        made.request(event)
    steps, ended = read(events, exit_)
    assert isinstance(ended, Ended)
    assert ended.usage.total_tokens >= 0
    for step in steps:
        match step:
            case Said():
                assert step.text
            case Called():
                json.dumps(dict(step.params))
            case _:
                pass
