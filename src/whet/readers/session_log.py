"""The session log format itself, in all its generations."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from whet.core.instant import iso
from whet.core.logged import Document, Listed, Logged, Opened
from whet.documents.session_import import Repairs, quoted
from whet.ports.reader import Head
from whet.readers.annotations import annotation
from whet.readers.calls import STATUS, Calls
from whet.readers.charset import unmistaken
from whet.readers.document import Member, members
from whet.readers.mending import Choice, Data, Mended
from whet.readers.moments import moment
from whet.readers.session_v1 import Steps
from whet.readers.session_v2 import Phases

_OUTCOME = Choice(
    ("success", "failed", "in_progress"),
    {**STATUS.other, "running": "in_progress", "pending": "in_progress", "partial": "failed"},
    "in_progress",
)
_MARKS = {"tool_calls", "phases", "steps"}
_SIDE_MARKS = {"task_title", "title", "user_prompt", "agent", "phase_annotations", "created_at"}
_TEXTS = (
    "task_description",
    "updated_at",
    "engine",
    "engine_version",
    "sandbox",
    "trial_address",
    "final_answer",
    "error",
    "source_file",
    "source_format",
    "source_digest",
    "trial_scope",
)
_NUMBERS = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "estimated_tokens",
)
_LISTS = ("messages", "messages_at", "skills_used")


class SessionLogReader:
    """Versions 3.0, 2.0 to 2.3 with their phases, 1 with its steps, and what lies between."""

    name = "session"

    def recognises(self, head: Head, /) -> bool:
        """A document with an id and calls, phases or steps. It may be cut off before they come."""
        keys = head.first.keys()
        if not ({"session_id", "task_title", "title"} & keys):
            return False
        return bool(_MARKS & keys) or len(_SIDE_MARKS & keys) > 1

    def belongs(self, head: Head, /) -> bool:
        """Never: every document is a session."""
        del head
        return False

    def read(self, path: Path, repairs: Repairs, /) -> Iterator[Logged]:
        """See the port."""
        log = _Log(repairs, path.stem)
        yield Opened()
        for member in members(path, repairs):
            yield from log.take(member)
        if log.fields:
            yield from log.rest()


class _Log:
    """A document as it is read."""

    def __init__(self, repairs: Repairs, stem: str) -> None:
        self._repairs = repairs
        self._stem = stem
        self._calls = Calls(repairs)
        self._phases = Phases(self._calls, repairs)
        self._steps = Steps(self._calls, repairs)
        self._order: list[str] = []
        self._annotations: list[JsonValue] = []
        self.fields: Data = {}

    def take(self, member: Member) -> Iterator[Listed]:
        key, value = member.key, unmistaken(member.value, self._repairs)
        if member.index is None:
            if key in self.fields:
                self._repairs.note(
                    "skipped", "same_key", "a key stands there twice", field=key[:80]
                )
            elif key in _MARKS:
                said = f"a list must stand there, found {quoted(value)}"
                self._repairs.note("skipped", "no_list", said, field=key)
            else:
                self.fields[key] = value
        elif member.index < 0:
            self.fields.setdefault(key, [])
        else:
            yield from self._element(key, value)

    def _element(self, key: str, value: JsonValue) -> Iterator[Listed]:
        match key:
            case "tool_calls":
                found = [*self._calls.mend(value)]
            case "phases":
                found = self._phases.take(value)
            case "steps":
                found = self._steps.take(value, self._at())
            case "phase_annotations":
                self._annotations.append(value)
                return
            case _:
                kept = self.fields[key]
                if isinstance(kept, list):
                    kept.append(value)
                return
        for call in found:
            self._order.append(str(call["call_id"]))
            yield Listed(call)

    def _at(self) -> str:
        """When annotations were made that do not say it: when the session was over."""
        for name in ("completed_at", "updated_at", "created_at", "started_at"):
            if (at := moment(self.fields.get(name))) is not None:
                return iso(at)
        return ""

    def rest(self) -> Iterator[Document]:
        """All but the calls."""
        fields = self.fields
        session = Mended(fields, self._repairs)
        session.rename("title", "task_title")
        session.rename("description", "task_description")
        session.rename("prompt", "user_prompt")
        session.text("session_id", self._stem)
        session.text("task_title", str(fields["session_id"]))
        session.text("user_prompt", "")
        if "status" not in fields and self._steps.made:
            fields["status"] = self._steps.outcome
            session.note_missing("status", self._steps.outcome)
        elif "status" not in fields and moment(fields.get("completed_at")) is not None:
            fields["status"] = "success"
            session.note_missing("status", "success")
        session.choice("status", _OUTCOME)
        self._agent(session)
        self._optional(session)
        self._layers()
        yield Document(fields)

    def _agent(self, session: Mended) -> None:
        if isinstance(name := session.data.get("agent"), str):
            session.data["agent"] = {"model_id": name}
        agent = session.inner("agent")
        agent.rename("model", "model_id")
        agent.text("model_id", "unknown")
        agent.optional(str, "capability_snapshot")

    def _optional(self, session: Mended) -> None:
        session.optional(str, *_TEXTS)
        session.optional(int, *_NUMBERS)
        session.optional((int, float), "cost_usd")
        session.optional(bool, "simulated")
        session.optional(dict, "as_read")
        session.optional(list, "prompts", "spending", *_LISTS)
        if session.data.get("timing_quality") not in ("recorded", "self_reported", "guessed"):
            session.optional(type(None), "timing_quality")
        for name in _LISTS:
            if session.data.get(name) is not None:
                session.texts(name)
        if session.data.get("prompts") is not None:
            for prompt in session.each("prompts"):
                prompt.text("at", self._at())
                prompt.text("text", "")
        if session.data.get("spending") is not None:
            for point in session.each("spending"):
                point.text("at", self._at())
                point.optional(int, "input_tokens", "output_tokens")
                point.optional((int, float), "cost_usd")

    def _layers(self) -> None:
        """Phases, in whichever way the log has them."""
        fields, at = self.fields, self._at()
        made: list[JsonValue] = [
            annotation(value, number, at, self._calls, self._repairs)
            for number, value in enumerate(self._annotations, start=1)
        ]
        if self._phases.kept:
            fields["phases"] = [*self._phases.kept]
            if not made:
                made = self._phases.annotations(self._order, at)
                fields["source_format"] = "session log 2"
        elif self._steps.made:
            del fields["steps"]
            made = made or self._steps.made
            fields["source_format"] = "session log 1"
        if made or isinstance(fields.get("phase_annotations"), list):
            fields["phase_annotations"] = made
        elif fields.get("phase_annotations") is not None:
            said = f"a list must stand there, found {quoted(fields['phase_annotations'])}"
            self._repairs.note("skipped", "no_list", said, field="phase_annotations")
            del fields["phase_annotations"]
