"""Logs of elsewhere become sessions of the workspace, once."""

import hashlib
import json
import os
import sqlite3
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.sessions.logs import (
    by_anna,
    desk_on,
    intake,
    session,
    work,
    write_log,
    write_session,
)
from tests.readers.claude_log import SESSION, Row
from whet.app.sessions.annotate import Annotating
from whet.app.sessions.intake import every_log
from whet.app.sessions.keep import Data, ImportedSession, Keeping
from whet.core.errors import NotFound, UsageError
from whet.ports.session_query import SessionQuery


def inside(calls: int) -> list[Row]:
    """What a subagent did."""
    return [{**row, "isSidechain": True, "agentId": "7"} for row in work(calls, call="inner")]


def test_a_log_becomes_a_session_with_its_original_and_its_report(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", work(3))
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)
        [one] = done.sessions
        assert (done.status, done.format, done.calls, done.error) == ("imported", "claude", 3, None)
        assert one.name == "2026-01-25-001-sharpen-the-knife"
        assert (one.outcome, one.original_id) == ("new", SESSION)
        loaded = desk.load(SESSION[:8])
        assert loaded.session.session_id == loaded.entry.name == one.name
        assert [call.call_id for call in loaded.session.tool_calls] == ["c0", "c1", "c2"]
    kept = tmp_path / "ws" / (done.original or "")
    assert kept.read_bytes() == log.read_bytes()
    assert kept.parent.name == hashlib.sha256(log.read_bytes()).hexdigest()
    report = json.loads((tmp_path / "ws" / (done.report or "")).read_text())
    assert report["names"] == [one.name]
    assert report["tool_calls"] == 3
    assert len(report["findings"]) == len(done.findings)


