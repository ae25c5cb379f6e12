"""What opencode exports, prints and keeps in its database."""

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.readers.reading import READERS, codes, document, read, read_one, there
from whet.core.errors import InvalidDocument
from whet.readers.discovery import candidates
from whet.readers.long_line import LONGEST_TEXT

RECORDED = Path(__file__).parent.parent / "engines/recorded"
Row = dict[str, JsonValue]
BEGIN = 1_794_891_567_000


def tool(
    second: int, name: str, tool_name: str, given: Row, output: str = "out", **meta: JsonValue
) -> Row:
    return {
        "type": "tool",
        "id": name,
        "tool": tool_name,
        "callID": f"call_{name}",
        "state": {
            "status": "completed",
            "input": given,
            "output": output,
            "title": "shown",
            "metadata": {**meta},
            "time": {"start": BEGIN + second * 1000, "end": BEGIN + second * 1000 + 500},
        },
    }


def message(second: int, role: str, *parts: Row, **more: JsonValue) -> Row:
    info: Row = {
        "id": f"msg_{second}",
        "role": role,
        "time": {"created": BEGIN + second * 1000},
        "modelID": "some-model",
        **more,
    }
    numbered: list[JsonValue] = [
        {"id": f"prt_{second}_{number}", **part} for number, part in enumerate(parts)
    ]
    return {"info": info, "parts": numbered}


def text(said: str) -> Row:
    return {"type": "text", "text": said}


def finish(reason: str, cost: float = 0) -> Row:
    tokens: Row = {"input": 10, "output": 2, "reasoning": 1, "cache": {"read": 3, "write": 0}}
    return {"type": "step-finish", "reason": reason, "tokens": tokens, "cost": cost}


INFO: Row = {
    "id": "ses_1",
    "slug": "brave-pixel",
    "title": "A title",
    "version": "1.18.33",
    "time": {"created": BEGIN, "updated": BEGIN + 9000},
}
WORK = [
    message(0, "user", text("Go."), {**text("Injected."), "synthetic": True}),
    message(
        1,
        "assistant",
        text("I look."),
        tool(1, "p1", "write", {"filePath": "a.txt", "content": "x"}, exists=False),
        tool(2, "p2", "bash", {"command": "exit 3", "description": "Fail"}, exit=3),
        tool(3, "p3", "task", {"prompt": "Look.", "subagent_type": "general"}, sessionId="ses_2"),
        finish("tool-calls", 0.25),
        finish="tool-calls",
    ),
    message(6, "assistant", text("Done."), finish("stop", 0.5), finish="stop"),
]
BELOW = [
    message(3, "user", text("Look.")),
    message(4, "assistant", tool(4, "p4", "skill", {"name": "greet"}), finish("stop")),
]


def check(path: Path) -> set[str]:
    session, report = read_one(path)
    assert (session.session_id, session.task_title) == ("ses_1", "A title")
    assert session.user_prompt == "Go."
    told = [(call.tool_name, call.output.status) for call in session.tool_calls[:3]]
    assert told == [("Write", "success"), ("Bash", "failed"), ("Task", "success")]
    write = session.tool_calls[0]
    assert write.input.params == {"file_path": "a.txt", "content": "x"}
    assert write.duration_ms == 500
    assert there(write.output.result).display == "Wrote 1 line"
    assert session.summary.files_created == ("a.txt",)
    assert session.messages == ("I look.", "Done.")
    assert (session.status, session.final_answer) == ("success", "Done.")
    assert (session.agent.model_id, session.engine_version) == ("some-model", "1.18.33")
    assert session.cost_usd == 0.75
    return codes(report)


def test_an_export_has_nothing_of_subagents(tmp_path: Path) -> None:
    messages: list[JsonValue] = [*WORK]
    path = document(tmp_path / "export.json", {"info": INFO, "messages": messages})
    assert check(path) == {"subagent_thread"}
    session, _ = read_one(path)
    assert len(session.tool_calls) == 3
    assert session.tool_calls[2].subagent_info is None
    assert session.input_tokens == 20


