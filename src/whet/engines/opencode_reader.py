"""Reading what opencode and our plugin in it print."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.foreign import count, line, obj, objects, text
from whet.core.request import Question, Reply, Request
from whet.core.step import Called, Ended, Returned, Said, Step, Triggered
from whet.core.usage import Usage
from whet.engines.agent_cli.failures import classify
from whet.engines.agent_cli.inside import put
from whet.engines.agent_cli.reader import Event, Reader
from whet.readers.opencode_names import canonical, canonical_params
from whet.shell.process import Exit

_MOST_RETRIES = 1
"""Whole trials are tried again; the program itself would do so for a minute or for hours."""

_LONGEST_PAUSE = 30.0
_MOST_CUT = 3
"""Streams that break off one after the other: the program would ask again without end."""

_KINDS = {
    "ContentFilterError": Failure.REFUSAL,
    "ContextOverflowError": Failure.CONTEXT,
    "MessageOutputLengthError": Failure.CONTEXT,
    "ProviderAuthError": Failure.AUTH,
}
_ENDS = {
    "content-filter": (Failure.REFUSAL, "the model's service filtered its answer"),
    "length": (Failure.CONTEXT, "the model's answer was cut off at its limit of tokens"),
}
_ABSURD = 1e6
_UNFINISHED = ("", "error", "tool-calls", "unknown")


@dataclass(frozen=True, slots=True)
class Situation:
    """What a reader has to know of the trial."""

    model: str
    skill: str | None = None
    neighbours: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    structured: bool = False
    priced: bool = True
    """Whether the costs that the program gives mean anything."""

    replies: Path = Path()
    """The folder where our plugin looks for answers."""

    root: Path = Path()
    """The folder of the trial, with that folder and everything else in the agent's reach."""


