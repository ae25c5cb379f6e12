"""A session as a trace: what OpenTelemetry's conventions ask for, in the shape that OTLP has."""

import json
import re
from datetime import UTC, datetime
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.exporters.sessions.drawn import (
    NOON,
    call,
    calm,
    came,
    failed,
    hostile,
    note,
    report,
    session,
)
from whet.documents.session import Session
from whet.exporters.sessions.otlp import OtlpExporter, provider
from whet.exporters.sessions.otlp_values import any_value
from whet.ports.session_exporter import ExportWish

Span = dict[str, JsonValue]


def spans(given: Session | None = None, *, full: bool = False) -> list[Span]:
    text = OtlpExporter().export(report(given, redact=False), ExportWish(full=full))
    match json.loads(text):
        case {
            "resourceSpans": [
                {"resource": resource, "scopeSpans": [{"scope": scope, "spans": found}]}
            ]
        }:
            assert {"key": "service.name", "value": {"stringValue": "whet"}} in resource[
                "attributes"
            ]
            assert scope["name"] == "whet"
            return cast("list[Span]", found)
        case other:
            raise AssertionError(f"no request: {other}")


def told(span: Span) -> dict[str, JsonValue]:
    """The attributes of a span as plain values."""
    return _members(span["attributes"])


def _members(pairs: JsonValue) -> dict[str, JsonValue]:
    assert isinstance(pairs, list)
    found: dict[str, JsonValue] = {}
    for pair in pairs:
        assert isinstance(pair, dict)
        found[str(pair["key"])] = _value(pair["value"])
    return found


def _value(value: JsonValue) -> JsonValue:
    assert isinstance(value, dict)
    if not value:
        return None
    ((kind, content),) = value.items()
    match kind, content:
        case "intValue", str():
            return int(content)
        case "arrayValue", {"values": list(values)}:
            return [_value(one) for one in values]
        case "kvlistValue", {"values": values}:
            return _members(values)
        case (("stringValue" | "doubleValue" | "boolValue"), _):
            return content
        case _:
            raise AssertionError(f"no value: {value}")


def moment(span: Span, name: str) -> datetime:
    return datetime.fromtimestamp(int(str(span[name])) / 1e9, UTC)


def test_the_session_is_an_agent_that_was_invoked() -> None:
    root = spans()[0]
    assert root["name"] == "invoke_agent claude"
    assert root["kind"] == 1
    assert "parentSpanId" not in root
    assert "status" not in root
    attributes = told(root)
    for key, value in {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.agent.name": "claude",
        "gen_ai.agent.version": "2.1.4",
        "gen_ai.conversation.id": "2026-01-25-001-markers",
        "gen_ai.request.model": "claude-opus-4-5",
        "gen_ai.usage.input_tokens": 48_210,
        "gen_ai.usage.output_tokens": 6_934,
        "whet.session.cost_usd": 0.4127,
    }.items():
        assert attributes[key] == value
    asked = json.loads(str(attributes["gen_ai.input.messages"]))
    assert asked == [{"role": "user", "parts": [{"type": "text", "content": calm().user_prompt}]}]
    (answer,) = json.loads(str(attributes["gen_ai.output.messages"]))
    assert (answer["role"], answer["finish_reason"]) == ("assistant", "stop")
    assert moment(root, "startTimeUnixNano") == NOON
    assert moment(root, "endTimeUnixNano").minute == 5


def test_each_call_is_a_tool_that_was_executed() -> None:
    found = [span for span in spans() if str(span["name"]).startswith("execute_tool")]
    assert len(found) == len(calm().tool_calls)
    first = told(found[0])
    assert first["gen_ai.operation.name"] == "execute_tool"
    assert first["gen_ai.tool.name"] == "Glob"
    assert first["gen_ai.tool.call.id"] == "tool-001"
    assert first["gen_ai.tool.type"] == "function"
    assert first["whet.session.phase"] == "explore"
    assert json.loads(str(first["gen_ai.tool.call.arguments"])) == {"pattern": "**/Timeline*.tsx"}
    assert json.loads(str(first["gen_ai.tool.call.result"]))["display"] == "2 files"
    assert moment(found[0], "startTimeUnixNano").second == 4
    assert str(found[1]["startTimeUnixNano"]).endswith("000000000")


def test_what_failed_says_so() -> None:
    (span,) = [span for span in spans() if told(span).get("gen_ai.tool.call.id") == "tool-006"]
    assert span["status"] == {"code": 2, "message": "rg: regex parse error"}
    assert told(span)["error.type"] == "_OTHER"
    assert "gen_ai.tool.call.result" not in told(span)
    root = spans(session(call(1), status="failed", error="it ran out of time"))[0]
    assert root["status"] == {"code": 2, "message": "it ran out of time"}
    assert told(root)["error.type"] == "_OTHER"


