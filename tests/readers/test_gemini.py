"""Sessions of Gemini CLI, as lines and as documents."""

from pathlib import Path

from pydantic import JsonValue

from tests.readers.reading import READERS, codes, document, lines, read_one, there
from whet.readers.discovery import candidates

RECORDED = Path(__file__).parent.parent / "engines/recorded"
Row = dict[str, JsonValue]
ID = "0085180f-e5da-4f8d-8cd3-eea2dc45c8fd"
HEAD: Row = {
    "sessionId": ID,
    "projectHash": "0fd1",
    "startTime": "2026-11-17T04:59:24.000Z",
    "lastUpdated": "2026-11-17T04:59:24.000Z",
    "kind": "main",
}


def at(second: int) -> str:
    return f"2026-11-17T04:59:{second:02}.000Z"


def user(second: int, text: str) -> Row:
    return {
        "id": f"u{second}",
        "timestamp": at(second),
        "type": "user",
        "content": [{"text": text}],
    }


def model(second: int, text: str, *calls: Row) -> Row:
    return {
        "id": f"g{second}",
        "timestamp": at(second),
        "type": "gemini",
        "content": text,
        "tokens": {"input": 100, "output": 10, "cached": 30, "thoughts": 5, "tool": 0},
        "model": "gemini-2.5-pro",
        **({"toolCalls": [*calls]} if calls else {}),
    }


def call(second: int, name: str, tool: str, response: Row, **more: JsonValue) -> Row:
    return {
        "id": name,
        "name": tool,
        "args": {},
        "status": "success",
        "timestamp": at(second),
        "result": [{"functionResponse": {"id": name, "name": tool, "response": response}}],
        **more,
    }


READ = call(31, "c1", "read_file", {"output": "text"}, args={"absolute_path": "/w/a.txt"})
FAILED = call(
    33,
    "c2",
    "run_shell_command",
    {"output": "<untrusted_context>\nOutput: out\nExit Code: 3\n</untrusted_context>"},
    args={"command": "exit 3"},
    resultDisplay="out",
)
SUMS = call(34, "c3", "mcp_my_sums_add", {"output": "3"}, displayName="add (my_sums MCP Server)")
WORK = [
    user(29, "<session_context>\nThis is the Gemini CLI."),
    user(30, "Go."),
    model(30, "I look.", READ),
    model(32, "", FAILED, SUMS),
    model(35, "Done."),
]


def check(path: Path) -> set[str]:
    session, report = read_one(path)
    assert (session.session_id, session.user_prompt) == (ID, "Go.")
    told = [(call.tool_name, call.output.status) for call in session.tool_calls]
    assert told == [("Read", "success"), ("Bash", "failed"), ("mcp__my_sums__add", "success")]
    read, bash, _ = session.tool_calls
    assert (read.input.params, read.duration_ms) == ({"file_path": "/w/a.txt"}, 1000)
    assert bash.output.error == "out\nExit Code: 3"
    assert session.messages == ("I look.", "Done.")
    assert (session.status, session.agent.model_id) == ("success", "gemini-2.5-pro")
    assert (session.input_tokens, session.output_tokens, session.cache_read_tokens) == (210, 45, 90)
    return codes(report)


def test_lines_that_are_written_again_when_more_is_known(tmp_path: Path) -> None:
    without = [{key: row[key] for key in row if key != "toolCalls"} for row in WORK]
    rows = [row for pair in zip(without, WORK, strict=True) for row in pair]
    update: Row = {"$set": {"lastUpdated": at(40)}}
    context: Row = {"$set": {"messages": [WORK[0]]}}
    path = lines(tmp_path / "session-x.jsonl", [HEAD, context, *rows, update])
    assert check(path) == set()


def test_a_document_of_older_versions(tmp_path: Path) -> None:
    messages: list[JsonValue] = [*WORK]
    assert check(document(tmp_path / "session-x.json", {**HEAD, "messages": messages})) == set()


def test_subagents_have_files_of_their_own(tmp_path: Path) -> None:
    task = call(
        36,
        "c9",
        "invoke_agent",
        {"output": "found"},
        args={"agent_name": "generalist", "prompt": "Look."},
        agentId="agent1",
    )
    rows = [HEAD, user(30, "Go."), model(31, "", task), model(37, "Done.")]
    path = lines(tmp_path / f"chats/session-2026-11-17T04-59-{ID[:8]}.jsonl", rows)
    inner = call(34, "b1", "read_file", {"output": "x"}, args={"file_path": "b"})
    below = [{**HEAD, "kind": "subagent"}, user(32, "Look."), model(33, "The part.", inner)]
    lines(path.parent / ID / "agent1.jsonl", below)
    session, report = read_one(path)
    first, second = session.tool_calls
    assert (first.tool_name, second.tool_name) == ("Task", "Read")
    assert second.parent_call_id == "c9"
    assert there(first.subagent_info).subagent_type == "generalist"
    assert session.messages == ("Done.",)
    assert codes(report) == set()
    assert [each.path for each in candidates(tmp_path, READERS)] == [path]

    (path.parent / ID / "agent1.jsonl").unlink()
    assert codes(read_one(path)[1]) == {"subagent_thread"}
    lines(path.parent / ID / "other.jsonl", below)
    session, report = read_one(path)
    assert session.tool_calls[1].parent_call_id == "c9"
    assert "subagent_prompt" in codes(report)


def test_how_it_ended(tmp_path: Path) -> None:
    error: Row = {"id": "e", "timestamp": at(50), "type": "error", "content": "API Error\nmore"}
    session, _ = read_one(lines(tmp_path / "a.jsonl", [HEAD, *WORK, error]))
    assert (session.status, session.error) == ("failed", "API Error")
    open_call = model(50, "", {"id": "c8", "name": "glob", "args": {}, "status": "executing"})
    session, report = read_one(lines(tmp_path / "a.jsonl", [HEAD, *WORK, open_call]))
    assert session.status == "in_progress"
    assert codes(report) == {"result"}


def test_what_the_program_keeps_and_prints_of_the_same_run() -> None:
    kept, report = read_one(RECORDED / "gemini_session.jsonl")
    printed, noted = read_one(RECORDED / "gemini.jsonl")
    assert codes(report) == set()
    assert codes(noted) == {"exit_code", "file_created"}
    assert kept.session_id == printed.session_id
    for one, other in zip(kept.tool_calls, printed.tool_calls, strict=True):
        assert (one.call_id, one.tool_name, one.input) == (
            other.call_id,
            other.tool_name,
            other.input,
        )
    assert kept.messages == printed.messages == ("Hello world.", "Done now.")
    assert kept.input_tokens == printed.input_tokens
    assert kept.output_tokens == printed.output_tokens
