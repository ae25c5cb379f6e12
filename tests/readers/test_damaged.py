"""Logs of every kind with damage in them: something is read or refused, never made up or lost."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.documents.agreeing import disagreements
from tests.readers.claude_log import worked
from tests.readers.reading import log_of, read
from tests.readers.test_codex import OLDER
from tests.readers.test_gemini import HEAD, WORK
from tests.readers.test_rows import JSON
from whet.core.errors import InvalidDocument
from whet.documents.session import Session
from whet.documents.session_import import ImportReport
from whet.readers.moments import moment

RECORDED = Path(__file__).parent.parent / "engines/recorded"
Row = dict[str, JsonValue]


def recorded(name: str) -> list[Row]:
    return [json.loads(line) for line in (RECORDED / name).read_text("utf-8").splitlines()]


LOGS: dict[str, list[Row]] = {
    "claude": worked(),
    "claude-stream": recorded("claude.jsonl"),
    "codex": recorded("codex-main.jsonl"),
    "codex-older": OLDER,
    "codex-stream": recorded("codex.jsonl"),
    "gemini": [HEAD, *WORK],
    "gemini-stream": recorded("gemini.jsonl"),
    "opencode-stream": recorded("opencode.jsonl"),
}


def places(value: JsonValue, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where something stands in a value."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*path, number))


def replaced(value: JsonValue, path: tuple[str | int, ...], new: JsonValue) -> JsonValue:
    match path, value:
        case (), _:
            return new
        case (str(key), *rest), dict():
            return {**value, key: replaced(value[key], tuple(rest), new)}
        case (int(number), *rest), list():
            inner = replaced(value[number], tuple(rest), new)
            return [*value[:number], inner, *value[number + 1 :]]
        case _:
            return value


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_any_value_may_be_any_other(
    tmp_path_factory: pytest.TempPathFactory, name: str, draw: st.DataObject
) -> None:
    rows = list(LOGS[name])
    for _ in range(draw.draw(st.integers(1, 4))):
        number = draw.draw(st.integers(0, len(rows) - 1))
        path = draw.draw(st.sampled_from([*places(rows[number])][1:] or [()]))
        changed = replaced(rows[number], path, draw.draw(JSON))
        rows[number] = changed if isinstance(changed, dict) else rows[number]
    order = draw.draw(st.permutations(range(len(rows)))) if draw.draw(st.booleans()) else None
    rows = rows if order is None else [rows[number] for number in order]
    file = tmp_path_factory.mktemp("odd") / "log.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    agrees(file)


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_any_byte_may_be_lost(
    tmp_path_factory: pytest.TempPathFactory, name: str, draw: st.DataObject
) -> None:
    data = bytearray("".join(json.dumps(row) + "\n" for row in LOGS[name]).encode())
    for _ in range(draw.draw(st.integers(1, 6))):
        begin = draw.draw(st.integers(0, len(data) - 1))
        length = draw.draw(st.integers(0, 20))
        data[begin : begin + length] = draw.draw(st.binary(max_size=20))
    file = tmp_path_factory.mktemp("lost") / "log.jsonl"
    file.write_bytes(data)
    agrees(file)


def agrees(path: Path) -> None:
    """What is read fits its format and agrees with itself; what is refused says where."""
    refused = None
    try:
        sessions, report = read(path)
    except InvalidDocument as error:
        refused = error.field
        sessions, report = [], ImportReport(source="", format="")
    assert refused is None or refused.startswith("line ")
    assert report.tool_calls == sum(len(session.tool_calls) for session in sessions)
    for session in sessions:
        check(session)


def check(session: Session) -> None:
    assert disagreements(session) == []
    calls = session.tool_calls
    assert session.summary.errors_encountered is not None
    starts = [moment(call.started_at) for call in calls]
    assert starts == sorted(starts, key=str)
    for call in calls:
        begun, ended = moment(call.started_at), moment(call.ended_at)
        assert begun is not None
        assert ended is not None
        assert session.created_at <= call.started_at <= call.ended_at <= session.completed_at
        assert call.duration_ms == round((ended - begun).total_seconds() * 1000)


def test_the_undamaged_logs_are_read_in_full(tmp_path: Path) -> None:
    counts: dict[str, int] = {}
    for name, rows in LOGS.items():
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        sessions, _ = read(file)
        check(sessions[0])
        counts[name] = len(sessions[0].tool_calls)
    assert counts == {
        "claude": 3,
        "claude-stream": 4,
        "codex": 6,
        "codex-older": 3,
        "codex-stream": 5,
        "gemini": 3,
        "gemini-stream": 3,
        "opencode-stream": 7,
    }


def test_sessions_are_given_out_as_they_come(tmp_path: Path) -> None:
    """A reader is asked for no more than the next thing."""
    file = tmp_path / "log.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in worked()), "utf-8")
    log = log_of(file)
    assert log.report().sessions == ()
    first = next(log.sessions())
    assert log.report().sessions == (first["session_id"],)
