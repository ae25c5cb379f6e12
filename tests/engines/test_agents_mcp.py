"""Real agents look something up at a real MCP server, inside their sandbox."""

import json
from pathlib import Path
from typing import cast

import pytest
from pydantic import JsonValue

from tests.engines.driving import Subject, bench, each_engine, says
from whet.documents.session import Session
from whet.ports.engine import Engine
from whet.ports.tooled import Tooled
from whet.testing import mcp_server
from whet.testing.model_server import NativeCall, ToolCall, Turn

pytestmark = pytest.mark.slow


def lookup(key: str) -> ToolCall:
    """The call in the words of each agent."""
    given: dict[str, JsonValue] = {"key": key}
    return ToolCall(
        tool="mcp__notes__lookup",
        arguments=given,
        native={
            "responses": NativeCall(tool="lookup", namespace="mcp__notes", arguments=given),
            "gemini": NativeCall(tool="mcp_notes_lookup", arguments=given),
            "chat": NativeCall(tool="notes_lookup", arguments=given),
        },
    )


@each_engine
def test_a_note_is_looked_up_and_the_session_tells_it(subject: Subject, tmp_path: Path) -> None:
    turns = Turn(calls=(lookup("harbour"),)), Turn(calls=(lookup("nowhere"),)), "At 06:40."
    servers: dict[str, JsonValue] = {mcp_server.NAME: mcp_server.as_option()}
    with bench(tmp_path, says(*turns)) as made:
        agent = subject.engine(made)
        spec = made.spec(agent, "When?", model=subject.model, mcp_servers=servers)
        handled = made.settle(cast(Engine, agent), spec)
        assert handled.record is not None, handled.error
        assert (handled.record.failure, handled.record.answer) == (None, "At 06:40.")
        kept = json.loads(made.store.blobs.get(handled.record.session))
        assert isinstance(agent, Tooled)
        assert "notes@*" in agent.tools(spec.options)
    known, unknown = Session.parse(kept, "session").tool_calls
    assert {known.tool_name, unknown.tool_name} == {"mcp__notes__lookup"}
    assert known.input.params == {"key": "harbour"}
    assert "06:40" in str(known.context_contribution or known.output.result)
    assert (known.output.status, unknown.output.status) == ("success", "failed")
