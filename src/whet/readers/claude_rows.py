"""The rows of Claude Code's transcripts, one after the other."""

from collections.abc import Iterator
from datetime import datetime

from pydantic import JsonValue

from whet.core.foreign import count, line, obj, objects, text
from whet.core.logged import About, Concluded, Delegated, Logged, Opened, Prompted, Touched
from whet.core.step import Called, Returned, Said, Spent, Triggered
from whet.core.usage import Usage
from whet.documents.session_import import Repairs, quoted
from whet.readers.claude_blocks import SYNTHETIC, TOOLS, result_text
from whet.readers.clock import Clock
from whet.readers.rows import Row

_COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)
_SERVER_TOOLS = {"web_search": "WebSearch", "web_fetch": "WebFetch"}
_NOT_ASKED = (
    "<local-command",
    "<bash-",
    "<system-reminder>",
    "<task-notification",
    "<user-memory-input>",
    "Caveat: The messages below were generated",
)
_INTERRUPTED = "[Request interrupted by user"
_DONE = ("end_turn", "stop_sequence")
_BAD_STOPS = {
    "max_tokens": "the model's answer was cut off at its limit of tokens",
    "refusal": "the model refused",
}
_SILENT = {
    "attachment",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "file-history-snapshot",
    "last-prompt",
    "progress",
    "queue-operation",
    "stream_event",
    "summary",
    "system",
    "tools-used",
}
"""Rows that tell nothing of calls."""

_Counts = tuple[int, int, int, int]


class _Ledger:
    """What messages used, each by the largest numbers that its rows give."""

    def __init__(self) -> None:
        self.messages: dict[str, _Counts] = {}
        self.cost: float | None = None


