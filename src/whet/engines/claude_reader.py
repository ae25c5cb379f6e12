"""Reading what Claude Code prints."""

import json
from collections.abc import Iterator
from datetime import datetime

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.foreign import line, obj, objects, text
from whet.core.request import Question, Reply, Request
from whet.core.step import Called, Ended, Returned, Said, Step, Triggered
from whet.engines.agent_cli.failures import classify
from whet.engines.agent_cli.reader import Event, Reader
from whet.engines.claude_usage import ClaudeUsage
from whet.readers.claude_blocks import SYNTHETIC, TOOLS, result_text
from whet.shell.process import Exit

_LIMITS = {
    "error_max_turns": Failure.MAX_TURNS,
    "error_max_budget_usd": Failure.BUDGET,
}
_REASONS = {
    "prompt_too_long": Failure.CONTEXT,
    "max_output_tokens": Failure.CONTEXT,
    "refusal": Failure.REFUSAL,
    "authentication_failed": Failure.AUTH,
    "billing_error": Failure.AUTH,
}


class ClaudeReader(Reader):
    """Each content block comes as an event of its own. The last of possibly several results
    counts, and its ``subtype`` says success even when nothing has worked."""

    def __init__(self, model: str, *, structured: bool = False, named: str | None = None) -> None:
        """*named* is the skill that the prompt calls by its name."""
        super().__init__()
        self._model = model
        self._structured = structured
        self._named = named
        self._ledger = ClaudeUsage()
        self._loading: dict[str, str] = {}
        self._last_words = ""
        self._error: str | None = None
        self._conversation: str | None = None
        self._result: Event | None = None
        self._background = False
        self._streaming = ""

    def read(self, event: Event, at: datetime) -> Iterator[Step]:
        """See the base."""
        match event.get("type"):
            case "system":
                yield from self._system(event, at)
            case "stream_event":
                self._streamed(event)
            case "assistant":
                yield from self._assistant(event, at)
            case "user":
                yield from self._user(event, at)
            case "result":
                self._ended(event)
            case _:
                pass
        self.usage = self._ledger.usage
        self.turns = self._ledger.turns

    def _system(self, event: Event, at: datetime) -> Iterator[Step]:
        match event.get("subtype"):
            case "init":
                self._conversation = text(event.get("session_id")) or self._conversation
                self.model = text(event.get("model")) or self.model
                commands = event.get("slash_commands")
                if self._named and isinstance(commands, list) and self._named in commands:
                    # Loaded with the prompt, without any event.
                    yield Triggered(at, self._named)
                    self._named = None
            case "background_tasks_changed":
                self._background = bool(event.get("tasks"))
            case _:
                pass

    def _streamed(self, event: Event) -> None:
        """Parts of messages tell of tokens; what is said comes again as a whole."""
        part = obj(event.get("event"))
        of_main = event.get("parent_tool_use_id") is None
        match part.get("type"):
            case "message_start":
                message = obj(part.get("message"))
                self._streaming = text(message.get("id"))
                self._ledger.message(self._streaming, message.get("usage"), of_main=of_main)
            case "message_delta":
                name = text(event.get("api_message_id")) or self._streaming
                self._ledger.message(name, part.get("usage"), of_main=of_main)
            case _:
                pass

    def _assistant(self, event: Event, at: datetime) -> Iterator[Step]:
        message = obj(event.get("message"))
        if message.get("model") == SYNTHETIC:
            self._error = text(event.get("error")) or self._error
            return
        parent = text(event.get("parent_tool_use_id")) or None
        name = text(message.get("id"))
        self._ledger.message(name, message.get("usage"), of_main=parent is None)
        for block in objects(message.get("content")):
            match block.get("type"):
                case "text" if parent is None and (words := text(block.get("text"))):
                    self._last_words = words
                    yield Said(at, words)
                case "tool_use":
                    yield self._called(block, parent, at)
                case _:
                    pass

    def _called(self, block: Event, parent: str | None, at: datetime) -> Called:
        params = obj(block.get("input"))
        call, name = text(block.get("id")), text(block.get("name"))
        if name == "Skill":
            self._loading[call] = text(params.get("skill")).removeprefix("/")
        description = text(params.get("description")) or None
        return Called(at, call, TOOLS.get(name, name), params, description, parent)

    def _user(self, event: Event, at: datetime) -> Iterator[Step]:
        for block in objects(obj(event.get("message")).get("content")):
            if block.get("type") != "tool_result":
                continue
            call, ok = text(block.get("tool_use_id")), block.get("is_error") is not True
            yield Returned(at, call, ok, result_text(block.get("content")))
            if ok and (skill := self._loading.pop(call, "")):
                result = obj(event.get("tool_use_result"))
                yield Triggered(at, text(result.get("commandName")) or skill)

    def _ended(self, event: Event) -> None:
        self._result = event
        self._ledger.result(event.get("model_usage_since_last_result"))
        # Subagents in the background will have another word with the agent.
        self.finished = not self._background

    def ended(self, exit_: Exit, at: datetime) -> Ended:
        """See the base."""
        failure, error = self._verdict(exit_)
        answer = self._last_words if failure else self._answer()
        return Ended(at, answer, self.usage, failure, error, self._conversation)

    def _answer(self) -> str:
        result = self._result or {}
        if self._structured:
            return json.dumps(result.get("structured_output"), ensure_ascii=False)
        return text(result.get("result"))

    def _verdict(self, exit_: Exit) -> tuple[Failure | None, str | None]:
        if exit_.timed_out:
            return Failure.TIMEOUT, "the program did not end in time"
        result = self._result
        if result is None or (exit_.code is None and result.get("is_error") is not True):
            return Failure.CRASH, None
        if (limit := _LIMITS.get(text(result.get("subtype")))) is not None:
            return limit, _complaint(result)
        if result.get("is_error") is not False:
            return self._trouble(result)
        if not exit_.ok:
            return Failure.CRASH, None
        if self._structured and result.get("structured_output") is None:
            return Failure.CRASH, "no answer that fits the output schema"
        return None, None

    def _trouble(self, result: Event) -> tuple[Failure, str]:
        if self._error == "model_not_found":
            raise UsageError(f"claude has no model {self._model!r}, or not for this login")
        complaint = _complaint(result)
        reasons = [result.get(key) for key in ("terminal_reason", "api_error", "stop_reason")]
        for reason in (*reasons, self._error):
            if isinstance(reason, str) and reason in _REASONS:
                return _REASONS[reason], complaint
        status = result.get("api_error_status")
        return classify(status if isinstance(status, int) else None, complaint), complaint

    def request(self, event: Event) -> Request | None:
        """See the base."""
        asked = obj(event.get("request"))
        if event.get("type") != "control_request" or asked.get("subtype") != "can_use_tool":
            return None
        tool, params = text(asked.get("tool_name")), obj(asked.get("input"))
        questions = tuple(map(_question, objects(params.get("questions"))))
        return Request(
            text(event.get("request_id")),
            "question" if tool == "AskUserQuestion" else "permission",
            TOOLS.get(tool, tool),
            params,
            questions if tool == "AskUserQuestion" else (),
        )

    def reply(self, request: Request, reply: Reply) -> str:
        """See the base."""
        told: dict[str, JsonValue]
        if reply.allow:
            params = dict(request.params)
            if request.kind == "question":
                params["answers"] = dict(reply.answers)
            told = {"behavior": "allow", "updatedInput": params}
        else:
            told = {"behavior": "deny", "message": reply.reason or "The user does not want this."}
        response = {"subtype": "success", "request_id": request.id, "response": told}
        return json.dumps({"type": "control_response", "response": response}) + "\n"


def _question(asked: Event) -> Question:
    choices = (text(option.get("label")) for option in objects(asked.get("options")))
    return Question(
        text(asked.get("question")),
        tuple(filter(None, choices)),
        asked.get("multiSelect") is True,
    )


def _complaint(result: Event) -> str:
    """What a result says went wrong, in one line."""
    errors = result.get("errors")
    first = text(errors[0]) if isinstance(errors, list) and errors else ""
    return line(first or text(result.get("result"))) or "it gave up without a word"
