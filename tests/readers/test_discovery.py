"""Finding session logs."""

import json
import os
from pathlib import Path

import pytest

from tests.readers.claude_log import worked
from tests.readers.reading import READERS, document, lines
from tests.readers.test_codex import OLDER
from tests.readers.test_gemini import HEAD, WORK
from whet.app.parts import InstalledParts
from whet.core.errors import InvalidDocument, NotFound, UnknownPart
from whet.ports.machine import Machine
from whet.readers.discovery import candidates, histories
from whet.readers.recognition import head_of, reader_for, recognised

FIXTURES = Path(__file__).parent.parent / "documents/fixtures/session"


def test_every_reader_is_installed_by_its_name() -> None:
    parts = InstalledParts(Machine({}, Path("/nowhere")))
    names = ["claude", "codex", "gemini", "opencode", "opencode-database", "session", "tape"]
    assert parts.readers() == names
    assert [parts.reader(name).name for name in names] == names
    with pytest.raises(UnknownPart, match="unknown reader 'nope'; known: claude"):
        parts.reader("nope")


def test_a_folder_is_looked_through_by_content(tmp_path: Path) -> None:
    claude = lines(tmp_path / "x/any.json", worked())
    codex = lines(tmp_path / "y/other.jsonl", OLDER)
    gemini = lines(tmp_path / "y/z/third.ndjson", [HEAD, *WORK])
    session = tmp_path / "s.json"
    session.write_text((FIXTURES / "simple.json").read_text("utf-8"), "utf-8")
    document(tmp_path / "package.json", {"name": "x", "version": "1"})
    (tmp_path / "notes.jsonl").write_text("not json\n")
    (tmp_path / "empty.json").write_text("")
    lines(tmp_path / "node_modules/a.jsonl", worked())
    lines(tmp_path / "any.txt", worked())
    for number, path in enumerate([claude, codex, gemini, session]):
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    found = candidates(tmp_path, READERS)
    assert [(each.path, each.format) for each in found] == [
        (session, "session"),
        (gemini, "gemini"),
        (codex, "codex"),
        (claude, "claude"),
    ]
    assert found[3].size == claude.stat().st_size
    assert found[3].modified.timestamp() == 1_700_000_000


def test_one_file_whatever_its_name(tmp_path: Path) -> None:
    path = lines(tmp_path / "agent-of-nobody.txt", worked())
    [found] = candidates(path, READERS)
    assert found.format == "claude"
    (tmp_path / "b.jsonl").write_text("nothing")
    assert candidates(tmp_path / "b.jsonl", READERS) == ()
    with pytest.raises(NotFound, match="no such file or folder"):
        candidates(tmp_path / "none", READERS)


def test_no_link_is_followed_and_nothing_is_waited_for(tmp_path: Path) -> None:
    outside = lines(tmp_path / "outside/a.jsonl", worked())
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.jsonl").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    (folder / "broken.jsonl").symlink_to(tmp_path / "none")
    os.mkfifo(folder / "pipe.jsonl")
    assert candidates(folder, READERS) == ()
    [found] = candidates(folder / "link.jsonl", READERS)
    assert found.format == "claude"


def test_the_histories_of_agents(tmp_path: Path) -> None:
    for folder in (".claude/projects", ".codex/sessions", ".gemini/tmp", ".local/share/opencode"):
        (tmp_path / folder).mkdir(parents=True)
    assert histories(Machine({}, tmp_path)) == (
        ("claude", tmp_path / ".claude/projects"),
        ("codex", tmp_path / ".codex/sessions"),
        ("gemini", tmp_path / ".gemini/tmp"),
        ("opencode", tmp_path / ".local/share/opencode"),
    )
    (tmp_path / "mine/projects").mkdir(parents=True)
    (tmp_path / "data/opencode").mkdir(parents=True)
    moved = {"CLAUDE_CONFIG_DIR": str(tmp_path / "mine"), "XDG_DATA_HOME": str(tmp_path / "data")}
    assert histories(Machine(moved, tmp_path / "other")) == (
        ("claude", tmp_path / "mine/projects"),
        ("opencode", tmp_path / "data/opencode"),
    )


def test_a_first_line_that_is_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    first, *rest = worked()
    long = {**first, "message": {"role": "user", "content": "x" * 300_000}}
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [long, *rest]))
    assert len(head_of(path).start) < 100_000
    assert reader_for(path, READERS).name == "claude"


def test_a_broken_first_line_does_not_hide_the_rest(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", worked())
    path.write_text('{"type": "us\n' + path.read_text())
    assert reader_for(path, READERS).name == "claude"


def test_a_file_that_nobody_knows(tmp_path: Path) -> None:
    path = document(tmp_path / "package.json", {"name": "x"})
    assert recognised(path, READERS) is None
    with pytest.raises(InvalidDocument, match=r"line 1, column 1: no session log \(known: claude"):
        reader_for(path, READERS)
