"""The reader alone, with a recorded run and with whatever a stream may bring."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.step import Called, Ended, Returned, Said, Step
from whet.core.usage import Usage
from whet.engines.gemini_reader import GeminiReader
from whet.engines.gemini_sessions import Sessions
from whet.shell.process import Exit

RECORDED = Path(__file__).parent / "recorded"
EVENTS: list[dict[str, JsonValue]] = [
    json.loads(line) for line in (RECORDED / "gemini.jsonl").read_text().splitlines()
]
SESSION = (RECORDED / "gemini_session.jsonl").read_bytes()
NOW = datetime.now(UTC)
Event = dict[str, JsonValue]


def _exited(code: int | None, stderr: str = "", *, timed_out: bool = False) -> Exit:
    signal = 9 if code is None else None
    return Exit(code, signal, timed_out=timed_out, truncated=False, seconds=1, stderr=stderr)


def _with_kind(event: Event, kind: JsonValue) -> Event:
    return {**event, "type": kind}


def _with_change(event: Event, key: str, value: JsonValue) -> Event:
    return {**event, key: value}


def _lists_and_objects(inner: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner)


_plain: st.SearchStrategy[JsonValue] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)
)
_values = st.recursive(_plain, _lists_and_objects, max_leaves=8)
_kinds = st.sampled_from(["init", "message", "tool_use", "tool_result", "error", "result"])
_keys = st.sampled_from([*{key for event in EVENTS for key in event}, "error", "severity"])
_events = st.builds(_with_kind, st.dictionaries(_keys, _values), _kinds | _values)
_mangled = st.builds(_with_change, st.sampled_from(EVENTS), _keys, _values)
WELL = _exited(0)


def _reader(folder: Path, session: bytes = SESSION) -> GeminiReader:
    """A reader whose program has written this much of its session."""
    sessions = Sessions(folder, folder)
    (folder / "work/chats").mkdir(parents=True, exist_ok=True)
    (folder / "work/chats/session-1.jsonl").write_bytes(session)
    return GeminiReader("some-model", sessions)


def _read(reader: GeminiReader, events: list[Event], exit_: Exit) -> list[Step]:
    steps = [step for event in events for step in reader.read(event, NOW)]
    return [*steps, *reader.rest(NOW), reader.ended(exit_, NOW)]


def test_a_recorded_run(tmp_path: Path) -> None:
    steps = _read(_reader(tmp_path), EVENTS, WELL)
    ended = steps[-1]
    assert isinstance(ended, Ended)
    assert (ended.failure, ended.answer) == (None, "Done now.")
    assert ended.usage == Usage(input_tokens=200, output_tokens=30, cache_read_tokens=30)
    assert [step.text for step in steps if isinstance(step, Said)] == ["Hello world.", "Done now."]
    assert [step.tool for step in steps if isinstance(step, Called)] == ["Write", "Bash", "Read"]
    _, shell, read = [step for step in steps if isinstance(step, Returned)]
    assert (shell.ok, shell.output) == (False, "out\nExit Code: 3")
    assert (read.ok, read.output) == (True, "hi\n")


def test_without_the_sessions_files_there_is_less_to_tell(tmp_path: Path) -> None:
    steps = _read(_reader(tmp_path, b"not a record\n{}\n[]\n"), EVENTS, WELL)
    _, shell, read = [step for step in steps if isinstance(step, Returned)]
    assert (shell.ok, shell.output, read.output) == (True, "out", "")


def test_a_result_waits_for_its_record_but_not_beyond_the_next_event(tmp_path: Path) -> None:
    reader = _reader(tmp_path, b"")
    results = [event for event in EVENTS if event["type"] == "tool_result"]
    calls = [event for event in EVENTS if event["type"] == "tool_use"]
    before = [step for event in [*calls, *results] for step in reader.read(event, NOW)]
    after = list(reader.read({"type": "message", "role": "assistant", "content": "x"}, NOW))
    assert [type(step) for step in before] == [Called] * 3
    assert [type(step) for step in after] == [Returned] * 3


def test_a_line_that_is_not_complete_yet_is_read_later(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, tmp_path)
    file = tmp_path / "work/chats/session-1.jsonl"
    file.parent.mkdir(parents=True)
    lines = SESSION.splitlines(keepends=True)
    whole, tokens = next((n, line) for n, line in enumerate(lines) if b'"tokens"' in line)
    file.write_bytes(b"".join(lines[:whole]) + tokens[:40])
    sessions.look()
    assert sessions.usage == Usage()
    file.write_bytes(b"".join(lines[: whole + 1]))
    sessions.look()
    assert sessions.usage == Usage(input_tokens=100, output_tokens=20, cache_read_tokens=30)


def test_what_earlier_runs_used_is_not_charged_again(tmp_path: Path) -> None:
    _reader(tmp_path)
    sessions = Sessions(tmp_path, tmp_path)
    sessions.look()
    assert sessions.usage == Usage()


def test_sessions_are_files_and_neither_links_nor_pipes(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.mkdir()
    (outside / "session.jsonl").write_bytes(SESSION)
    chats = folder / "work/chats"
    chats.mkdir(parents=True)
    (chats / "a.jsonl").symlink_to(outside / "session.jsonl")
    (folder / "linked").symlink_to(outside)
    (chats / "linked").symlink_to(outside)
    os.mkfifo(chats / "b.jsonl")
    sessions = Sessions(folder, folder)
    sessions.look()
    assert sessions.usage == Usage()
    assert not sessions.outcomes


@pytest.mark.parametrize(
    ("code", "message", "failure"),
    [
        (0, "Loop detected, stopping execution", Failure.MAX_TURNS),
        (0, "Maximum session turns exceeded", Failure.MAX_TURNS),
        (0, "The model response was blocked due to recitation/copyright filters.", Failure.REFUSAL),
        (0, "Model response was truncated because it exceeded the token limit.", Failure.CONTEXT),
        (0, "The model returned an empty response with no text or thoughts.", Failure.CRASH),
    ],
)
def test_an_error_counts_whatever_the_result_says(
    tmp_path: Path, code: int, message: str, failure: Failure
) -> None:
    error: Event = {"type": "error", "severity": "warning", "message": message}
    exit_ = _exited(code)
    ended = _read(_reader(tmp_path), [error, EVENTS[-1]], exit_)[-1]
    assert isinstance(ended, Ended)
    assert (ended.failure, ended.error) == (failure, message)


@pytest.mark.parametrize(
    ("exit_", "failure"),
    [
        (_exited(0), Failure.CRASH),
        (_exited(42, "No input"), Failure.CRASH),
        (_exited(41, "Please set an Auth method"), Failure.AUTH),
        (_exited(None), Failure.CRASH),
        (_exited(None, timed_out=True), Failure.TIMEOUT),
    ],
)
def test_an_end_without_a_result(tmp_path: Path, exit_: Exit, failure: Failure) -> None:
    ended = _read(_reader(tmp_path), EVENTS[:2], exit_)[-1]
    assert isinstance(ended, Ended)
    assert ended.failure is failure


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        (145, Failure.AUTH),
        (173, Failure.RATE_LIMIT),
        (247, Failure.OVERLOAD),
        (17, Failure.OVERLOAD),
    ],
)
def test_an_exit_code_is_the_rest_of_a_status(tmp_path: Path, code: int, failure: Failure) -> None:
    result: Event = {
        "type": "result",
        "status": "error",
        "error": {"type": "unknown", "message": "[API Error: the service is sorry]"},
    }
    exit_ = _exited(code)
    ended = _read(_reader(tmp_path), [result], exit_)[-1]
    assert isinstance(ended, Ended)
    assert (ended.failure, ended.error) == (failure, "the service is sorry")


@pytest.mark.slow
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    events=st.lists(_events | _mangled | st.sampled_from(EVENTS), max_size=12),
    session=st.binary(max_size=200) | st.just(SESSION),
    cut=st.integers(0, len(SESSION)),
    code=st.integers(0, 255) | st.none(),
)
def test_no_stream_breaks_it(
    tmp_path: Path,
    events: list[Event],
    session: bytes,
    cut: int,
    code: int | None,
) -> None:
    reader = _reader(tmp_path, b"")
    (tmp_path / "work/chats/session-1.jsonl").write_bytes(session[:cut])
    try:
        steps = _read(reader, events, _exited(code))
    except UsageError as error:
        assert "no model" in str(error)  # noqa: PT017 (most streams do not lead here)
        return
    assert [type(step) for step in steps].count(Ended) == 1
    assert len({step.call_id for step in steps if isinstance(step, Returned)}) <= len(events)


def test_how_a_command_ended_is_found_at_once_whatever_it_has_printed(tmp_path: Path) -> None:
    """Else this would take hours, and the test its time limit."""
    reader = GeminiReader("m", Sessions(tmp_path, tmp_path))
    for exit_, ok in (("\nExit Code: 3", False), ("\nx", True)):
        output = "\nSignal: 0" * 200_000 + exit_
        call: Event = {
            "id": "1",
            "name": "run_shell_command",
            "status": "success",
            "result": output,
        }
        record: Event = {"type": "gemini", "id": "m", "toolCalls": [call]}
        file = tmp_path / "work/chats/session.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as kept:
            kept.write(json.dumps(record) + "\n")
        use: Event = {"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "1"}
        result: Event = {"type": "tool_result", "tool_id": "1", "status": "success"}
        steps = [step for event in (use, result) for step in reader.read(event, NOW)]
        assert [step.ok for step in steps if isinstance(step, Returned)] == [ok]


def test_a_program_that_is_killed_has_said_and_used_what_it_has(tmp_path: Path) -> None:
    reader = _reader(tmp_path, b"")
    words: Event = {"type": "message", "role": "assistant", "content": "I beg"}
    steps: list[Step] = [*reader.read(words, NOW)]
    (tmp_path / "work/chats/session-1.jsonl").write_bytes(SESSION)
    steps += _read(reader, [], _exited(None))
    ended = steps[-1]
    assert isinstance(ended, Ended)
    assert [step.text for step in steps if isinstance(step, Said)] == ["I beg"]
    assert (ended.failure, ended.answer) == (Failure.CRASH, "I beg")
    assert ended.usage == Usage(input_tokens=200, output_tokens=30, cache_read_tokens=30)


def test_a_success_without_a_word_from_the_model_is_none(tmp_path: Path) -> None:
    result: Event = {"type": "result", "status": "success", "stats": {"total_tokens": 0}}
    ended = _read(_reader(tmp_path, b""), [{"type": "init"}, result], WELL)[-1]
    assert isinstance(ended, Ended)
    assert ended.failure is Failure.CRASH
    assert "too long" in (ended.error or "")
