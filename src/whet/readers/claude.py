"""The transcripts of Claude Code, and what it prints with ``--output-format stream-json``."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import WhetError
from whet.core.foreign import obj, text
from whet.core.logged import About, Delegated, Logged, Opened
from whet.documents.session_import import Repairs
from whet.documents.text import read_json
from whet.ports.reader import Head
from whet.readers.beside import is_plain, plain_files
from whet.readers.claude_rows import ClaudeRows
from whet.readers.clock import Clock
from whet.readers.rows import rows

_KINDS = {"user", "assistant", "system", "attachment", "summary", "file-history-snapshot"}
_LATER_KINDS = {"queue-operation", "progress", "last-prompt", "custom-title", "ai-title"}
_AGENT = "agent-"
_LARGEST_META = 1024 * 1024


class ClaudeReader:
    """One file is one conversation; the subagents' files beside it are read along."""

    name = "claude"

    def recognises(self, head: Head, /) -> bool:
        """Rows of known types that name their session."""
        return any(_is_row(row) for row in head.rows)

    def belongs(self, head: Head, /) -> bool:
        """Whether it is the file of a subagent whose conversation is there."""
        path = head.path
        if not path.name.startswith(_AGENT):
            return False
        session = text(head.first.get("sessionId"))
        places = (path.parent, path.parent.parent.parent)
        return any(is_plain(place / f"{session}.jsonl") for place in places)

    def read(self, path: Path, repairs: Repairs, /) -> Iterator[Logged]:
        """See the port."""
        yield Opened()
        yield About(engine="claude")
        clock = Clock(path, repairs)
        told = ClaudeRows(clock, repairs, alone=path.name.startswith(_AGENT))
        for row in rows(path, repairs):
            yield from told.take(row)
        if not clock.is_set:
            yield About(timing="guessed")
        for file in _subagents(path, told.agents):
            repairs.file = file.name
            yield from _below(file, told, repairs)
        repairs.file = None
        yield told.spent()
        yield told.conclusion()


def _is_row(row: Mapping[str, JsonValue]) -> bool:
    kind = text(row.get("type"))
    if kind in _KINDS | _LATER_KINDS:
        return bool({"sessionId", "session_id", "parentUuid", "leafUuid"} & row.keys())
    return "type" not in row and "parentUuid" in row


def _subagents(path: Path, agents: dict[str, str]) -> Iterator[Path]:
    """The files of the subagents: in a folder that has the name of the session or, as older
    versions have them, beside it."""
    own = path.with_suffix("")
    files = [] if own.is_symlink() else plain_files(own / "subagents", f"{_AGENT}*.jsonl")
    found = {file.name: file for file in files}
    for agent in agents:
        name = f"{_AGENT}{agent}.jsonl"
        # The id comes out of the log, which may name anything.
        if name not in found and "/" not in agent and is_plain(path.parent / name):
            found[name] = path.parent / name
    yield from (file for file in found.values() if file != path)


def _meta(file: Path) -> dict[str, JsonValue]:
    """What newer versions write down of a subagent, as far as it is there."""
    try:
        if not is_plain(file) or file.stat().st_size > _LARGEST_META:
            return {}
        return obj(read_json(file))
    except (OSError, WhetError):
        return {}


def _below(file: Path, told: ClaudeRows, repairs: Repairs) -> Iterator[Logged]:
    agent = file.stem.removeprefix(_AGENT)
    parent = told.agents.get(agent)
    meta = _meta(file.with_suffix(".meta.json"))
    if meta:
        repairs.files.append(file.with_suffix(".meta.json"))
    parent = text(meta.get("toolUseId")) or parent
    if parent and (kind := text(meta.get("agentType"))) and parent not in told.described:
        yield Delegated(parent, kind)
    below = told.below(Clock(file, repairs), parent)
    try:
        for row in rows(file, repairs):
            yield from below.take(row)
    except WhetError as error:
        repairs.note("skipped", "subagent", f"a subagent's file cannot be read: {error}")
