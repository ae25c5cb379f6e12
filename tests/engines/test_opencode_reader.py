"""Reading streams of opencode: a recorded one, troubles, and whatever may come instead."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.request import Reply
from whet.core.step import Called, Ended, Returned, Said, Step, Triggered
from whet.core.usage import Usage
from whet.engines.opencode_reader import OpencodeReader, Situation
from whet.engines.opencode_tools import hidden, permission
from whet.shell.process import Exit

Event = dict[str, JsonValue]

LINES = (Path(__file__).parent / "recorded/opencode.jsonl").read_text().splitlines()
RECORDED: list[Event] = [json.loads(line) for line in LINES]
OF_THE_PROGRAM = [event for event in RECORDED if not str(event["type"]).startswith("whet.")]
WELL = Exit(code=0, signal=None, timed_out=False, truncated=False, seconds=1, stderr="")
BADLY = Exit(code=1, signal=None, timed_out=False, truncated=False, seconds=1, stderr="")
KILLED = Exit(code=None, signal=9, timed_out=False, truncated=False, seconds=1, stderr="")
LATE = Exit(code=None, signal=15, timed_out=True, truncated=False, seconds=1, stderr="")
IDLE: Event = {"type": "whet.idle"}


def _now() -> datetime:
    return datetime.now(UTC)


def _reader(**about: JsonValue) -> OpencodeReader:
    return OpencodeReader(Situation("maker/some-model", **about))  # pyright: ignore[reportArgumentType]


def _read(events: list[Event], exit_: Exit = WELL, **about: JsonValue) -> tuple[list[Step], Ended]:
    reader = _reader(**about)
    steps = [step for event in events for step in reader.read(event, _now())]
    assert not any(isinstance(step, Ended) for step in steps)
    return steps, reader.ended(exit_, _now())


def _finish(reason: str, number: int = 1, **more: JsonValue) -> Event:
    part: Event = {
        "id": f"finish-{number}",
        "messageID": f"message-{number}",
        "sessionID": "session",
        "type": "step-finish",
        "reason": reason,
        **more,
    }
    return {"type": "whet.part", "part": part, "child": False}


def _tool(name: str, state: Event) -> Event:
    part: Event = {"id": "part", "sessionID": "session", "type": "tool", "tool": name}
    return {"type": "whet.part", "part": {**part, "state": state}}


def _error(name: str, message: str, **data: JsonValue) -> Event:
    return {"type": "whet.error", "error": {"name": name, "data": {"message": message, **data}}}


def test_a_recorded_stream():
    steps, ended = _read(RECORDED, priced=False)
    assert [step.text for step in steps if isinstance(step, Said)] == ["Let me work.", "All done."]
    tools = [step.tool for step in steps if isinstance(step, Called)]
    assert tools == ["Write", "Bash", "Skill", "Task", "Bash", "Bash", "Read"]
    assert len([step for step in steps if isinstance(step, Returned)]) == 7
    assert [step.skill for step in steps if isinstance(step, Triggered)] == ["greet"]
    assert (ended.answer, ended.failure) == ("All done.", None)
    assert ended.usage == Usage(input_tokens=700, output_tokens=70)


def test_without_our_plugin_the_main_thing_is_there_all_the_same():
    steps, ended = _read(OF_THE_PROGRAM)
    assert [step.tool for step in steps if isinstance(step, Called)].count("Bash") == 2
    assert (ended.answer, ended.failure) == ("All done.", None)
    assert ended.conversation == OF_THE_PROGRAM[0]["sessionID"]
    assert ended.usage == Usage(input_tokens=500, output_tokens=50, cost_usd=0)


def test_a_stream_that_is_not_complete_is_no_success():
    assert _read(RECORDED[:-6], KILLED)[1].failure is Failure.CRASH
    assert _read(RECORDED[:4])[1].failure is Failure.CRASH
    assert _read([])[1].failure is Failure.CRASH
    assert _read(RECORDED, LATE)[1].failure is Failure.TIMEOUT


def test_an_end_in_the_middle_of_the_work_is_no_success():
    _, ended = _read([_finish("tool-calls"), IDLE])
    assert ended.failure is Failure.CRASH
    assert ended.error == "stopped in the middle of its work (tool-calls)"


@pytest.mark.parametrize(
    ("reason", "failure"),
    [("length", Failure.CONTEXT), ("content-filter", Failure.REFUSAL), ("stop", None)],
)
def test_why_the_last_answer_ended(reason: str, failure: Failure | None):
    assert _read([_finish(reason), IDLE])[1].failure is failure


def test_a_full_context_that_was_summed_up_is_no_trouble():
    full = _error("ContextOverflowError", "too long")
    _, ended = _read([full, _finish("stop"), IDLE], BADLY)
    assert ended.failure is None
    _, ended = _read([_finish("tool-calls"), full, IDLE], BADLY)
    assert (ended.failure, ended.error) == (Failure.CONTEXT, "too long")


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (_error("APIError", "the server is ill", statusCode=500), Failure.OVERLOAD),
        (_error("APIError", "slow down", statusCode=429), Failure.RATE_LIMIT),
        (_error("APIError", "who are you?", statusCode=403), Failure.AUTH),
        (_error("ProviderAuthError", "no key"), Failure.AUTH),
        (_error("UnknownError", "fetch failed"), Failure.NETWORK),
        (_error("MessageAbortedError", "aborted"), Failure.CRASH),
    ],
)
def test_errors_are_sorted(error: Event, failure: Failure):
    again: Event = {"type": "error", "error": {"name": "UnknownError"}}
    assert _read([error, IDLE, again], BADLY)[1].failure is failure


@pytest.mark.parametrize(
    "error",
    [
        _error("UnknownError", "Model not found: maker/some-model."),
        _error("APIError", "no", statusCode=404, responseBody='{"code":"model_not_found"}'),
    ],
)
def test_a_model_that_does_not_exist_is_the_callers_mistake(error: Event):
    # The program goes on to say that there was an error.
    again: Event = {"type": "error", "error": {"name": "UnknownError", "data": {"message": "x"}}}
    with pytest.raises(UsageError, match="'maker/some-model'"):
        _read([error, IDLE, again], BADLY)


def _retry(attempt: int, seconds: float = 2, http: int = 0, message: str = "m") -> Event:
    pause = (time.time() + seconds) * 1000
    told: Event = {"attempt": attempt, "message": message, "next": pause, "http": http}
    return {"type": "whet.retry", **told}


@pytest.mark.parametrize(
    ("event", "given_up"),
    [
        (_retry(1, http=429), None),
        (_retry(2, http=429), (Failure.RATE_LIMIT, "429: m")),
        (_retry(1, 3600, http=429), (Failure.RATE_LIMIT, "429: m")),
        (_retry(2, http=529), (Failure.OVERLOAD, "529: m")),
        (
            _retry(2, message="Cannot connect to API: Unable to connect."),
            (Failure.NETWORK, "Cannot connect to API: Unable to connect."),
        ),
        (_retry(2), (Failure.NETWORK, "m")),
    ],
)
def test_the_program_may_try_once_again(event: Event, given_up: tuple[Failure, str] | None):
    reader = _reader()
    assert list(reader.read(event, _now())) == []
    assert reader.given_up == given_up


def test_streams_that_break_off_are_given_up():
    reader = _reader()
    reasons = ["unknown", "unknown", "tool-calls", "unknown", "unknown"]
    for number, reason in enumerate(reasons):
        assert list(reader.read(_finish(reason, number), _now())) == []
    assert reader.given_up is None
    assert list(reader.read(_finish("unknown", 9), _now())) == []
    assert reader.given_up == (Failure.NETWORK, "the model's stream broke off 3 times")


def test_a_skill_counts_as_taken_up_when_its_file_is_read():
    place = "/x/.config/opencode/skills/greet/SKILL.md"
    done: Event = {"status": "completed", "input": {"filePath": place}}
    steps, _ = _read([_tool("read", done)], skill="greet")
    assert [step.skill for step in steps if isinstance(step, Triggered)] == ["greet"]
    steps, _ = _read([_tool("read", {**done, "status": "error"})], skill="greet")
    assert not any(isinstance(step, Triggered) for step in steps)
    steps, _ = _read([_tool("skill", {"status": "error", "input": {"name": "greet"}})])
    assert not any(isinstance(step, Triggered) for step in steps)


def test_a_missing_structured_answer_is_no_success():
    _, ended = _read([_finish("stop"), IDLE], structured=True)
    assert (ended.failure, ended.error) == (Failure.CRASH, "no answer that fits the output schema")


def test_requests_of_others_than_our_plugin_are_none(tmp_path: Path):
    (tmp_path / "replies").mkdir()
    reader = OpencodeReader(Situation("m", replies=tmp_path / "replies", root=tmp_path))
    assert reader.request({"type": "whet.request", "id": "../1", "kind": "permission"}) is None
    request = reader.request({"type": "whet.request", "id": "1", "kind": "permission"})
    assert request is not None
    assert reader.reply(request, Reply(allow=True)) == ""
    assert [file.name for file in (tmp_path / "replies").iterdir()] == ["1.json"]


def test_what_is_allowed_is_allowed_and_nothing_else():
    assert permission(None, ()) == {"*": "allow"}
    rules = permission(("Bash", "Write", "Unheard"), ("my.server",))
    allowed = {name for name, rule in rules.items() if rule == "allow"}
    assert rules["*"] == "deny"
    always = {"doom_loop", "external_directory", "StructuredOutput"}
    assert allowed == {"bash", "edit", "my_server_*", *always}
    assert hidden(("Write",)) == ["edit"]
    assert hidden(None) == []


PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=8,
)


def _mangled(value: JsonValue, data: st.DataObject) -> JsonValue:
    """The value with something else here and there."""
    if data.draw(st.integers(0, 12)) == 0:
        return data.draw(JSON)
    match value:
        case dict():
            return {name: _mangled(inner, data) for name, inner in value.items()}
        case list():
            return [_mangled(inner, data) for inner in value]
        case _:
            return value


@PATIENT
@given(st.data())
def test_a_mangled_stream_breaks_nothing(data: st.DataObject):
    event = data.draw(st.sampled_from(RECORDED))
    mangled = [_mangled(event, data) for _ in range(3)]
    events: list[Event] = [each for each in mangled if isinstance(each, dict)]
    _read(events, data.draw(st.sampled_from([WELL, BADLY, KILLED, LATE])))


KINDS = st.sampled_from(["part", "error", "retry", "structured", "idle", "request"])


@pytest.mark.slow
@PATIENT
@given(KINDS, st.dictionaries(st.text(max_size=9), JSON, max_size=5), JSON)
def test_any_object_breaks_nothing(kind: str, event: Event, inner: JsonValue):
    made: Event = {**event, "type": f"whet.{kind}", "part": inner, "error": inner, "next": inner}
    _reader().request(made)
    _read([event, made], WELL)