class ClaudeRows:
    """Takes rows; ``below`` makes the same for the file of a subagent."""

    def __init__(
        self,
        clock: Clock,
        repairs: Repairs,
        *,
        alone: bool = False,
        ledger: _Ledger | None = None,
    ) -> None:
        """*alone* is for the file of a subagent that is read for itself."""
        self._clock = clock
        self._repairs = repairs
        self._alone = alone
        self._ledger = ledger or _Ledger()
        self._parent: str | None = None
        self._is_below = False
        self._has_model = False
        self._tasks: dict[str, str] = {}
        """Calls of subagents by their prompt."""

        self._sides: dict[str, str] = {}
        """Calls of subagents by rows of theirs."""

        self._writes: dict[str, str] = {}
        self._skills: dict[str, str] = {}
        self._session: str | None = None
        self._outcome = Concluded("in_progress")
        self.agents: dict[str, str] = {}
        """Calls of subagents by the id of the subagent."""

        self.described: set[str] = set()

    def below(self, clock: Clock, parent: str | None) -> "ClaudeRows":
        """For the rows of a subagent that *parent* has started."""
        made = ClaudeRows(clock, self._repairs, ledger=self._ledger)
        made._is_below = True
        made._parent = parent
        made._tasks = self._tasks
        made.agents, made.described = self.agents, self.described
        return made

    def take(self, row: Row) -> Iterator[Logged]:
        """What a row tells."""
        match row.get("type"):
            case "assistant":
                yield from self._named(row)
                yield from self._assistant(row)
            case "user":
                yield from self._named(row)
                yield from self._user(row)
            case "system" if row.get("subtype") == "init":
                yield from self._named(row)
                yield About(model=text(row.get("model")) or None)
            case "custom-title" | "ai-title":
                yield About(title=text(row.get("customTitle") or row.get("aiTitle")) or None)
            case "cost-state":
                self._cost(row)
            case "result":
                self._result(row)
            case kind if text(kind) not in _SILENT:
                said = f"rows of the type {quoted(kind)} are not known"
                self._repairs.note("skipped", "unknown_row", said)
            case _:
                pass

    def _named(self, row: Row) -> Iterator[Logged]:
        session = text(row.get("sessionId") or row.get("session_id"))
        if self._is_below or not session or session == self._session:
            return
        if self._session is None:
            self._session = session
            yield Opened(session)
            version = row.get("version") or row.get("claude_code_version")
            yield About(engine_version=text(version) or None)
        else:
            said = f"rows of the session {quoted(session)} are taken as the same conversation"
            self._repairs.note("guessed", "other_session", said, field="sessionId")

    def _side(self, row: Row, message: Row) -> str | None:
        """The call of the subagent that a row belongs to; empty if nobody knows."""
        if self._is_below:
            return self._parent or self._matched(row, message)
        if parent := text(row.get("parent_tool_use_id")):
            return parent
        if row.get("isSidechain") is True and not self._alone:
            return self._matched(row, message)
        return None

    def _matched(self, row: Row, message: Row) -> str:
        """By the row before, or else by the prompt, which is the first row of a subagent."""
        found = self._sides.get(text(row.get("parentUuid")), "")
        if not found and (found := self._tasks.get(_prompt(message), "")):
            said = "a subagent is linked to its call by the prompt"
            self._repairs.note("guessed", "subagent_prompt", said)
        if not found and (found := self.agents.get(text(row.get("agentId")), "")):
            pass
        self._sides[text(row.get("uuid"))] = found
        if self._is_below and found:
            self._parent = found
        return found

    def _assistant(self, row: Row) -> Iterator[Logged]:
        at, message = self._clock.at(row.get("timestamp")), obj(row.get("message"))
        side = self._side(row, message)
        if message.get("model") == SYNTHETIC or row.get("isApiErrorMessage") is True:
            if side is None:
                said = line(result_text(message.get("content"))) or "the model could not be asked"
                self._outcome = Concluded("failed", error=said)
            return
        self._use(message)
        if side is None:
            yield from self._introduced(row, message, at)
        has_call, said = False, ""
        for block in objects(message.get("content")):
            match block.get("type"):
                case "text" if side is None and (said := text(block.get("text"))):
                    yield Said(at, said)
                case "tool_use" | "server_tool_use":
                    has_call = True
                    yield self._called(block, side, at)
                case str(kind) if kind.endswith("_tool_result"):
                    yield _server_result(block, at)
                case _:
                    pass
        if side is None:
            self._stopped(message.get("stop_reason"), said, has_call=has_call)

    def _introduced(self, row: Row, message: Row, at: datetime) -> Iterator[Logged]:
        if not self._has_model and (model := text(message.get("model"))):
            self._has_model = True
            yield About(model=model)
        if skill := text(row.get("attributionSkill")):
            yield Triggered(at, skill)

    def _stopped(self, reason: JsonValue, said: str, *, has_call: bool) -> None:
        if isinstance(reason, str) and reason in _BAD_STOPS:
            self._outcome = Concluded("failed", said or None, _BAD_STOPS[reason])
        elif has_call or reason == "tool_use" or not (said or reason in _DONE):
            self._outcome = Concluded("in_progress")
        else:
            self._outcome = Concluded("success", said or None)

    def _called(self, block: Row, side: str | None, at: datetime) -> Called:
        params, call, name = obj(block.get("input")), text(block.get("id")), text(block.get("name"))
        name = _SERVER_TOOLS.get(name, TOOLS.get(name, name))
        if name == "Skill":
            self._skills[call] = text(params.get("skill")).removeprefix("/")
        elif name == "Task":
            self._tasks[text(params.get("prompt")).strip()] = call
        elif name == "Write":
            self._writes[call] = text(params.get("file_path"))
        if side == "":
            said = "a call of a subagent is not linked to the call that started it"
            self._repairs.note("missing", "parent_call", said)
        return Called(at, call, name, params, text(params.get("description")) or None, side or None)

    def _user(self, row: Row) -> Iterator[Logged]:
        at, message = self._clock.at(row.get("timestamp")), obj(row.get("message"))
        side = self._side(row, message)
        has_result = False
        for block in objects(message.get("content")):
            if block.get("type") == "tool_result":
                has_result = True
                yield from self._returned(block, row, at)
        if has_result:
            if side is None:
                self._outcome = Concluded("in_progress")
            return
        if side is None and not _is_injected(row):
            yield from self._asked(_prompt(message), at)

    def _asked(self, prompt: str, at: datetime) -> Iterator[Logged]:
        if prompt.startswith(_INTERRUPTED):
            self._outcome = Concluded("failed", error="interrupted by the user")
        elif prompt and not prompt.startswith(_NOT_ASKED):
            self._outcome = Concluded("in_progress")
            yield Prompted(at, prompt)

    def _returned(self, block: Row, row: Row, at: datetime) -> Iterator[Logged]:
        call, ok = text(block.get("tool_use_id")), block.get("is_error") is not True
        result = obj(row.get("toolUseResult") or row.get("tool_use_result"))
        if (path := self._writes.pop(call, "")) and ok and "type" in result:
            yield Touched(path, result["type"] == "create")
        yield Returned(at, call, ok, result_text(block.get("content")))
        if ok and (skill := self._skills.pop(call, "")):
            yield Triggered(at, text(result.get("commandName")) or skill)
        if agent := text(result.get("agentId")):
            self.agents[agent] = call
            self.described.add(call)
            kind = text(result.get("agentType") or result.get("subagent_type")) or None
            uses, used = result.get("totalToolUseCount"), count(result.get("totalTokens"))
            yield Delegated(call, kind, uses if type(uses) is int else None, used or None)

    def _use(self, message: Row) -> None:
        usage = obj(message.get("usage"))
        name = text(message.get("id"))
        before = self._ledger.messages.get(name, (0, 0, 0, 0))
        a, b, c, d = (count(usage.get(each)) for each in _COUNTS)
        self._ledger.messages[name] = (
            max(before[0], a),
            max(before[1], b),
            max(before[2], c),
            max(before[3], d),
        )

    def _cost(self, row: Row) -> None:
        cost = row.get("totalCostUSD")
        priced = row.get("hasUnknownModelCost") is not True
        self._ledger.cost = float(cost) if priced and isinstance(cost, int | float) else None

    def _result(self, row: Row) -> None:
        answer, failed = text(row.get("result")), row.get("is_error") is not False
        cost = row.get("total_cost_usd")
        self._ledger.cost = float(cost) if isinstance(cost, int | float) else self._ledger.cost
        if failed:
            said = line(answer) or text(row.get("subtype")) or "it gave up without a word"
            self._outcome = Concluded("failed", error=said)
        else:
            self._outcome = Concluded("success", answer)

    def spent(self) -> Spent:
        """All that was used, subagents included."""
        given, made, read, written = (
            sum(counts[place] for counts in self._ledger.messages.values()) for place in range(4)
        )
        usage = Usage(
            input_tokens=given,
            output_tokens=made,
            cache_read_tokens=read,
            cache_write_tokens=written,
            cost_usd=self._ledger.cost,
        )
        return Spent(self._clock.latest, usage)

    def conclusion(self) -> Concluded:
        """How it ended, as far as the rows tell."""
        return self._outcome


def _prompt(message: Row) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    return "\n".join(filter(None, (text(part.get("text")) for part in objects(content)))).strip()


def _is_injected(row: Row) -> bool:
    """What the program itself has put there in the user's name."""
    marks = ("isMeta", "isCompactSummary", "isSynthetic", "isVisibleInTranscriptOnly")
    return any(row.get(mark) is True for mark in marks)


def _server_result(block: Row, at: datetime) -> Returned:
    """A tool that ran where the model is."""
    content = block.get("content")
    ok = not (isinstance(content, dict) and "error_code" in content)
    found = [text(each.get("title")) or text(each.get("url")) for each in objects(content)]
    said = "\n".join(filter(None, found)) if ok else text(obj(content).get("error_code"))
    return Returned(at, text(block.get("tool_use_id")), ok, said)