class OpencodeReader(Reader):
    """The program prints a part when it is complete, our plugin already when it begins, and
    those of subagents too. What has been told once is not told again."""

    def __init__(self, situation: Situation) -> None:
        super().__init__()
        self._situation = situation
        self._turns: set[str] = set()
        self._told: set[str] = set()
        self._open: set[str] = set()
        self._tasks: dict[str, str] = {}
        """Calls of subagents by the session of the subagent."""

        self._words: tuple[str, str] = ("", "")
        """The last message with text, and its text."""

        self._last: tuple[str, str] = ("", "")
        """The last message that is complete, and why it ended."""

        self._cut = 0
        self._error: Event | None = None
        self._structured: str | None = None
        self._conversation: str | None = None

    def read(self, event: Event, at: datetime) -> Iterator[Step]:
        """See the base."""
        match event.get("type"):
            case "whet.part":
                part = obj(event.get("part"))
                yield from self._part(part, at, child=event.get("child") is True)
            case "step_start" | "step_finish" | "text" | "tool_use":
                yield from self._part(obj(event.get("part")), at, child=False)
            case "whet.error" | "error":
                # A second one only says that there was a first.
                self._error = self._error or obj(event.get("error"))
            case "whet.retry":
                self._retries(event, at)
            case "whet.structured":
                self._structured = json.dumps(event.get("value"), ensure_ascii=False)
            case "whet.idle":
                self.finished = True
            case _:
                pass

    def _part(self, part: Event, at: datetime, *, child: bool) -> Iterator[Step]:
        if not child:
            self._conversation = text(part.get("sessionID")) or self._conversation
        match part.get("type"):
            case "step-start" if not child:
                self._turns.add(text(part.get("messageID")))
                self.turns = len(self._turns)
            case "step-finish" if self._is_new(part):
                self._finished(part, child=child)
            case "text" if not child and self._is_new(part) and (words := text(part.get("text"))):
                message = text(part.get("messageID"))
                before = self._words[1] + "\n" if self._words[0] == message else ""
                self._words = message, before + words
                yield Said(at, words)
            case "tool":
                yield from self._tool(part, at)
            case _:
                pass

    def _is_new(self, part: Event) -> bool:
        name = text(part.get("id"))
        is_new = name not in self._told
        self._told.add(name)
        return is_new

    def _finished(self, part: Event, *, child: bool) -> None:
        tokens = obj(part.get("tokens"))
        cache = obj(tokens.get("cache"))
        self.usage = self.usage + Usage(
            input_tokens=count(tokens.get("input")),
            output_tokens=count(tokens.get("output")) + count(tokens.get("reasoning")),
            cache_read_tokens=count(cache.get("read")),
            cache_write_tokens=count(cache.get("write")),
            cost_usd=_amount(part.get("cost")) if self._situation.priced else None,
        )
        reason = text(part.get("reason"))
        self._cut = self._cut + 1 if reason == "unknown" else 0
        if self._cut >= _MOST_CUT:
            self.given_up = Failure.NETWORK, f"the model's stream broke off {self._cut} times"
        if not child:
            self._last = text(part.get("messageID")), reason
            # What went wrong before has been mended, as a full context is by a summary.
            self._error = None

    def _tool(self, part: Event, at: datetime) -> Iterator[Step]:
        call, state = text(part.get("id")), obj(part.get("state"))
        if call in self._told or state.get("status") == "pending":
            return
        tool = canonical(text(part.get("tool")), self._situation.servers)
        params = canonical_params(tool, obj(state.get("input")))
        metadata = obj(state.get("metadata"))
        if tool == "Task" and (session := text(metadata.get("sessionId"))):
            self._tasks[session] = call
        if call not in self._open:
            self._open.add(call)
            parent = self._tasks.get(text(part.get("sessionID")))
            description = text(params.get("description")) or None
            yield Called(at, call, tool, params, description, parent)
        if state.get("status") in ("completed", "error"):
            self._told.add(call)
            # A command that fails is no failure of the program's tool.
            ok = state.get("status") == "completed" and metadata.get("exit") in (None, 0)
            output = text(state.get("output")) or text(state.get("error"))
            yield Returned(at, call, ok, output)
            if ok and (skill := self._loaded(tool, params)):
                yield Triggered(at, skill)

    def _loaded(self, tool: str, params: Event) -> str | None:
        """The skill behind a call; the model may also read its file, whose place it is told."""
        if tool == "Skill":
            return text(params.get("skill")) or None
        ours = (self._situation.skill, *self._situation.neighbours)
        subject = text(params.get("file_path")) or text(params.get("command"))
        return next((name for name in ours if name and f"/skills/{name}/SKILL.md" in subject), None)

    def _retries(self, event: Event, at: datetime) -> None:
        attempt, pause = event.get("attempt"), event.get("next")
        seconds = pause / 1000 - at.timestamp() if isinstance(pause, int | float) else 0.0
        if isinstance(attempt, int) and attempt <= _MOST_RETRIES and seconds <= _LONGEST_PAUSE:
            return
        status, words = event.get("http"), _line(text(event.get("message")))
        status = status if isinstance(status, int) and status else None
        kind = classify(status, words)
        if status is None and kind is Failure.CRASH:
            kind = Failure.NETWORK
        self.given_up = kind, f"{status}: {words}" if status else words

    def ended(self, exit_: Exit, at: datetime) -> Ended:
        """See the base."""
        failure, error = self._verdict(exit_)
        answer = self._words[1] if failure or self._words[0] == self._last[0] else ""
        if not failure and self._situation.structured:
            answer = self._structured or ""
        return Ended(at, answer, self.usage, failure, error, self._conversation)

    def _verdict(self, exit_: Exit) -> tuple[Failure | None, str | None]:
        if exit_.timed_out:
            return Failure.TIMEOUT, "the program did not end in time"
        if self._error is not None:
            return self._trouble(self._error)
        if exit_.code is None or not (exit_.ok or self.finished):
            return Failure.CRASH, None
        if self._situation.structured:
            lacks = Failure.CRASH, "no answer that fits the output schema"
            return lacks if self._structured is None else (None, None)
        reason = self._last[1]
        if reason in _UNFINISHED:
            # As after a permission that nobody gave; the program calls that a success.
            return Failure.CRASH, f"stopped in the middle of its work ({reason or 'no answer'})"
        return _ENDS.get(reason, (None, None))

    def _trouble(self, error: Event) -> tuple[Failure, str]:
        data, name = obj(error.get("data")), text(error.get("name"))
        words = _line(text(data.get("message")) or name)
        body, status = text(data.get("responseBody")), data.get("statusCode")
        if "Model not found" in words or "ModelNotFound" in name or "model_not_found" in body:
            raise UsageError(f"opencode has no model {self._situation.model!r}: {words}")
        if name in _KINDS:
            return _KINDS[name], words
        return classify(status if isinstance(status, int) else None, f"{words} {body}"), words

    def request(self, event: Event) -> Request | None:
        """See the base."""
        name = text(event.get("id"))
        if event.get("type") != "whet.request" or not name.isdecimal():
            return None
        tool = canonical(text(event.get("tool")), self._situation.servers)
        params = canonical_params(tool, obj(event.get("params")))
        is_question = event.get("kind") == "question"
        asked = objects(params.get("questions")) if is_question else ()
        return Request(
            name,
            "question" if is_question else "permission",
            tool,
            params,
            tuple(map(_question, asked)),
        )

    def reply(self, request: Request, reply: Reply) -> str:
        """By a file: the program has read its input to the end when it starts."""
        silence = reply.reason or "The user does not answer."
        told: dict[str, JsonValue] = {
            "allow": reply.allow,
            "reason": reply.reason,
            "answers": [[reply.answers.get(each.text, silence)] for each in request.questions],
        }
        file = self._situation.replies / f"{request.id}.json"
        put(file, self._situation.root, json.dumps(told))
        return ""


def _question(asked: Event) -> Question:
    choices = (text(option.get("label")) for option in objects(asked.get("options")))
    several = asked.get("multiple") is True
    return Question(text(asked.get("question")), tuple(filter(None, choices)), several)


def _line(words: str) -> str:
    return line(words) or "it gave up without a word"


def _amount(value: JsonValue) -> float:
    return value if isinstance(value, int | float) and 0 <= value < _ABSURD else 0.0
