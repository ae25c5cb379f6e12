"""The messages and parts that opencode keeps, exports and prints."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from whet.core.foreign import count, line, obj, text
from whet.core.logged import About, Concluded, Delegated, Logged, Opened, Prompted, Touched
from whet.core.step import Called, Returned, Said, Triggered
from whet.core.usage import Usage
from whet.documents.session_import import Repairs, quoted
from whet.readers.clock import Clock
from whet.readers.moments import moment
from whet.readers.opencode_names import NAMES, canonical, canonical_params
from whet.readers.rows import Row

_ABSURD = 1e6
_UNTITLED = ("New session - ", "Child session - ")
_BAD_ENDS = {
    "content-filter": "the model's service filtered its answer",
    "length": "the model's answer was cut off at its limit of tokens",
}
_DONE = "stop"


@dataclass
class OpencodeSession:
    """What a session and those of its subagents share."""

    usage: dict[str, Usage] = field(default_factory=dict[str, Usage])
    """By message."""

    tasks: dict[str, str] = field(default_factory=dict[str, str])
    """Calls of subagents by the session of the subagent."""

    outcome: Concluded = field(default_factory=lambda: Concluded("in_progress"))
    answer: str = ""
    """What the agent says in the message that is being read."""

    answering: str = ""
    """That message."""

    _begun: set[str] = field(default_factory=set[str])
    _done: set[str] = field(default_factory=set[str])
    _counted: set[str] = field(default_factory=set[str])

    def is_new(self, part: str) -> bool:
        """Whether a part comes for the first time; a stream may tell of it twice."""
        if part in self._counted:
            return False
        self._counted.add(part)
        return True

    def begins(self, call: str) -> bool:
        """Whether a call was not told of yet."""
        if call in self._begun:
            return False
        self._begun.add(call)
        return True

    def ends(self, call: str) -> bool:
        """Whether a call's end was not told of yet."""
        if call in self._done:
            return False
        self._done.add(call)
        return True


class OpencodeParts:
    """Takes the parts of one session."""

    def __init__(
        self, session: OpencodeSession, clock: Clock, repairs: Repairs, parent: str | None = None
    ) -> None:
        """*parent* is the call that this session comes from, if it is a subagent's."""
        self._session = session
        self._clock = clock
        self._repairs = repairs
        self._parent = parent
        self.is_below = parent is not None

    def about(self, info: Row) -> Iterator[Logged]:
        """What is known of the session as a whole."""
        if self.is_below:
            return
        title = text(info.get("title"))
        yield Opened(text(info.get("id")) or None)
        yield About(
            moment(obj(info.get("time")).get("created")),
            title=None if title.startswith(_UNTITLED) else title or None,
            engine_version=text(info.get("version")) or None,
        )

    def message(self, info: Row) -> Iterator[Logged]:
        """What a message says of itself; its parts follow."""
        self._clock.at(obj(info.get("time")).get("created"))
        if info.get("role") != "assistant" or self.is_below:
            return
        yield About(model=text(info.get("modelID")) or None)

    def close(self, info: Row) -> None:
        """All parts of a message have come."""
        if info.get("role") == "user":
            if not self.is_below:
                self._session.outcome = Concluded("in_progress")
            return
        name = text(info.get("id"))
        if name not in self._session.usage:
            self._session.usage[name] = _usage(info)
        if not self.is_below:
            answer = self._session.answer if self._session.answering == name else ""
            self._session.outcome = _ending(info, answer or None)

    def part(self, part: Row, role: str) -> Iterator[Logged]:
        """What a part tells; *role* is that of its message."""
        match part.get("type"):
            case "text" if not self.is_below and part.get("synthetic") is not True:
                yield from self._text(part, role)
            case "tool":
                yield from self._tool(part)
            case "step-finish" if self._session.is_new(text(part.get("id"))):
                name = text(part.get("messageID"))
                before = self._session.usage.get(name, Usage())
                self._session.usage[name] = before + _usage(part)
                if not self.is_below and part.get("reason") == _DONE:
                    self._session.outcome = Concluded("success", self._session.answer or None)
            case _:
                pass

    def _text(self, part: Row, role: str) -> Iterator[Logged]:
        said = text(part.get("text"))
        if not said or not self._session.is_new(text(part.get("id"))):
            return
        at = self._time(part, "start")
        if role == "user":
            yield Prompted(at, said)
        else:
            message = text(part.get("messageID"))
            before = self._session.answer if message == self._session.answering else ""
            self._session.answer = f"{before}\n{said}" if before else said
            self._session.answering = message
            yield Said(at, said)

    def _time(self, part: Row, name: str) -> datetime:
        """The time of a part; without one, that of its message."""
        found = moment(obj(part.get("time")).get(name))
        return self._clock.latest if found is None else self._clock.at(found.isoformat())

    def _tool(self, part: Row) -> Iterator[Logged]:
        call, state = text(part.get("id")), obj(part.get("state"))
        if state.get("status") == "pending":
            return
        native = text(part.get("tool"))
        if native not in NAMES:
            said = f"the tool {quoted(native)} is not known; it may be of an MCP server"
            self._repairs.note("guessed", "unknown_tool", said)
        tool = canonical(native, ())
        params = canonical_params(tool, obj(state.get("input")))
        metadata = obj(state.get("metadata"))
        if tool == "Task" and (session := text(metadata.get("sessionId"))):
            self._session.tasks[session] = call
            yield Delegated(call, text(params.get("subagent_type")) or None)
        if self._session.begins(call):
            about = text(params.get("description")) or None
            parent = self._parent or self._session.tasks.get(text(part.get("sessionID")))
            yield Called(self._time(state, "start"), call, tool, params, about, parent)
        if state.get("status") in ("completed", "error") and self._session.ends(call):
            yield from self._returned(call, tool, params, state)

    def _returned(self, call: str, tool: str, params: Row, state: Row) -> Iterator[Logged]:
        at, metadata = self._time(state, "end"), obj(state.get("metadata"))
        # A command that fails is no failure of the program's tool.
        ok = state.get("status") == "completed" and metadata.get("exit") in (None, 0)
        if ok and tool == "Write" and "exists" in metadata:
            yield Touched(text(params.get("file_path")), metadata["exists"] is False)
        output = text(state.get("output")) or text(state.get("error"))
        yield Returned(at, call, ok, output)
        if ok and tool == "Skill" and (skill := text(params.get("skill"))):
            yield Triggered(at, skill)


def _ending(info: Row, answer: str | None) -> Concluded:
    if error := obj(info.get("error")):
        data = obj(error.get("data"))
        said = line(text(data.get("message"))) or text(error.get("name")) or "an error"
        return Concluded("failed", answer, said)
    finish = text(info.get("finish"))
    if finish in _BAD_ENDS:
        return Concluded("failed", answer, _BAD_ENDS[finish])
    done = finish == _DONE or (not finish and answer is not None)
    return Concluded("success" if done else "in_progress", answer)


def _usage(told: Row) -> Usage:
    tokens = obj(told.get("tokens"))
    cache = obj(tokens.get("cache"))
    return Usage(
        input_tokens=count(tokens.get("input")),
        output_tokens=count(tokens.get("output")) + count(tokens.get("reasoning")),
        cache_read_tokens=count(cache.get("read")),
        cache_write_tokens=count(cache.get("write")),
        cost_usd=_amount(told.get("cost")),
    )


def _amount(value: JsonValue) -> float | None:
    """What it cost; models that the program knows no price of cost it nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value < _ABSURD else None
