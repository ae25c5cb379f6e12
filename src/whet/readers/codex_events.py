"""What Codex prints with ``exec --json``. It has no times."""

from collections.abc import Iterator

from whet.core.foreign import line, obj, text
from whet.core.logged import Concluded, Logged, Opened
from whet.core.step import Said
from whet.readers.clock import Clock
from whet.readers.codex_items import called, returned
from whet.readers.codex_records import tokens, touched
from whet.readers.codex_rows import CodexSession
from whet.readers.rows import Row


class CodexEvents:
    """Takes events."""

    def __init__(self, clock: Clock, session: CodexSession) -> None:
        self._clock = clock
        self._session = session
        self._begun: set[str] = set()

    def take(self, event: Row) -> Iterator[Logged]:
        """What an event tells."""
        item = obj(event.get("item"))
        match event.get("type"):
            case "thread.started":
                yield Opened(text(event.get("thread_id")) or None)
            case "item.started" | "item.updated":
                yield from self._started(item)
            case "item.completed":
                yield from self._done(item)
            case "turn.started":
                self._session.outcome = Concluded("in_progress")
            case "turn.completed":
                self._session.usage[""] = tokens(obj(event.get("usage")))
                answer = self._session.outcome.answer
                self._session.outcome = Concluded("success", answer)
            case "turn.failed":
                said = line(text(obj(event.get("error")).get("message")))
                self._session.outcome = Concluded("failed", error=said or "the turn failed")
            case _:
                pass

    def _started(self, item: Row) -> Iterator[Logged]:
        name = text(item.get("id"))
        if name not in self._begun:
            for step in called(item, name, self._clock.at(None)):
                self._begun.add(name)
                yield step

    def _done(self, item: Row) -> Iterator[Logged]:
        at = self._clock.at(None)
        if item.get("type") == "agent_message":
            words = text(item.get("text"))
            self._session.outcome = Concluded("in_progress", words)
            if words:
                yield Said(at, words)
            return
        yield from self._started(item)
        yield from touched(item)
        yield from returned(item, text(item.get("id")), at)
