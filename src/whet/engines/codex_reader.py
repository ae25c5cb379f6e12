"""Reading what Codex prints."""

import re
from collections.abc import Iterator
from datetime import datetime

from pydantic import JsonValue
from pydantic_core import from_json

from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.failure import Failure
from whet.core.foreign import line, obj, strictly, text
from whet.core.step import Ended, Said, Step
from whet.core.usage import Usage
from whet.engines.agent_cli.failures import classify
from whet.engines.agent_cli.reader import Event, Reader
from whet.engines.codex_rollout import Rollouts
from whet.engines.codex_threads import Threads
from whet.readers.codex_items import called, returned
from whet.readers.codex_records import tokens
from whet.shell.process import Exit

NO_RENEWAL = "http://127.0.0.1:0/login-expired"
"""Where a login would be renewed: nowhere. The program names it when it has tried to."""

_STATUS = re.compile(r"\bstatus:? (\d{3})\b")
_NO_MODEL = re.compile(r"model\b.{0,200}(?:does not exist|is not supported|not found)", re.DOTALL)
_NO_SERVER = re.compile(r"MCP servers failed to initialize: (.+?)(?: \(code -?\d+\))?$")
_BAD_FLAGS = 2
# What only this program says; the first that fits decides.
_WORDS = (
    (re.compile("login-expired"), Failure.AUTH),
    (re.compile("high demand|at capacity"), Failure.OVERLOAD),
    (
        re.compile("connection failed|error sending request|discovery failed", re.IGNORECASE),
        Failure.NETWORK,
    ),
    (re.compile("usage limit", re.IGNORECASE), Failure.RATE_LIMIT),
    (re.compile("reason: max_output_tokens"), Failure.CONTEXT),
    (re.compile("flagged|invalid_prompt|cyber_policy"), Failure.REFUSAL),
)


class CodexReader(Reader):
    """Joins the events with the threads that the program keeps. What is used is summed up from
    there: the events leave subagents out, and count what earlier prompts have used again."""

    def __init__(
        self,
        rollouts: Rollouts,
        model: str = "",
        conversation: str | None = None,
        *,
        structured: bool = False,
    ) -> None:
        super().__init__()
        self._rollouts = rollouts
        self._model = model
        self._conversation = conversation
        self._resumed = conversation is not None
        self._structured = structured
        self._threads = Threads(conversation)
        self._open: set[str] = set()
        self._updates = 0
        self._answer = ""
        self._completed = False
        self._failed = False
        self._error: str | None = None

    def read(self, event: Event, at: datetime) -> Iterator[Step]:
        """See the base. What the threads tell by now came before this event."""
        yield from self.rest(at)
        match event.get("type"):
            case "thread.started":
                self._conversation = text(event.get("thread_id")) or self._conversation
                self._threads.main = self._conversation
            case "turn.completed":
                self._completed = True
                self._said(obj(event.get("usage")))
            case "turn.failed":
                self._failed = True
                self._error = text(obj(event.get("error")).get("message"))
            case "error":
                self._error = text(event.get("message"))
            case "item.started":
                yield from self._started(obj(event.get("item")), at)
            case "item.updated":
                yield from self._updated(obj(event.get("item")), at)
            case "item.completed":
                yield from self._done(obj(event.get("item")), at)
            case _:
                pass

    def rest(self, _at: datetime) -> Iterator[Step]:
        """See the base."""
        if self._threads.main is None:
            return
        for news in self._rollouts.news():
            yield from self._threads.take(news, _at)
        if self._threads.usage != Usage():
            self.usage = self._threads.usage
        self.turns = max(self.turns, self._threads.turns)

    def _said(self, usage: dict[str, JsonValue]) -> None:
        """The program's own sum, should its threads tell nothing."""
        if not self._resumed and self._threads.usage == Usage():
            self.usage = tokens(usage)

    def _started(self, item: Event, at: datetime) -> Iterator[Step]:
        name = text(item.get("id"))
        if name in self._open:
            return
        for call in called(item, name, at):
            self._open.add(name)
            yield call

    def _updated(self, item: Event, at: datetime) -> Iterator[Step]:
        """Only a list of things to do is shown again and again; each time is a call."""
        if item.get("type") == "todo_list":
            self._updates += 1
            name = f"{text(item.get('id'))}+{self._updates}"
            yield from called(item, name, at)
            yield from returned(item, name, at)

    def _done(self, item: Event, at: datetime) -> Iterator[Step]:
        if item.get("type") == "agent_message":
            self._answer = text(item.get("text"))
            if self._answer:
                yield Said(at, self._answer)
            return
        name = text(item.get("id"))
        self._threads.remember(item, name)
        yield from self._started(item, at)
        yield from returned(item, name, at)
        self._open.discard(name)

    def ended(self, exit_: Exit, at: datetime) -> Ended:
        """See the base."""
        for _ in self.rest(at):
            pass
        failure, error = self._verdict(exit_)
        return Ended(at, self._answer, self.usage, failure, error, self._conversation)

    def _verdict(self, exit_: Exit) -> tuple[Failure | None, str | None]:
        if exit_.timed_out:
            return Failure.TIMEOUT, "the program did not end in time"
        if self._failed or (self._error and exit_.code):
            return self._trouble(self._error or "it gave up without a word")
        if not exit_.ok or not self._completed:
            _raise_lasting(exit_)
            return Failure.CRASH, None
        if self._threads.mute:
            return Failure.REFUSAL, "the model answered nothing that codex shows, as refusals are"
        if self._structured and not _is_json(self._answer):
            return Failure.CRASH, "the answer is not JSON, as the output schema asks"
        return None, None

    def _trouble(self, error: str) -> tuple[Failure, str]:
        complaint = _complaint(error)
        if _NO_MODEL.search(complaint):
            raise UsageError(f"codex has no model {self._model!r}, or not for this login")
        for words, failure in _WORDS:
            if words.search(error):
                return failure, complaint
        status = _STATUS.search(error)
        return classify(int(status[1]) if status else None, error), complaint


def _raise_lasting(exit_: Exit) -> None:
    """Raise what no other try would change: mistakes of the caller, troubles of the machine."""
    lines = exit_.stderr.strip().splitlines() or [""]
    if exit_.code == _BAD_FLAGS and lines[0].startswith("error: "):
        raise UsageError(f"codex refuses its flags: {lines[0].removeprefix('error: ')[:500]}")
    if exit_.code and "no rollout found" in lines[-1]:
        raise UsageError("codex has no such conversation in this folder")
    if exit_.code and (found := _NO_SERVER.search(lines[-1])):
        raise EnvironmentProblem(f"codex cannot start the MCP server {found[1][:500]}")


def _complaint(error: str) -> str:
    """One line; the words of the service where its whole answer is quoted."""
    try:
        quoted = obj(obj(from_json(error)).get("error")).get("message")
    except ValueError:
        quoted = None
    return line(text(quoted) or error) or "it gave up without a word"


def _is_json(answer: str) -> bool:
    try:
        strictly(answer)
    except ValueError:
        return False
    return True