def test_the_same_log_again_changes_nothing(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", work(3))
    with desk_on(tmp_path / "ws") as desk:
        first = intake(desk).take(log)
        before = {path: path.stat() for path in (tmp_path / "ws/sessions").rglob("*")}
        again = intake(desk).take(log)
        copy = intake(desk).take(write_log(tmp_path / "copy.jsonl", work(3)))
    assert (again.status, copy.status) == ("unchanged", "unchanged")
    assert [one.name for one in again.sessions] == [one.name for one in first.sessions]
    assert {path: path.stat() for path in (tmp_path / "ws/sessions").rglob("*")} == before


def test_a_log_that_has_grown_is_the_same_session(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", work(30)[:-1])
    with desk_on(tmp_path / "ws") as desk:
        first = intake(desk).take(log)
        name = first.sessions[0].name
        row: dict[str, JsonValue] = {"phase_type": "plan", "tool_call_range": ["c0", "c1"]}
        Annotating(desk.shelf).by_hand(name, by_anna(row))
        write_log(log, work(40))
        grown = intake(desk).take(log)
        assert (grown.status, grown.sessions[0].outcome) == ("updated", "updated")
        assert grown.sessions[0].name == name
        loaded = desk.load(name).session
        assert len(loaded.tool_calls) == 40
        labels = [one.annotator for one in loaded.phase_annotations or ()]
        assert labels.count("anna") == 1
        assert labels.count("signals") >= 1
        assert desk.list(SessionQuery()).total == 1
    originals = [path.name for path in (tmp_path / "ws/sessions/originals").iterdir()]
    assert originals == [hashlib.sha256(log.read_bytes()).hexdigest()]


def test_an_older_copy_of_a_log_takes_nothing_away(tmp_path: Path) -> None:
    with desk_on(tmp_path / "ws") as desk:
        new = intake(desk).take(write_log(tmp_path / "new.jsonl", work(9)))
        old = intake(desk).take(write_log(tmp_path / "old.jsonl", work(5)))
        assert (old.status, old.sessions[0].outcome) == ("unchanged", "older")
        assert len(desk.load(new.sessions[0].name).session.tool_calls) == 9
    assert len([*(tmp_path / "ws/sessions/originals").iterdir()]) == 1


@pytest.mark.parametrize("files", [0, 1])
def test_a_log_that_others_take_in_grown_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    log = write_log(tmp_path / "log.jsonl", work(4))
    grown = write_log(tmp_path / "grown.jsonl", work(9))
    for _ in range(files):
        write_log(tmp_path / "log/subagents/agent-7.jsonl", inside(1))
        write_log(tmp_path / "grown/subagents/agent-7.jsonl", inside(1))
    keep = Keeping.keep

    with desk_on(tmp_path / "ws") as desk:

        def overtaken(keeping: Keeping, data: Data, format_: str, digest: str) -> ImportedSession:
            kept = keep(keeping, data, format_, digest)
            monkeypatch.setattr(Keeping, "keep", keep)
            assert intake(desk).take(grown).status == "updated"
            return kept

        monkeypatch.setattr(Keeping, "keep", overtaken)
        done = intake(desk).take(log)
        assert (done.status, done.original, done.error) == ("imported", None, None)
        assert len(desk.load(done.sessions[0].name).session.tool_calls) == 9 + files
    originals = [path.name for path in (tmp_path / "ws/sessions/originals").iterdir()]
    assert originals == [hashlib.sha256(grown.read_bytes()).hexdigest()]


def test_a_log_keeps_the_name_under_which_it_is_there(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", work(4))
    with desk_on(tmp_path / "ws") as desk:
        first = intake(desk).take(log)
        (tmp_path / "ws" / first.sessions[0].path).unlink()
        desk.follow()
        again = intake(desk).take(log.rename(tmp_path / "renamed.jsonl"))
        assert again.original == first.original
        assert (tmp_path / "ws" / (again.original or "none")).is_file()


def test_other_calls_under_the_same_id_are_another_session(tmp_path: Path) -> None:
    with desk_on(tmp_path / "ws") as desk:
        one = intake(desk).take(write_log(tmp_path / "one.jsonl", work(4)))
        two = intake(desk).take(write_log(tmp_path / "two.jsonl", work(4, call="d")))
        assert two.status == "imported"
        assert one.sessions[0].name != two.sessions[0].name
        with pytest.raises(UsageError, match="several sessions"):
            desk.find(SESSION)


def test_a_session_of_version_3_keeps_its_name_if_it_is_free(tmp_path: Path) -> None:
    name = "2026-01-20-007-工具-scythe"
    with desk_on(tmp_path / "ws") as desk:
        one = intake(desk).take(write_session(tmp_path / "a.json", session(name)))
        two = intake(desk).take(
            write_session(tmp_path / "b.json", session(name, created_at="2026-01-20T10:00:00Z"))
        )
        odd = intake(desk).take(write_session(tmp_path / "c.json", session("../../etc/x")))
    assert one.sessions[0].name == name
    assert two.sessions[0].name == "2026-01-20-001-whet-it"
    assert odd.sessions[0].name == "2026-01-25-001-whet-it"
    files = sorted(path.name for path in (tmp_path / "ws/sessions").glob("*.json"))
    assert len(files) == 3


def test_what_cannot_be_read_is_refused_with_its_place_and_leaves_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"session_id": "x",\n "tool_calls": [nonsense\n')
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    with desk_on(tmp_path / "ws") as desk:
        for path in (empty, tmp_path / "none.json", tmp_path):
            done = intake(desk).take(path)
            assert done.status == "refused", path
            assert str(path) in (done.error or "")
        assert "line 1, column 1" in (intake(desk).take(empty).error or "")
        other = tmp_path / "other.json"
        other.write_text('{"a": 1,\n  "b": tru}')
        assert "line 2, column 11" in (intake(desk).take(other).error or "")
        assert desk.list(SessionQuery()).total == 0
    assert not [*(tmp_path / "ws").glob("sessions/originals/*")]


def test_a_folder_is_gone_through_the_oldest_first(tmp_path: Path) -> None:
    for number in range(3):
        log = write_log(tmp_path / f"logs/deep/{number}.jsonl", work(1, f"{number}" * 8))
        write_session(tmp_path / "logs/package.json", {"name": "no session"})
        stamp = 1_700_000_000 + number
        os.utime(log, (stamp, stamp))
    with desk_on(tmp_path / "ws") as desk:
        found = every_log(intake(desk), [tmp_path / "logs", tmp_path / "logs/deep"], None)
        assert [path.stem for path in found.logs] == ["0", "1", "2"]
        assert [path.name for path in found.unrecognised] == ["package.json"]
        with pytest.raises(UsageError, match="name a file or a folder"):
            every_log(intake(desk), [], None)
        with pytest.raises(UsageError, match="no session log"):
            every_log(intake(desk), [tmp_path / "ws"], None)


def test_the_history_of_an_agent_is_found(tmp_path: Path) -> None:
    home = tmp_path / "claude-home"
    write_log(home / "projects/-work/one.jsonl", work(2))
    with desk_on(tmp_path / "ws", CLAUDE_CONFIG_DIR=str(home), HOME=str(tmp_path)) as desk:
        assert [path.name for path in intake(desk).history("claude")] == ["one.jsonl"]
        assert [path.name for path in intake(desk).history("all")] == ["one.jsonl"]
        with pytest.raises(NotFound, match="no history of codex"):
            intake(desk).history("codex")
        with pytest.raises(UsageError, match="nobody"):
            intake(desk).history("nobody")


def test_files_of_subagents_are_kept_along(tmp_path: Path) -> None:
    log = write_log(tmp_path / "logs/abc.jsonl", work(2))
    agent = write_log(tmp_path / "logs/abc/subagents/agent-7.jsonl", inside(1))
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)
        assert done.calls == 3
        folder = (tmp_path / "ws" / (done.original or "")).parent
        assert (folder / "beside/abc/subagents/agent-7.jsonl").read_bytes() == agent.read_bytes()
        assert intake(desk).take(log).status == "unchanged"
        write_log(agent, inside(2))
        assert intake(desk).take(log).status == "updated"


def test_what_lies_in_the_workspace_is_not_imported_again(tmp_path: Path) -> None:
    with desk_on(tmp_path / "ws") as desk:
        intake(desk).take(write_log(tmp_path / "log.jsonl", work(2)))
        [file] = (tmp_path / "ws/sessions").glob("*.json")
        assert "lies in the workspace already" in (intake(desk).take(file).error or "")


def test_a_session_that_was_deleted_comes_back(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", work(2))
    with desk_on(tmp_path / "ws") as desk:
        intake(desk).take(log)
        [file] = (tmp_path / "ws/sessions").glob("*.json")
        file.unlink()
        desk.follow()
        assert intake(desk).take(log).status == "imported"
        assert desk.list(SessionQuery()).total == 1


def test_a_database_is_kept_whole(tmp_path: Path) -> None:
    log = tmp_path / "opencode.db"
    database = sqlite3.connect(log)
    database.executescript(
        """
        PRAGMA journal_mode=WAL;
        CREATE TABLE session (id, parent_id, title, version, time_created);
        CREATE TABLE message (id, session_id, time_created, data);
        CREATE TABLE part (id, message_id, data);
        """
    )
    database.execute("INSERT INTO session VALUES ('ses_1', NULL, 'Whet', '1', 1769335200000)")
    info = {"role": "user", "time": {"created": 1769335200000}}
    database.execute("INSERT INTO message VALUES ('m1', 'ses_1', 1, ?)", (json.dumps(info),))
    part = {"type": "text", "text": "Whet the knife."}
    database.execute("INSERT INTO part VALUES ('p1', 'm1', ?)", (json.dumps(part),))
    database.commit()
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)  # while it is open, and its newest changes lie beside it
        assert (done.status, len(done.sessions), done.error) == ("imported", 1, None)
        assert intake(desk).take(log).status == "unchanged"
    kept = sqlite3.connect(tmp_path / "ws" / (done.original or ""))
    assert kept.execute("SELECT count(*) FROM part").fetchone() == (1,)
    kept.close()
    database.close()