def database(path: Path, sessions: Mapping[str, tuple[str | None, list[Row]]]) -> Path:
    with sqlite3.connect(path) as made:
        made.executescript(
            "CREATE TABLE session (id text PRIMARY KEY, parent_id text, title text, version text,"
            " time_created integer);"
            "CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer,"
            " data text);"
            "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);"
        )
        for name, (parent, messages) in sessions.items():
            made.execute(
                "INSERT INTO session VALUES (?, ?, 'A title', '1.18.33', ?)", (name, parent, BEGIN)
            )
            for number, each in enumerate(messages):
                info, parts = each["info"], each["parts"]
                assert isinstance(info, dict)
                assert isinstance(parts, list)
                key = f"{name}_{number}"
                row = (key, name, BEGIN + number, json.dumps(info))
                made.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
                for part in parts:
                    assert isinstance(part, dict)
                    row = (f"{name}{part['id']}", key, name, json.dumps(part))
                    made.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
    made.close()
    return path


def test_the_database_has_all_sessions_and_their_subagents(tmp_path: Path) -> None:
    path = database(
        tmp_path / "opencode.db",
        {"ses_1": (None, WORK), "ses_2": ("ses_1", BELOW), "ses_3": ("lost", BELOW)},
    )
    sessions, report = read(path)
    assert [session.session_id for session in sessions] == ["ses_1", "ses_3"]
    first = sessions[0]
    assert [call.tool_name for call in first.tool_calls] == ["Write", "Bash", "Task", "Skill"]
    assert first.tool_calls[3].parent_call_id == first.tool_calls[2].call_id
    assert there(first.tool_calls[2].subagent_info).tool_uses == 1
    assert (first.skills_used, first.input_tokens) == (("greet",), 30)
    assert sessions[1].user_prompt == "Look."
    assert report.sessions == ("ses_1", "ses_3")
    assert report.tool_calls == 5
    assert codes(report) == set()
    assert [each.format for each in candidates(tmp_path, READERS)] == ["opencode-database"]


def test_one_session_of_a_database_is_as_its_export(tmp_path: Path) -> None:
    assert (
        check(database(tmp_path / "a.db", {"ses_1": (None, WORK), "ses_2": ("ses_1", BELOW)}))
        == set()
    )


def test_a_part_that_is_too_long_is_cut(tmp_path: Path) -> None:
    long = tool(1, "p1", "bash", {"command": "yes"}, output="y\n" * (3 * LONGEST_TEXT), exit=0)
    path = database(tmp_path / "a.db", {"ses_1": (None, [WORK[0], message(1, "assistant", long)])})
    session, report = read_one(path)
    [call] = session.tool_calls
    assert (call.output.status, call.output.truncated) == ("success", True)
    assert codes(report) == {"long_text"}


def test_damaged_rows_are_skipped(tmp_path: Path) -> None:
    path = database(tmp_path / "a.db", {"ses_1": (None, WORK)})
    with sqlite3.connect(path) as changed:
        changed.execute("UPDATE part SET data = '{broken' WHERE id = 'ses_1p2'")
        changed.execute("UPDATE part SET data = '[1]' WHERE id = 'ses_1p3'")
        changed.execute("UPDATE message SET data = '{' WHERE id = 'ses_1_1'")
    changed.close()
    session, report = read_one(path)
    assert [call.tool_name for call in session.tool_calls] == ["Write"]
    assert {"broken_json", "not_an_object"} <= codes(report)


def test_a_database_of_somebody_elses(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as made:
        made.execute("CREATE TABLE session (id text)")
    made.close()
    with pytest.raises(InvalidDocument, match="no session log"):
        read(tmp_path / "a.db")
    assert candidates(tmp_path, READERS) == ()


def test_a_database_that_is_cut_off(tmp_path: Path) -> None:
    many = {f"ses_{number}": (None, WORK) for number in range(100)}
    data = database(tmp_path / "a.db", many).read_bytes()
    (tmp_path / "b.db").write_bytes(data[: len(data) // 2])
    with pytest.raises(InvalidDocument):
        read(tmp_path / "b.db")


def test_what_the_program_prints() -> None:
    session, report = read_one(RECORDED / "opencode.jsonl")
    told = [(call.tool_name, call.output.status) for call in session.tool_calls]
    assert told == [
        ("Write", "success"),
        ("Bash", "success"),
        ("Skill", "success"),
        ("Task", "success"),
        ("Bash", "success"),
        ("Bash", "failed"),
        ("Read", "failed"),
    ]
    assert session.tool_calls[4].parent_call_id == session.tool_calls[3].call_id
    assert (session.status, session.final_answer) == ("success", "All done.")
    assert codes(report) == {"user_prompt", "model_id"}
