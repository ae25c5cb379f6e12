"""Reading what Gemini CLI prints."""

import re
from collections.abc import Collection, Iterator
from datetime import datetime

from pydantic import JsonValue
from pydantic_core import from_json

from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.foreign import count, line, obj, text
from whet.core.step import Called, Ended, Returned, Said, Step, Triggered
from whet.core.usage import Usage
from whet.engines.agent_cli.failures import classify
from whet.engines.agent_cli.reader import Event, Reader
from whet.engines.gemini_sessions import Sessions, SubagentCall
from whet.readers.gemini_names import canonical, params_of
from whet.readers.gemini_records import bad_end
from whet.shell.process import Exit

_BY_EXIT_CODE = {41: Failure.AUTH, 53: Failure.MAX_TURNS}
# Its own words for what no HTTP status tells.
_BY_WORDS = (
    (r"max(?:imum)? session turns|loop detected", Failure.MAX_TURNS),
    (r"response was blocked|safety settings", Failure.REFUSAL),
    (r"exceeded the token limit|exceeds the maximum number of tokens", Failure.CONTEXT),
    (r"stream ended without a finish reason|incomplete json segment", Failure.NETWORK),
)
_UNKNOWN_MODEL = re.compile(r"\bmodels?/.{0,200} is not found|ModelNotFoundError")
_API_ERROR = re.compile(r"\[API Error: (.*)\]", re.DOTALL)
_STATUS = re.compile(r'"code"\s*:\s*([45]\d\d)\b')


