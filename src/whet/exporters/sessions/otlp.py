"""A session as spans of OpenTelemetry, by its conventions for generative AI, in OTLP's JSON.

The session is an ``invoke_agent`` span, each call an ``execute_tool`` span below it, and a subagent
an ``invoke_agent`` span below its call. Ids come from those of the session, so the same session
sent twice is one trace.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from pydantic import JsonValue

from whet import __version__
from whet.documents.session import Session, ToolCall
from whet.documents.session_report import SessionReport
from whet.exporters.sessions.conversation import said_in
from whet.exporters.sessions.layout import moment, parent_places, phase_places
from whet.exporters.sessions.otlp_values import Json, attributes, readable, trimmed
from whet.ports.session_exporter import ExportWish

LONGEST = 16_000
"""Characters of one text, unless all are wished for."""

INTERNAL = 1
ERROR = 2
OTHER = "_OTHER"
"""The type of an error that nobody has classified."""

EVENT = "gen_ai.client.inference.operation.details"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PROVIDERS = {
    "claude": "anthropic",
    "gpt": "openai",
    "codex": "openai",
    "o1": "openai",
    "o3": "openai",
    "o4": "openai",
    "gemini": "gcp.gen_ai",
    "mistral": "mistral_ai",
    "deepseek": "deepseek",
    "grok": "x_ai",
    "kimi": "moonshot_ai",
}


class OtlpExporter:
    """``ports.session_exporter.SessionExporter``: a request to ``/v1/traces``."""

    name = "otlp"
    suffix = ".otlp.json"
    media_type = "application/json"

    def export(self, report: SessionReport, wish: ExportWish) -> str:
        """See the port."""
        spans = _Spans(report, wish).all()
        resource: Json = {
            "attributes": attributes({"service.name": "whet", "service.version": __version__})
        }
        scope: Json = {"name": "whet", "version": __version__}
        content: Json = {
            "resourceSpans": [
                {"resource": resource, "scopeSpans": [{"scope": scope, "spans": [*spans]}]}
            ]
        }
        return json.dumps(content, ensure_ascii=True, separators=(",", ":")) + "\n"


def provider(session: Session) -> str:
    """Who offers the model, by its name or else by the agent's."""
    names = (session.agent.model_id, session.engine or "")
    for name in names:
        for start, known in _PROVIDERS.items():
            if name.lower().rpartition("/")[2].startswith(start):
                return known
    return session.engine or "unknown"


