"""The messages of Gemini CLI's sessions, one after the other."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from whet.core.foreign import line, obj, objects, text
from whet.core.logged import About, Concluded, Logged, Opened, Prompted, Touched
from whet.core.step import Called, Returned, Said, Triggered
from whet.core.usage import Usage
from whet.documents.session_import import Repairs, quoted
from whet.readers.clock import Clock
from whet.readers.gemini_names import canonical, params_of
from whet.readers.gemini_records import bad_end, result_text, texts, usage_of
from whet.readers.moments import moment
from whet.readers.rows import Row

_CONTEXT = "<session_context>"
_SERVER = re.compile(r" \((.+) MCP Server\)$")
_PENDING = ("validating", "scheduled", "executing", "awaiting_approval")
_QUIET = ("info", "warning")


@dataclass
class GeminiSession:
    """What a session and its subagents share."""

    usage: dict[str, Usage] = field(default_factory=dict[str, Usage])
    """By message; a message is written down again when more is known of it."""

    agents: dict[str, str] = field(default_factory=dict[str, str])
    """Calls of subagents by the id of the subagent."""

    tasks: dict[str, str] = field(default_factory=dict[str, str])
    """Calls of subagents by their prompt."""

    session_id: str = ""
    outcome: Concluded = field(default_factory=lambda: Concluded("in_progress"))


class GeminiRows:
    """Takes the rows of one file."""

    def __init__(
        self,
        session: GeminiSession,
        clock: Clock,
        repairs: Repairs,
        *,
        below: bool = False,
        parent: str | None = None,
    ) -> None:
        self._session = session
        self._clock = clock
        self._repairs = repairs
        self._is_below = below
        self._parent = parent
        self._said: set[str] = set()
        self._begun: set[str] = set()
        self._done: set[str] = set()

    def take(self, row: Row) -> Iterator[Logged]:
        """What a row tells."""
        if "$set" in row:
            for message in objects(obj(row["$set"]).get("messages")):
                yield from self.take(message)
            return
        match row.get("type"):
            case "user":
                yield from self._user(row)
            case "gemini":
                yield from self._gemini(row)
            case "error" if not self._is_below:
                said = line(texts(row.get("content"))) or "an error without a word"
                self._session.outcome = Concluded("failed", error=said)
            case str(kind) if kind not in _QUIET:
                said = f"rows of the type {quoted(kind)} are not known"
                self._repairs.note("skipped", "unknown_row", said)
            case _:
                yield from self._began(row)

    def _began(self, row: Row) -> Iterator[Logged]:
        if (name := text(row.get("sessionId"))) and not self._is_below:
            self._session.session_id = self._session.session_id or name
            yield Opened(self._session.session_id)
            yield About(moment(row.get("startTime")), title=text(row.get("summary")) or None)

    def _user(self, row: Row) -> Iterator[Logged]:
        said = texts(row.get("content")).strip()
        name = text(row.get("id"))
        if not said or said.startswith(_CONTEXT) or name in self._said:
            return
        self._said.add(name)
        if self._is_below:
            if self._parent is None and (found := self._session.tasks.get(said)):
                self._parent = found
                how = "a subagent is linked to its call by the prompt"
                self._repairs.note("guessed", "subagent_prompt", how)
            return
        self._session.outcome = Concluded("in_progress")
        yield Prompted(self._clock.at(row.get("timestamp")), said)

    def _gemini(self, row: Row) -> Iterator[Logged]:
        at, name = self._clock.at(row.get("timestamp")), text(row.get("id"))
        self._session.usage[name] = usage_of(obj(row.get("tokens")))
        said = texts(row.get("content"))
        calls = [*objects(row.get("toolCalls"))]
        if not self._is_below:
            if said and name not in self._said:
                self._said.add(name)
                yield About(model=text(row.get("model")) or None)
                yield Said(at, said)
            done = bool(said) and not calls
            self._session.outcome = Concluded("success", said) if done else Concluded("in_progress")
        for call in calls:
            yield from self._call(call, at)

    def _call(self, call: Row, at: datetime) -> Iterator[Logged]:
        name = text(call.get("id"))
        tool = canonical(text(call.get("name")), _servers(call))
        params = params_of(tool, obj(call.get("args")))
        if tool == "Task":
            self._session.tasks[text(params.get("prompt")).strip()] = name
            if agent := text(call.get("agentId")):
                self._session.agents[agent] = name
        if name not in self._begun:
            self._begun.add(name)
            about = text(params.get("description")) or None
            yield Called(at, name, tool, params, about, self._parent)
        if name in self._done or call.get("status") in _PENDING or "status" not in call:
            return
        self._done.add(name)
        yield from self._returned(call, tool, params, at)

    def _returned(self, call: Row, tool: str, params: Row, at: datetime) -> Iterator[Logged]:
        name, output = text(call.get("id")), result_text(call.get("result"))
        ended = moment(call.get("timestamp")) or at
        shown = text(call.get("resultDisplay"))
        ok = call.get("status") == "success"
        if tool == "Bash" and ok:
            # It is called a success however the command ended.
            how = bad_end(output)
            ok, output = not how, "\n".join(filter(None, (shown, how))) if shown else output
        change = obj(call.get("resultDisplay"))
        if ok and "isNewFile" in change:
            yield Touched(text(params.get("file_path")), change["isNewFile"] is True)
        display = shown if ok and tool != "Bash" else ""
        yield Returned(ended, name, ok, output or shown, display or None)
        if ok and tool == "Skill":
            yield Triggered(ended, text(params.get("skill")))


def _servers(call: Row) -> tuple[str, ...]:
    """The MCP server of a call, which only its title names."""
    found = _SERVER.search(text(call.get("displayName")))
    return (found[1],) if found else ()
