"""What Gemini CLI prints with ``-o stream-json``."""

from collections.abc import Iterator
from datetime import datetime

from whet.core.foreign import count, line, obj, text
from whet.core.logged import About, Concluded, Logged, Opened, Prompted
from whet.core.step import Called, Returned, Said, Triggered
from whet.core.usage import Usage
from whet.documents.session_import import Repairs
from whet.readers.clock import Clock
from whet.readers.gemini_names import canonical, params_of
from whet.readers.gemini_rows import GeminiSession
from whet.readers.rows import Row

KINDS = {"init", "message", "tool_use", "tool_result", "result", "error"}


class GeminiEvents:
    """Takes events. A message comes in pieces, and is one."""

    def __init__(self, session: GeminiSession, clock: Clock, repairs: Repairs) -> None:
        self._session = session
        self._clock = clock
        self._repairs = repairs
        self._said: list[str] = []
        self._said_at: datetime | None = None
        self._skills: dict[str, str] = {}

    def take(self, event: Row) -> Iterator[Logged]:
        """What an event tells."""
        at = self._clock.at(event.get("timestamp"))
        if event.get("type") == "message" and event.get("role") == "assistant":
            self._said.append(text(event.get("content")))
            self._said_at = self._said_at or at
            return
        yield from self.rest()
        match event.get("type"):
            case "init":
                yield Opened(text(event.get("session_id")) or None)
                yield About(model=text(event.get("model")) or None)
            case "message":
                yield Prompted(at, text(event.get("content")))
            case "tool_use":
                yield self._called(event, at)
            case "tool_result":
                yield from self._returned(event, at)
            case "error":
                said = line(text(event.get("message")))
                self._session.outcome = Concluded("failed", error=said or None)
            case "result":
                self._ended(event)
            case _:
                pass

    def rest(self) -> Iterator[Logged]:
        """The message that was being said."""
        words, at = "".join(self._said), self._said_at
        self._said, self._said_at = [], None
        if words and at is not None:
            self._session.outcome = Concluded("in_progress", words)
            yield Said(at, words)

    def _called(self, event: Row, at: datetime) -> Called:
        tool = canonical(text(event.get("tool_name")), ())
        params = params_of(tool, obj(event.get("parameters")))
        name = text(event.get("tool_id"))
        if tool == "Skill":
            self._skills[name] = text(params.get("skill"))
        elif tool == "Bash":
            said = "how a command ended is not told, only that it was run"
            self._repairs.note("missing", "exit_code", said)
        return Called(at, name, tool, params, text(params.get("description")) or None)

    def _returned(self, event: Row, at: datetime) -> Iterator[Logged]:
        name, ok = text(event.get("tool_id")), event.get("status") == "success"
        said = text(event.get("output")) or text(obj(event.get("error")).get("message"))
        yield Returned(at, name, ok, said)
        if ok and name in self._skills:
            yield Triggered(at, self._skills[name])

    def _ended(self, event: Row) -> None:
        stats = obj(event.get("stats"))
        given, cached = count(stats.get("input_tokens")), count(stats.get("cached"))
        made = max(count(stats.get("total_tokens")) - given, count(stats.get("output_tokens")))
        self._session.usage[""] = Usage(
            input_tokens=max(0, given - cached), output_tokens=made, cache_read_tokens=cached
        )
        if event.get("status") == "success":
            self._session.outcome = Concluded("success", self._session.outcome.answer)
        else:
            said = line(text(obj(event.get("error")).get("message")))
            self._session.outcome = Concluded("failed", error=said or "it gave up without a word")