class _Spans:
    """The spans of one session."""

    def __init__(self, report: SessionReport, wish: ExportWish) -> None:
        self._report = report
        self._session = report.session
        self._limit = None if wish.full else LONGEST
        self._trace = _id("trace", self._session.session_id, self._session.created_at)[:32]
        self._root = self._id("session")
        self._begun = self._begin()
        self._calls = [self._id("call", str(n)) for n in range(len(self._session.tool_calls))]

    def all(self) -> Iterator[Json]:
        yield self._agent()
        calls = self._session.tool_calls
        phases = phase_places(self._report.layout.bands, len(calls))
        for place, parent in enumerate(parent_places(calls)):
            above = self._root if parent is None else self._below(parent)
            at = phases[place]
            phase = None if at is None else self._report.layout.bands[at].phase_type
            yield self._tool(place, above, phase)
            if calls[place].subagent_info is not None:
                yield self._subagent(place)

    def _begin(self) -> datetime:
        known = [moment(text) for text in self._times()]
        return min((at for at in known if at is not None), default=_EPOCH)

    def _times(self) -> Iterator[str]:
        yield self._session.created_at
        yield from (call.started_at for call in self._session.tool_calls)

    def _below(self, place: int) -> str:
        """What a subagent's calls belong to."""
        is_told = self._session.tool_calls[place].subagent_info is not None
        return self._id("subagent", str(place)) if is_told else self._calls[place]

    def _id(self, *names: str) -> str:
        return _id(self._session.session_id, *names)[:16]

    def _span(self, own: str, above: str | None, name: str, times: tuple[float, float]) -> Json:
        start, end = times
        parent: Json = {} if above is None else {"parentSpanId": above}
        return {
            "traceId": self._trace,
            "spanId": own,
            **parent,
            "name": name,
            "kind": INTERNAL,
            "startTimeUnixNano": self._nanoseconds(start),
            "endTimeUnixNano": self._nanoseconds(max(start, end)),
        }

    def _nanoseconds(self, milliseconds: float) -> str:
        # Counted in whole microseconds: a float of nanoseconds since 1970 would lose some.
        since = (self._begun - _EPOCH) // timedelta(microseconds=1) + round(milliseconds * 1000)
        return str(min(max(0, since * 1000), 2**63 - 1))

    def _agent(self) -> Json:
        session = self._session
        name = session.engine or session.agent.model_id
        told: dict[str, JsonValue] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": provider(session),
            "gen_ai.agent.name": name,
            "gen_ai.agent.version": session.engine_version,
            "gen_ai.conversation.id": session.session_id,
            "gen_ai.request.model": session.agent.model_id,
            "gen_ai.usage.input_tokens": _input_tokens(session),
            "gen_ai.usage.output_tokens": session.output_tokens,
            "gen_ai.usage.cache_read.input_tokens": session.cache_read_tokens,
            "gen_ai.usage.cache_creation.input_tokens": session.cache_write_tokens,
            "gen_ai.input.messages": json.dumps(self._message("user", session.user_prompt)),
            "gen_ai.output.messages": self._answer(),
            "whet.session.title": session.task_title,
            "whet.session.status": session.status,
            "whet.session.simulated": session.simulated,
            "whet.session.cost_usd": session.cost_usd,
            "whet.trial.address": session.trial_address,
        }
        times = 0.0, float(self._report.layout.duration_ms)
        span = self._span(self._root, None, f"invoke_agent {name}", times)
        if session.status == "failed":
            self._fail(span, told, session.error)
        span["attributes"] = attributes(told)
        span["events"] = [*self._messages()]
        return span

    def _tool(self, place: int, above: str, phase: str | None) -> Json:
        call, laid_out = self._session.tool_calls[place], self._report.layout
        told: dict[str, JsonValue] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.tool_name,
            "gen_ai.tool.call.id": call.call_id,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.arguments": json.dumps(trimmed(call.input.params, self._limit)),
            "gen_ai.tool.call.result": self._result(call),
            "whet.tool.category": call.tool_category,
            "whet.tool.description": call.input.description,
            "whet.session.phase": phase,
        }
        times = laid_out.starts_ms[place], laid_out.ends_ms[place]
        span = self._span(self._calls[place], above, f"execute_tool {call.tool_name}", times)
        if call.output.status == "failed":
            self._fail(span, told, call.output.error)
        span["attributes"] = attributes(told)
        return span

    def _subagent(self, place: int) -> Json:
        call, laid_out = self._session.tool_calls[place], self._report.layout
        info = call.subagent_info
        name = info.subagent_type if info is not None else ""
        times = laid_out.starts_ms[place], laid_out.ends_ms[place]
        own = self._below(place)
        span = self._span(own, self._calls[place], f"invoke_agent {name}", times)
        told: dict[str, JsonValue] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": provider(self._session),
            "gen_ai.agent.name": name,
            "gen_ai.conversation.id": self._session.session_id,
            "whet.subagent.tool_uses": info and info.tool_uses,
            "whet.subagent.tokens": info and info.tokens_used,
        }
        span["attributes"] = attributes(told)
        return span

    def _fail(self, span: Json, told: dict[str, JsonValue], error: str | None) -> None:
        told["error.type"] = OTHER
        span["status"] = {"code": ERROR, "message": readable((error or "")[: self._limit])}

    def _messages(self) -> Iterator[Json]:
        """What was said on the way, as events; at the beginning where nobody knows when."""
        for one in said_in(self._session):
            at = moment(one.at or "") or self._begun
            since = (at - self._begun).total_seconds() * 1000
            role, side = ("user", "input") if one.by == "user" else ("assistant", "output")
            reason = None if one.by == "user" else "stop"
            told: dict[str, JsonValue] = {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": provider(self._session),
                "gen_ai.conversation.id": self._session.session_id,
                f"gen_ai.{side}.messages": self._message(role, one.text, reason),
            }
            when = self._nanoseconds(since)
            yield {"name": EVENT, "timeUnixNano": when, "attributes": attributes(told)}

    def _answer(self) -> str | None:
        if self._session.final_answer is None:
            return None
        reason = "error" if self._session.status == "failed" else "stop"
        return json.dumps(self._message("assistant", self._session.final_answer, reason))

    def _message(self, role: str, text: str, reason: str | None = None) -> list[JsonValue]:
        """A message as the conventions have it: on spans the text of its JSON, as not everybody
        who takes them knows more, on events itself."""
        message: Json = {
            "role": role,
            "parts": [{"type": "text", "content": text[: self._limit]}],
        }
        return [message if reason is None else {**message, "finish_reason": reason}]

    def _result(self, call: ToolCall) -> str | None:
        """What came back, if anything did."""
        if call.output.status == "failed" or call.output.result is None:
            return None
        return json.dumps(trimmed(call.output.result.to_data(), self._limit))


def _input_tokens(session: Session) -> int | None:
    """By the conventions with those that came from a cache, which sessions count apart."""
    if session.input_tokens is None:
        return None
    cached = (session.cache_read_tokens or 0) + (session.cache_write_tokens or 0)
    return session.input_tokens + cached


def _id(*names: str) -> str:
    """Digits that are the same for the same names, and never all 0."""
    joined = "".join(f"{len(name)}:{name}" for name in names)
    return sha256(joined.encode(errors="surrogatepass")).hexdigest()