def test_a_subagent_is_an_agent_below_its_call() -> None:
    found = spans()
    by_id = {str(span["spanId"]): span for span in found}
    (inner,) = [span for span in found if told(span).get("gen_ai.tool.call.id") == "tool-005"]
    agent = by_id[str(inner["parentSpanId"])]
    assert agent["name"] == "invoke_agent Explore"
    assert told(agent)["whet.subagent.tokens"] == 18_250
    task = by_id[str(agent["parentSpanId"])]
    assert told(task)["gen_ai.tool.call.id"] == "tool-004"
    assert task["parentSpanId"] == found[0]["spanId"]


def test_messages_are_events_with_structure() -> None:
    events = cast("list[Span]", spans()[0]["events"])
    assert {str(event["name"]) for event in events} == {"gen_ai.client.inference.operation.details"}
    first = told(events[0])
    assert first["gen_ai.output.messages"] == [
        {
            "role": "assistant",
            "parts": [{"type": "text", "content": "I look for the timeline first."}],
            "finish_reason": "stop",
        }
    ]
    timed = session(
        messages=["later", "last"],
        messages_at=["2026-01-25T12:00:30Z", "2026-01-25T12:00:40.500Z"],
        prompts=[
            {"at": "2026-01-25T12:00:00Z", "text": "first"},
            {"at": "2026-01-25T12:00:35Z", "text": "then"},
        ],
    )
    events = cast("list[Span]", spans(timed)[0]["events"])
    assert [moment(event, "timeUnixNano").second for event in events] == [30, 35, 40]
    assert "gen_ai.input.messages" in told(events[1])


@pytest.mark.parametrize("given", [calm(), hostile(), session()])
def test_every_span_is_one_and_belongs_to_another(given: Session) -> None:
    found = spans(given)
    known = {str(span["spanId"]) for span in found}
    assert len(known) == len(found)
    assert len({str(span["traceId"]) for span in found}) == 1
    for span in found:
        assert re.fullmatch("[0-9a-f]{32}", str(span["traceId"]))
        assert re.fullmatch("[0-9a-f]{16}", str(span["spanId"]))
        assert span.get("parentSpanId") in {None, *known}
        assert 0 <= int(str(span["startTimeUnixNano"])) <= int(str(span["endTimeUnixNano"]))


def test_ids_come_from_the_session_and_nothing_else() -> None:
    assert spans() == spans()
    other = spans(calm().model_copy(update={"session_id": "another"}))
    assert {str(span["spanId"]) for span in spans()}.isdisjoint(str(one["spanId"]) for one in other)
    same = session(call(1), call(1), call(1))
    assert len({str(span["spanId"]) for span in spans(same)}) == 4


def test_odd_times_are_still_times() -> None:
    odd = session(
        call(1, started_at="0001-01-01T00:00:00Z", ended_at="9999-12-31T23:59:59Z"),
        call(2, started_at="soon", duration_ms=1e300, ended_at="?"),
        created_at="never",
    )
    for span in spans(odd):
        assert 0 <= int(str(span["startTimeUnixNano"])) <= int(str(span["endTimeUnixNano"])) < 2**63


def test_long_texts_are_cut_and_stay_json() -> None:
    given = session(
        call(1, params={"content": "x" * 90_000, "n": [1]}, output=came("y" * 90_000)),
        call(2, output=failed("z" * 90_000)),
        phase_annotations=[note("plan", 1, 1)],
    )
    _, first, second = spans(given)
    params = json.loads(str(told(first)["gen_ai.tool.call.arguments"]))
    assert (len(params["content"]), params["n"]) == (16_000, [1])
    assert len(json.loads(str(told(first)["gen_ai.tool.call.result"]))["content"]) == 16_000
    assert len(cast("dict[str, str]", second["status"])["message"]) == 16_000
    whole = json.dumps(spans(given, full=True))
    assert all(sign * 90_000 in whole for sign in "xyz")


@pytest.mark.parametrize(
    ("model", "engine", "expected"),
    [
        ("claude-opus-4-5", None, "anthropic"),
        ("gpt-5.2", "codex", "openai"),
        ("anthropic/claude-sonnet", "opencode", "anthropic"),
        ("gemini-3-pro", None, "gcp.gen_ai"),
        ("default", "claude", "anthropic"),
        ("simulated-1", "simulated", "simulated"),
        ("llama", None, "unknown"),
    ],
)
def test_the_provider_goes_by_the_model(model: str, engine: str | None, expected: str) -> None:
    assert provider(session(agent={"model_id": model}, engine=engine)) == expected


def test_tokens_from_a_cache_count_as_input() -> None:
    given = session(input_tokens=4, output_tokens=120, cache_read_tokens=900, cache_write_tokens=70)
    attributes = told(spans(given)[0])
    assert attributes["gen_ai.usage.input_tokens"] == 974
    assert attributes["gen_ai.usage.cache_read.input_tokens"] == 900
    assert attributes["gen_ai.usage.cache_creation.input_tokens"] == 70


@given(st.integers())
def test_whole_numbers_are_texts_of_64_bits(number: int) -> None:
    (kind, text), *rest = any_value(number).items()
    assert not rest
    assert text == str(number)
    assert kind == ("intValue" if -(2**63) <= number < 2**63 else "stringValue")
