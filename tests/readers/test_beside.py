"""What lies beside a log: plain files that belong to it are read along, and nothing else is."""

import os
from pathlib import Path
from threading import Thread

import pytest

from tests.readers.claude_log import SESSION, Row, asked
from tests.readers.reading import READERS, codes, lines, read_one
from tests.readers.test_claude import BACK, BELOW, ENDED, TASK, result
from tests.readers.test_codex import OLDER, row
from tests.readers.test_gemini import HEAD, WORK, user
from whet.readers.beside import is_plain, plain_files
from whet.readers.discovery import candidates

LONG = "n" * 400
GO = [asked(0, "Go."), TASK, BACK, ENDED]


@pytest.mark.parametrize("name", [LONG, "a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_no_file(tmp_path: Path, name: str) -> None:
    assert not is_plain(tmp_path / name)
    assert plain_files(tmp_path / name, "*") == []


def test_a_subagent_with_an_impossible_name_is_not_there(tmp_path: Path) -> None:
    named = result(6, "t1", told={"agentId": LONG})
    session, _ = read_one(lines(tmp_path / "a.jsonl", [asked(0, "Go."), TASK, named, ENDED]))
    assert len(session.tool_calls) == 1


def test_a_session_with_an_impossible_name_ends_no_search(tmp_path: Path) -> None:
    odd = lines(tmp_path / "agent-x.jsonl", [{**asked(0, "Go."), "sessionId": LONG}])
    head = {**HEAD, "sessionId": LONG}
    gemini = lines(tmp_path / "chats/session-1.jsonl", [head, *WORK])
    below = [{**HEAD, "kind": "subagent"}, user(32, "Look.")]
    starred = lines(tmp_path / "chats/a**b/agent1.jsonl", below)
    assert {each.path for each in candidates(tmp_path, READERS)} == {odd, gemini, starred}
    assert read_one(gemini)[0].session_id == LONG


def test_a_folder_of_subagents_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    path = lines(tmp_path / f"{SESSION}.jsonl", GO)
    lines(tmp_path / "elsewhere/subagents/agent-ag1.jsonl", BELOW)
    own = tmp_path / SESSION
    own.symlink_to(tmp_path / "elsewhere")
    assert len(read_one(path)[0].tool_calls) == 1
    own.unlink()
    own.mkdir()
    (own / "subagents").symlink_to(tmp_path / "elsewhere/subagents")
    assert len(read_one(path)[0].tool_calls) == 1


def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    path = lines(tmp_path / f"{SESSION}.jsonl", GO)
    lines(tmp_path / SESSION / "subagents/agent-ag1.jsonl", BELOW)
    os.mkfifo(tmp_path / SESSION / "subagents/agent-ag1.meta.json")
    os.mkfifo(tmp_path / SESSION / "subagents/agent-ag2.jsonl")
    found: list[int] = []
    reading = Thread(target=lambda: found.append(len(read_one(path)[0].tool_calls)), daemon=True)
    reading.start()
    reading.join(30)
    assert found == [2]


def test_threads_are_looked_for_only_in_the_folders_of_days(tmp_path: Path) -> None:
    item: Row = {
        "type": "CollabAgentToolCall",
        "id": "c9",
        "tool": "spawn_agent",
        "prompt": "p",
        "receiver_thread_ids": ["zz"],
        "status": "completed",
    }
    rows = [*OLDER, row("event_msg", 9, type="item_completed", thread_id="t1", item=item)]
    sent = lines(tmp_path / "workspace/requests/.x/rollout-a.jsonl", rows)
    lines(tmp_path / "somebody/elses/history/rollout-b-zz.jsonl", OLDER)
    assert "subagent_thread" in codes(read_one(sent)[1])
    day = lines(tmp_path / "2026/11/16/rollout-a.jsonl", rows)
    lines(tmp_path / "2026/11/17/rollout-b-zz.jsonl", OLDER)
    assert "subagent_thread" not in codes(read_one(day)[1])