class GeminiReader(Reader):
    """The stream, with what the session's own files add to it.

    A tool's result waits for its record, at the longest until the next event: without it one
    does not know what was read, nor that a command has failed.
    """

    def __init__(self, model: str, sessions: Sessions, servers: Collection[str] = ()) -> None:
        super().__init__()
        self._model = model
        self._sessions = sessions
        self._servers = servers
        self._said: list[str] = []
        self._said_at: datetime | None = None
        self._last_words = ""
        self._is_turn = False
        self._open: dict[str, Called] = {}
        self._waiting: dict[str, tuple[datetime, Event]] = {}
        self._complaint: str | None = None
        self._conversation: str | None = None
        self._result: Event | None = None

    def read(self, event: Event, at: datetime) -> Iterator[Step]:
        """See the base."""
        kind = event.get("type")
        if kind == "message" and event.get("role") == "assistant":
            if not self._said:
                yield from self._settle(final=True)
            self._write(text(event.get("content")), at)
            return
        yield from self._finish_message()
        yield from self._settle(final=kind != "tool_result")
        match kind:
            case "init":
                self._conversation = text(event.get("session_id")) or self._conversation
            case "tool_use":
                yield self._call(event, at)
            case "tool_result":
                yield from self._return(event, at)
            case "error":
                self._complaint = line(text(event.get("message"))) or self._complaint
            case "result":
                self._result = event
                self._charge(event)
            case _:
                pass

    def rest(self, _at: datetime) -> Iterator[Step]:
        """See the base. Only a program that comes to its end says so, but it writes before."""
        yield from self._finish_message()
        yield from self._settle(final=True)

    def _write(self, words: str, at: datetime) -> None:
        self._begin_turn()
        self._said_at = self._said_at or at
        self._said.append(words)

    def _finish_message(self) -> Iterator[Said]:
        """It comes in pieces; one message is one step."""
        words, at = "".join(self._said), self._said_at
        self._said, self._said_at = [], None
        if words and at is not None:
            self._last_words = words
            yield Said(at, words)

    def _begin_turn(self) -> None:
        if not self._is_turn:
            self._is_turn = True
            self.turns += 1
            self._last_words = ""

    def _call(self, event: Event, at: datetime) -> Called:
        self._begin_turn()
        tool = canonical(text(event.get("tool_name")), self._servers)
        params = params_of(tool, obj(event.get("parameters")))
        about = text(params.get("description")) or None
        called = Called(at, text(event.get("tool_id")), tool, params, about)
        self._open[called.call_id] = called
        return called

    def _return(self, event: Event, at: datetime) -> Iterator[Step]:
        self._is_turn = False
        name = text(event.get("tool_id"))
        self._waiting[name] = at, event
        called = self._open.get(name)
        if called and called.tool == "Skill" and event.get("status") == "success":
            yield Triggered(at, text(called.params.get("skill")))
        yield from self._settle(final=False)

    def _settle(self, *, final: bool) -> Iterator[Step]:
        """Give out the results whose records are there; all of them if nothing more comes."""
        self._sessions.look()
        for call in self._sessions.take_calls():
            yield from self._of_subagent(call)
        if self._result is None and (known := self._sessions.usage).total_tokens:
            self.usage = known
        for name in [*self._waiting]:
            if final or name in self._sessions.outcomes:
                yield self._returned(name, *self._waiting.pop(name))

    def _returned(self, name: str, at: datetime, event: Event) -> Returned:
        called = self._open.pop(name, None)
        shown = text(event.get("output"))
        outcome = self._sessions.outcomes.pop(name, None)
        ok = event.get("status") == "success"
        if not ok:
            error = text(obj(event.get("error")).get("message"))
            return Returned(at, name, ok, error or shown or "it failed")
        given = outcome.text if outcome else ""
        if called is not None and called.tool == "Bash":
            # The event calls it a success however the command ended.
            how = bad_end(given)
            return Returned(at, name, not how, "\n".join(filter(None, (shown, how))))
        return Returned(at, name, ok, given or shown, shown or None)

    def _of_subagent(self, call: SubagentCall) -> Iterator[Step]:
        """Its calls become known when they are over, and belong before the end of its task."""
        tasks = [each for each in self._open.values() if each.tool == "Task"]
        same = [each for each in tasks if call.task and each.params.get("prompt") == call.task]
        parent = next(iter(same or tasks), None)
        if parent is None:
            return
        started = max(parent.at, call.started or parent.at)
        ended = max(started, call.ended or started)
        tool = canonical(call.tool, self._servers)
        params = params_of(tool, call.params)
        about = text(params.get("description")) or None
        yield Called(started, call.id, tool, params, about, parent.call_id)
        ok = call.outcome.ok and not (tool == "Bash" and bad_end(call.outcome.text))
        yield Returned(ended, call.id, ok, call.outcome.text)
        if tool == "Skill" and ok:
            yield Triggered(ended, text(params.get("skill")))

    def _charge(self, result: Event) -> None:
        """Subagents are in it; thoughts are in the total only."""
        stats = obj(result.get("stats"))
        if len(asked := obj(stats.get("models"))) == 1:
            (self.model,) = asked
        given, cached = count(stats.get("input_tokens")), count(stats.get("cached"))
        written = max(count(stats.get("total_tokens")) - given, count(stats.get("output_tokens")))
        usage = Usage(
            input_tokens=max(0, given - cached),
            output_tokens=written,
            cache_read_tokens=cached,
        )
        if usage.total_tokens >= self.usage.total_tokens:
            self.usage = usage

    def ended(self, exit_: Exit, at: datetime) -> Ended:
        """See the base."""
        failure, error = self._verdict(exit_)
        return Ended(at, self._last_words, self.usage, failure, error, self._conversation)

    def _verdict(self, exit_: Exit) -> tuple[Failure | None, str | None]:
        if exit_.timed_out:
            return Failure.TIMEOUT, "the program did not end in time"
        result = self._result
        done = result is not None and result.get("status") == "success"
        if done and exit_.ok and self._complaint is None:
            if self.turns or self.usage.total_tokens:
                return None, None
            # So it calls a prompt that it finds too long to be sent.
            return Failure.CRASH, "it did not ask its model; the prompt may be too long"
        if result is not None and exit_.signal is None:
            return self._trouble(result, exit_)
        failure = _BY_EXIT_CODE.get(exit_.code or 0, Failure.CRASH)
        last = line(exit_.stderr.strip().rpartition("\n")[2])
        return failure, None if failure is Failure.CRASH else last or f"exit code {exit_.code}"

    def _trouble(self, result: Event, exit_: Exit) -> tuple[Failure, str | None]:
        said = text(obj(result.get("error")).get("message"))
        status = _status(said, exit_.code or 0)
        error = line(_inner(said)) or self._complaint
        if error is None:
            return Failure.CRASH, None
        if status in (404, None) and _UNKNOWN_MODEL.search(f"{error}\n{exit_.stderr}"):
            raise UsageError(f"gemini has no model {self._model!r}, or not for this login")
        if (failure := _BY_EXIT_CODE.get(exit_.code or 0)) is not None:
            return failure, error
        for words, failure in _BY_WORDS:
            if re.search(words, error, re.IGNORECASE):
                return failure, error
        return classify(status, error), error


def _status(said: str, code: int) -> int | None:
    """The HTTP status; as an exit code it has lost all but its last eight bits."""
    if found := _STATUS.search(said):
        return int(found[1])
    for status in (code + 256, code + 512):
        if 400 <= status < 512 or 520 <= status < 540:
            return status
    return None


def _inner(said: str) -> str:
    """The service's own words inside of the program's."""
    found = _API_ERROR.search(said)
    words = found[1] if found else said
    try:
        value: JsonValue = from_json(words)
    except ValueError:
        return words
    return text(obj(obj(value).get("error")).get("message")) or words
