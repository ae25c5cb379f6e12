"""Rollouts of Codex, as various versions have written them."""

import json
import shutil
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.readers.reading import READERS, codes, lines, read_one, there
from whet.readers.discovery import candidates

RECORDED = Path(__file__).parent.parent / "engines/recorded"
MAIN = "01a1e2cd-74f0-7440-94eb-b04f0324ddf0"
BELOW = "01a1e2cd-7883-7b40-8665-fc9a7d998526"
Row = dict[str, JsonValue]


def rollout(folder: Path, thread: str, source: str) -> Path:
    path = folder / f"2026/11/16/rollout-2026-11-16T05-21-18-{thread}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(RECORDED / source, path)
    return path


def test_a_rollout_with_the_thread_of_a_subagent(tmp_path: Path) -> None:
    path = rollout(tmp_path, MAIN, "codex-main.jsonl")
    rollout(tmp_path, BELOW, "codex-subagent.jsonl")
    session, report = read_one(path)
    told = [(call.tool_name, call.output.status) for call in session.tool_calls]
    assert sorted(told) == sorted(
        [
            ("Bash", "success"),
            ("Task", "success"),
            ("Bash", "success"),
            ("Bash", "failed"),
            ("Write", "success"),
            ("mcp__calc__add", "success"),
            ("Edit", "failed"),
        ]
    )
    task = next(call for call in session.tool_calls if call.tool_name == "Task")
    below = [call for call in session.tool_calls if call.parent_call_id == task.call_id]
    assert [call.input.params for call in below] == [{"command": "echo of the subagent > sub.txt"}]
    assert session.user_prompt == "MARK do it with $greet"
    assert session.skills_used == ("greet",)
    assert (session.status, session.final_answer) == ("success", "All done.")
    assert (session.cache_read_tokens, session.cache_write_tokens) == (30, 5)
    # These recordings have lost the times of their rows.
    assert codes(report) <= {"time", "model_id"}


def test_a_thread_that_is_not_there_is_missed(tmp_path: Path) -> None:
    path = rollout(tmp_path, MAIN, "codex-main.jsonl")
    session, report = read_one(path)
    assert "subagent_thread" in codes(report)
    assert all(call.parent_call_id is None for call in session.tool_calls)


def row(kind: str, second: int, **payload: JsonValue) -> Row:
    return {"timestamp": f"2025-10-01T12:00:{second:02}.000Z", "type": kind, "payload": payload}


META = row("session_meta", 0, id="t1", cli_version="0.44.0", cwd="/w", originator="codex_cli_rs")
CONTEXT = row("turn_context", 0, model="gpt-5-codex", cwd="/w")


def message(second: int, role: str, text: str) -> Row:
    kind = "output_text" if role == "assistant" else "input_text"
    return row(
        "response_item", second, type="message", role=role, content=[{"type": kind, "text": text}]
    )


def shell(second: int, name: str, command: str) -> Row:
    arguments = json.dumps({"command": ["bash", "-lc", command], "timeout_ms": 1000})
    return row(
        "response_item",
        second,
        type="function_call",
        name="shell",
        arguments=arguments,
        call_id=name,
    )


def output(second: int, name: str, text: JsonValue) -> Row:
    return row("response_item", second, type="function_call_output", call_id=name, output=text)


OLDER = [
    META,
    message(0, "user", "<environment_context>\n</environment_context>"),
    CONTEXT,
    message(1, "user", "Tidy up."),
    message(2, "assistant", "I look."),
    shell(3, "c1", "ls"),
    output(4, "c1", json.dumps({"output": "a.txt\n", "metadata": {"exit_code": 0}})),
    shell(5, "c2", "false"),
    output(6, "c2", "Exit code: 1\nWall time: 0 seconds\nOutput:\n"),
    row(
        "response_item",
        7,
        type="custom_tool_call",
        name="apply_patch",
        call_id="c3",
        input="*** Begin Patch\n*** Add File: new.txt\n+x\n*** Update File: old.txt\n*** End Patch",
    ),
    row(
        "response_item",
        8,
        type="custom_tool_call_output",
        call_id="c3",
        output="Exit code: 0\nOutput:\nSuccess.",
    ),
    row(
        "event_msg",
        8,
        type="token_count",
        info={
            "total_token_usage": {
                "input_tokens": 100,
                "cached_input_tokens": 40,
                "output_tokens": 9,
            }
        },
    ),
    message(9, "assistant", "It is tidy."),
]


def test_versions_that_kept_answers_only(tmp_path: Path) -> None:
    session, report = read_one(lines(tmp_path / "rollout.jsonl", OLDER))
    told = [(call.tool_name, call.output.status) for call in session.tool_calls]
    assert told == [("Bash", "success"), ("Bash", "failed"), ("Edit", "success")]
    look = session.tool_calls[0]
    assert look.input.params == {"command": "ls", "timeout_ms": 1000}
    assert (look.tool_category, look.duration_ms) == ("perception", 1000)
    shown = {"display": "a.txt", "content": "a.txt\n"}
    assert there(look.output.result).to_data() == shown
    assert session.summary.files_created == ("new.txt",)
    assert session.summary.files_modified == ("old.txt",)
    assert session.user_prompt == "Tidy up."
    assert session.agent.model_id == "gpt-5-codex"
    assert (session.status, session.final_answer) == ("success", "It is tidy.")
    assert (session.input_tokens, session.cache_read_tokens) == (60, 40)
    assert report.findings == ()


