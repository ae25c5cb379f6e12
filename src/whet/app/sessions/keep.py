"""One session of a log, written into the workspace."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import JsonValue
from pydantic_core import PydanticSerializationError, to_json

from whet.app.session_names import reserve
from whet.app.sessions.annotate import LOCK
from whet.app.sessions.originals import FOLDER as ORIGINALS
from whet.app.sessions.originals import Originals
from whet.app.sessions.shelf import Shelf
from whet.core.errors import WhetError
from whet.core.instant import iso
from whet.core.naming import slug
from whet.core.value import Value
from whet.curate.locks import locked
from whet.documents.files import write_atomic
from whet.documents.session import PhaseAnnotation, Session
from whet.documents.text import read_json
from whet.ports.session_entry import SessionEntry
from whet.replay.annotate import auto_annotated
from whet.replay.annotators import AUTO, annotator_of, annotators, mistake

_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})-\d{3,}-(.+)")
_OURS = ("session_id", "source_digest", "phase_annotations", "as_read")

MARK = "[redacted:"
"""How a mark begins that stands for a secret."""

_PIECE = 1024 * 1024

Data = dict[str, JsonValue]

Outcome = Literal["new", "updated", "unchanged", "older"]
"""``older``: the session is there already, with more calls."""


class ImportedSession(Value):
    """A session of a log, and where it is now."""

    name: str
    path: str
    """Relative to the workspace."""

    outcome: Outcome
    calls: int
    original_id: str


@dataclass(frozen=True)
class Keeping:
    """Writes sessions, in place of earlier states of them where there are any."""

    shelf: Shelf

    @property
    def originals(self) -> Originals:
        """The logs that they were read from."""
        return Originals(self.shelf.folder / ORIGINALS)

    def keep(self, data: Data, format_: str, digest: str) -> ImportedSession:
        """Write one session, in place of an earlier state of it if there is one."""
        original = str(data["session_id"])
        data["source_digest"] = digest
        data.setdefault("source_format", format_)
        said = data.get("as_read")
        data["as_read"] = {**(said if isinstance(said, dict) else {}), "session_id": original}
        workspace = self.shelf.app.settings.workspace
        with locked(workspace, LOCK):
            earlier = self._earlier(data, original)
            if earlier is not None:
                entry, before, relation = earlier
                if relation == "older":
                    return imported(entry, "older")
                outcome: Outcome = relation
                name, superseded = entry.name, entry.source_digest or ""
                if superseded == digest and _title(before) != _title(data):
                    # The same log with or without its secrets: the old name may have one.
                    name = self._name(data, original)
            else:
                before, outcome, superseded = None, "new", ""
                name = self._name(data, original)
            data["session_id"] = name
            self._annotate(data, before)
            path = self.shelf.folder / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, _written(data), durable=True)
            self.shelf.index.look_at(name, data)
            if earlier is not None and earlier[0].name != name:
                (self.shelf.folder / f"{earlier[0].name}.json").unlink(missing_ok=True)
                self.shelf.index.look_at(earlier[0].name)
            if superseded not in ("", digest):
                self.drop_unused(superseded)
        calls = data["tool_calls"]
        return ImportedSession(
            name=name,
            path=f"sessions/{name}.json",
            outcome=outcome,
            calls=len(calls) if isinstance(calls, list) else 0,
            original_id=original,
        )

    def _earlier(
        self, data: Data, original: str
    ) -> tuple[SessionEntry, Data, Literal["updated", "unchanged", "older"]] | None:
        """The session as it was imported before: what its log called it, when it began, and all
        its calls are the same."""
        index = self.shelf.index
        same_log = index.of_log(str(data["source_digest"]))
        redacted = (one for one in same_log if _is_redacted(one, original))
        for entry in (*index.of_source(str(data["source_format"]), original), *redacted):
            if entry.path is None or entry.created_at not in _beginnings(data):
                continue
            before = _object(read_json(self.shelf.app.settings.workspace / entry.path))
            old, new = _ids(before), _ids(data)
            if old <= new:
                return (
                    entry,
                    before,
                    "unchanged" if _content(before) == _content(data) else "updated",
                )
            if new < old:
                return entry, before, "older"
        return None

    def _name(self, data: Data, original: str) -> str:
        """A name for a new session: its own if it is one of our kind and free, else the next."""
        app = self.shelf.app
        today = app.clock.now().strftime("%Y-%m-%d")
        own = _NAME.fullmatch(original)
        is_ours = own is not None and own[1] < today and slug(own[2], "", "-") == own[2]
        if is_ours and not (self.shelf.folder / f"{original}.json").exists():
            return original
        with app.store.transaction():
            return reserve(app, _title(data), _date(str(data["created_at"])))

    def _annotate(self, data: Data, before: Data | None) -> None:
        """Automatic phases where there are many calls, and what others said before."""
        session = Session.parse(data, str(data["session_id"]))
        told = auto_annotated(session, iso(self.shelf.app.clock.now()))
        if before is not None:
            present = {*annotators(told), AUTO}
            kept = [
                one
                for one in _annotations(before)
                if annotator_of(one) not in present and mistake(told, one) is None
            ]
            every = (*(told.phase_annotations or ()), *kept)
            told = told.model_copy(update={"phase_annotations": every}) if every else told
        if told.phase_annotations is not None:
            data["phase_annotations"] = [one.to_data() for one in told.phase_annotations]

    def drop_unused(self, digest: str) -> None:
        """Remove a log that no session is read from any more."""
        if not self.shelf.index.of_log(digest):
            self.originals.drop(digest)


def imported(entry: SessionEntry, outcome: Outcome) -> ImportedSession:
    """A session that is there."""
    return ImportedSession(
        name=entry.name,
        path=entry.path or "",
        outcome=outcome,
        calls=entry.calls,
        original_id=entry.original_id or entry.session_id,
    )


def _written(data: Mapping[str, JsonValue]) -> Iterator[bytes]:
    """The text of the file, piece by piece: that of a long session takes more than all its calls
    do in memory."""
    before = b"{\n  "
    for key, value in data.items():
        yield before + to_json(key) + b": "
        if key == "tool_calls" and isinstance(value, list) and value:
            yield from _listed(value)
        else:
            yield _indented(value, b"\n  ")
        before = b",\n  "
    yield b"\n}\n"


def _listed(values: Sequence[JsonValue]) -> Iterator[bytes]:
    gathered = bytearray(b"[")
    for number, value in enumerate(values):
        gathered += (b",\n    " if number else b"\n    ") + _indented(value, b"\n    ")
        if len(gathered) > _PIECE:
            yield bytes(gathered)
            gathered.clear()
    yield bytes(gathered) + b"\n  ]"


def _indented(value: JsonValue, line: bytes) -> bytes:
    try:
        text = to_json(value, indent=2)
    except PydanticSerializationError:  # half a character, which JSON can escape
        text = json.dumps(value, indent=2).encode()
    return text.replace(b"\n", line)


def _beginnings(data: Data) -> set[str]:
    """When a session began, by what it says now and by what its log said."""
    said = data.get("as_read")
    own = said.get("created_at") if isinstance(said, dict) else None
    return {str(data["created_at"]), *([own] if isinstance(own, str) else [])}


def _title(data: Data) -> str:
    """What a session is named after."""
    return str(data.get("task_title") or data.get("user_prompt") or "")


def _is_redacted(entry: SessionEntry, original: str) -> bool:
    """Whether just one of both ids is without a secret that was in it."""
    return (MARK in (entry.original_id or "")) != (MARK in original)


def _content(data: Data) -> Data:
    return {key: value for key, value in data.items() if key not in _OURS}


def _ids(data: Data) -> set[str]:
    calls = data.get("tool_calls")
    given = calls if isinstance(calls, list) else []
    return {str(call.get("call_id")) for call in given if isinstance(call, dict)}


def _annotations(data: Data) -> Iterator[PhaseAnnotation]:
    rows = data.get("phase_annotations")
    for row in rows if isinstance(rows, list) else ():
        try:
            yield PhaseAnnotation.parse(row, "annotation")
        except WhetError:
            continue


def _object(value: JsonValue) -> Data:
    return value if isinstance(value, dict) else {}


def _date(moment: str) -> str | None:
    try:
        found = datetime.fromisoformat(moment)
    except ValueError:
        return None
    return iso(found)[:10] if found.tzinfo else moment[:10]
