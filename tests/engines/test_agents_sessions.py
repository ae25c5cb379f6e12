"""What the recorder keeps of real agents: all that the session log format asks for."""

from pathlib import Path
from typing import cast

import pytest

from tests.engines.driving import Subject, bench, each_engine
from whet.core.acts import is_known
from whet.documents.session import Session, ToolCall
from whet.documents.text import parse_json
from whet.engines.claude import ClaudeEngine
from whet.engines.codex import CodexEngine
from whet.engines.gemini import GeminiEngine
from whet.engines.opencode import OpencodeEngine
from whet.ports.engine import Engine
from whet.testing.model_server import Conversation, Script, Turn
from whet.testing.model_server import ToolCall as Wanted


def wanted(action: str, **arguments: str) -> Wanted:
    return Wanted.model_validate({"action": action, "arguments": arguments})


SCRIPT = Script(
    conversations=(
        Conversation(
            marker="INNER WORK",
            turns=(
                Turn(text="Within.", calls=(wanted("shell", command="ls -la"),)),
                Turn(text="Seen."),
            ),
        ),
        Conversation(
            marker="Do a lot",
            turns=(
                Turn(text="I read.", calls=(wanted("read", path="in.txt"),)),
                Turn(text="I look.", calls=(wanted("shell", command="ls -a | head -3"),)),
                Turn(text="I fail.", calls=(wanted("shell", command="false"),)),
                Turn(text="I write.", calls=(wanted("write", path="new.txt", content="a\nb\n"),)),
                Turn(
                    text="I change.",
                    calls=(wanted("shell", command="echo more >> in.txt && seq 1 9000"),),
                ),
                Turn(text="I delegate.", calls=(wanted("agent", prompt="INNER WORK please"),)),
                Turn(text="All done."),
            ),
        ),
    )
)


def recorded(subject: Subject, folder: Path) -> Session:
    with bench(folder, SCRIPT) as made:
        agent = subject.engine(made)
        spec = made.spec(agent, "Do a lot.", model=subject.model, files={"in.txt": "a\nb\n"})
        record = made.settle(cast(Engine, agent), spec).record
        assert record is not None
        return Session.parse(parse_json(made.store.blobs.get(record.session), "log"), "log")


@pytest.mark.slow
@each_engine
def test_a_session_of_a_real_agent_has_all_that_the_format_asks_for(
    subject: Subject, tmp_path: Path
) -> None:
    session = recorded(subject, tmp_path)
    read, look, fail, write, change, task, *inner = session.tool_calls
    assert [one.tool_category for one in (look, fail, write, change, task)] == [
        *("perception", "action", "action", "action", "interaction")
    ]
    assert read.tool_category == "perception"
    assert all(is_known(one.tool_name) for one in session.tool_calls)
    for one in session.tool_calls:
        assert one.started_at <= one.ended_at
        assert len(one.started_at) == len("2024-01-01T12:00:00.000Z")
        shown = one.output.result.display if one.output.result else None
        assert shown or one.output.error or not _content(one)
    assert [one.input.raw_command for one in (look, fail)] == ["$ ls -a | head -3", "$ false"]
    assert [one.output.status for one in (read, look, fail, write, change)] == [
        *("success", "success", "failed", "success", "success")
    ]
    assert fail.output.error
    assert change.output.truncated is True
    assert look.context_contribution is not None
    assert look.context_contribution.type == "command_output"
    assert read.context_contribution is not None
    summary = session.summary
    assert (summary.files_created, summary.files_modified) == (("new.txt",), ("in.txt",))
    failed = [one for one in session.tool_calls if one.output.status == "failed"]
    # A subagent of codex that nobody waited for may have been cut off in its call.
    assert len(failed) == 1 or subject.name == "codex"
    assert summary.errors_encountered == len(failed)
    assert summary.tool_calls_count == len(session.tool_calls)
    assert session.input_tokens
    assert session.agent.capability_snapshot is not None
    assert f" {session.engine} {session.engine_version} tools:" in session.agent.capability_snapshot
    if subject.name != "codex":  # its subagents go on by themselves: the turn did not wait for it
        assert [one.parent_call_id for one in inner] == [task.call_id]
        assert task.subagent_info is not None
        assert task.subagent_info.tool_uses == 1


def _content(call: ToolCall) -> object:
    result = call.output.result
    return (result.__pydantic_extra__ or {}).get("content") if result else None


@pytest.mark.parametrize("engine", [ClaudeEngine, CodexEngine, GeminiEngine, OpencodeEngine])
def test_every_tool_of_an_agent_has_a_category(engine: type[ClaudeEngine]) -> None:
    assert [tool for tool in sorted(engine.own_tools) if not is_known(tool)] == []