def test_versions_with_an_event_for_each_kind_of_call(tmp_path: Path) -> None:
    rows = [
        *OLDER[:5],
        shell(3, "c1", "make"),
        row(
            "event_msg",
            4,
            type="exec_command_end",
            call_id="c1",
            command=["bash", "-lc", "make"],
            stdout="built",
            stderr="",
            exit_code=2,
        ),
        output(4, "c1", "Exit code: 2"),
        row("event_msg", 5, type="patch_apply_begin", call_id="c2",
            changes={"/w/a.txt": {"type": "add", "content": "x"}}),
        row("event_msg", 6, type="patch_apply_end", call_id="c2", success=True),
        row("event_msg", 7, type="mcp_tool_call_end", call_id="c3",
            invocation={"server": "s", "tool": "t", "arguments": {"a": 1}},
            result={"Ok": {"content": [{"type": "text", "text": "yes"}], "is_error": False}}),
        row("event_msg", 8, type="turn_aborted", reason="interrupted"),
    ]  # fmt: skip
    session, _ = read_one(lines(tmp_path / "rollout.jsonl", rows))
    told = [(call.tool_name, call.output.status) for call in session.tool_calls]
    assert told == [("Bash", "failed"), ("Write", "success"), ("mcp__s__t", "success")]
    assert session.tool_calls[0].input.params == {"command": "make"}
    assert session.tool_calls[0].output.error == "built"
    assert session.summary.files_created == ("/w/a.txt",)
    assert (session.status, session.error) == ("failed", "interrupted")


def test_the_oldest_versions_had_bare_items(tmp_path: Path) -> None:
    rows: list[Row] = [
        {"id": "t0", "timestamp": "2025-06-01T12:00:00Z", "instructions": None},
        {"record_type": "state"},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Hi."}],
        },
        {
            "type": "local_shell_call",
            "call_id": "c1",
            "status": "completed",
            "action": {"type": "exec", "command": ["bash", "-lc", "ls"]},
        },
        {"type": "function_call_output", "call_id": "c1", "output": "a"},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Done."}],
        },
    ]
    session, report = read_one(lines(tmp_path / "rollout-old.jsonl", rows))
    assert (session.session_id, session.user_prompt) == ("t0", "Hi.")
    [call] = session.tool_calls
    assert (call.tool_name, call.input.params) == ("Bash", {"command": "ls"})
    assert (session.status, session.final_answer) == ("success", "Done.")
    assert "time" in codes(report)


def test_a_call_that_never_came_back(tmp_path: Path) -> None:
    session, report = read_one(lines(tmp_path / "r.jsonl", OLDER[:6]))
    [call] = session.tool_calls
    assert (call.tool_name, call.output.status) == ("Bash", "failed")
    assert session.status == "in_progress"
    assert codes(report) == {"result"}


def test_what_the_program_prints() -> None:
    session, report = read_one(RECORDED / "codex.jsonl")
    told = [(call.tool_name, call.output.status) for call in session.tool_calls]
    assert told == [
        ("Bash", "success"),
        ("Task", "success"),
        ("Bash", "failed"),
        ("Write", "success"),
        ("mcp__calc__add", "success"),
    ]
    assert (session.status, session.final_answer) == ("success", "All done.")
    assert (session.input_tokens, session.skills_used) == (650, ("greet",))
    assert session.summary.files_created == ("/run/work/made.txt",)
    assert codes(report) == {"time", "user_prompt", "model_id"}


@pytest.mark.parametrize("name", ["../../../x", "a/b", "*", ""])
def test_a_threads_name_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    spawn: Row = {
        "type": "CollabAgentToolCall",
        "id": "c9",
        "tool": "spawn_agent",
        "receiver_thread_ids": [name],
        "prompt": "p",
        "status": "completed",
    }
    item = row("event_msg", 9, type="item_completed", thread_id="t1", item=spawn)
    path = lines(tmp_path / "1/2/3/rollout-x.jsonl", [*OLDER, item])
    lines(tmp_path / "1/2/3/rollout-y-z.jsonl", OLDER)
    session, _ = read_one(path)
    assert [call.tool_name for call in session.tool_calls] == ["Bash", "Bash", "Edit", "Task"]


def test_threads_of_subagents_are_not_listed_where_their_parent_is(tmp_path: Path) -> None:
    main = lines(tmp_path / "2026/11/16/rollout-a-t1.jsonl", OLDER)
    child = row("session_meta", 0, id="t2", parent_thread_id="t1")
    below = lines(tmp_path / "2026/11/17/rollout-b-t2.jsonl", [child, *OLDER[1:]])
    assert [each.path for each in candidates(tmp_path, READERS)] == [main]
    main.unlink()
    assert [each.path for each in candidates(tmp_path, READERS)] == [below]
