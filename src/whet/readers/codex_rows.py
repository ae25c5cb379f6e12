"""The rows of Codex's rollouts, one thread after the other."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from whet.core.foreign import line, obj, objects, text
from whet.core.logged import About, Concluded, Logged, Opened, Prompted, Touched
from whet.core.step import Called, Returned, Said, Triggered
from whet.core.usage import Usage
from whet.documents.session_import import Repairs
from whet.readers.clock import Clock
from whet.readers.codex_items import Object, called, returned, script, skills_read
from whet.readers.codex_records import (
    CARRIERS,
    RUNNING,
    WITH_ITEMS,
    injected,
    output_of,
    params_of,
    printed,
    tokens,
    tool_of,
    touched,
)
from whet.readers.moments import moment
from whet.readers.rows import Row

_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_NOT_ASKED = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_")
_EXIT = re.compile(r"(?:^|\n)(?:Process exited with code|Exit code:) (-?\d+)")
_BROKEN = ("unsupported ", "apply_patch verification failed", "execution error", "failed to ")
_HEAD = 400
"""Characters in which an output says how its command ended."""

_ENDS = {
    "exec_command_end": "command_execution",
    "patch_apply_end": "file_change",
    "mcp_tool_call_end": "mcp_tool_call",
}
_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)


@dataclass
class CodexSession:
    """What the threads of one session share."""

    usage: dict[str, Usage] = field(default_factory=dict[str, Usage])
    """By thread."""

    spawned: dict[str, str] = field(default_factory=dict[str, str])
    """Calls of subagents by the thread of the subagent."""

    told: set[str] = field(default_factory=set[str])
    """Calls that were given out; a thread that was forked begins with a copy of another's."""

    outcome: Concluded = field(default_factory=lambda: Concluded("in_progress"))


class CodexThread:
    """Takes the rows of one thread."""

    def __init__(self, session: CodexSession, clock: Clock, repairs: Repairs) -> None:
        self._session = session
        self._clock = clock
        self._repairs = repairs
        self._thread = ""
        self._parent: str | None = None
        self._is_main = True
        self._has_items = False
        self._records = False
        self._asked: dict[str, tuple[datetime, Object]] = {}
        self._changes: dict[str, JsonValue] = {}

    def below(self, clock: Clock, thread: str) -> "CodexThread":
        """For the rows of a subagent's thread."""
        made = CodexThread(self._session, clock, self._repairs)
        made._thread, made._is_main = thread, False
        made._parent = self._session.spawned.get(thread)
        return made

    def take(self, row: Row) -> Iterator[Logged]:
        """What a row tells."""
        payload = obj(row.get("payload"))
        at = self._clock.at(row.get("timestamp"))
        match row.get("type"):
            case "session_meta":
                yield from self._began(payload)
            case "turn_context" if self._is_main:
                yield About(model=text(payload.get("model")) or None)
            case "response_item":
                yield from self._response(payload, at)
            case "event_msg":
                yield from self._event(payload, at)
            case "token_usage_record" if payload.get("thread_id") == self._thread:
                self._records = True
                self._use(tokens(obj(payload.get("usage"))), is_sum=False)
            case _:
                pass

    def _began(self, payload: Row) -> Iterator[Logged]:
        thread = text(payload.get("id")) or text(payload.get("session_id"))
        if self._is_main and not self._thread:
            self._thread = thread
            yield Opened(thread or None)
            yield About(moment(payload.get("timestamp")))
            yield About(engine_version=text(payload.get("cli_version")) or None)

    def _use(self, usage: Usage, *, is_sum: bool) -> None:
        before = Usage() if is_sum else self._session.usage.get(self._thread, Usage())
        self._session.usage[self._thread] = before + usage

    def _response(self, payload: Row, at: datetime) -> Iterator[Logged]:
        match payload.get("type"):
            case "message":
                yield from self._message(payload, at)
            case str(kind) if kind in _CALLS:
                self._open(_call_id(payload), at, payload)
            case str(kind) if kind in _OUTPUTS:
                yield from self._answered(payload, at)
            case "web_search_call" if not self._has_items:
                query = text(obj(payload.get("action")).get("query"))
                item: Row = {"type": "web_search", "query": query}
                yield from self._whole(item, text(payload.get("id")) or f"web-{at}", at, at)
            case _:
                pass

    def _message(self, payload: Row, at: datetime) -> Iterator[Logged]:
        said = "\n".join(filter(None, (_text(part) for part in objects(payload.get("content")))))
        match payload.get("role"):
            case "user":
                yield from injected(payload, at)
                if self._is_main and said and _is_prompt(payload, said):
                    self._session.outcome = Concluded("in_progress")
                    yield Prompted(at, said)
            case "assistant" if self._is_main and said:
                if not self._has_items:
                    # Older versions do not keep how a turn ended.
                    self._session.outcome = Concluded("success", said)
                yield Said(at, said)
            case _:
                pass

    def _open(self, call: str, at: datetime, payload: Row) -> None:
        if call and call not in self._session.told:
            self._asked[call] = at, payload
            if self._is_main and not self._has_items:
                self._session.outcome = Concluded("in_progress")

    def _event(self, payload: Row, at: datetime) -> Iterator[Logged]:
        match payload.get("type"):
            case "item_completed":
                self._has_items = True
                yield from self._item(payload, at)
            case str(kind) if kind in _ENDS:
                yield from self._older_item(kind, payload, at)
            case "patch_apply_begin":
                self._changes[text(payload.get("call_id"))] = payload.get("changes")
            case "token_count" if not self._records:
                total = obj(obj(payload.get("info")).get("total_token_usage"))
                if total:
                    self._use(tokens(total), is_sum=True)
            case str(kind) if self._is_main:
                self._turn(kind, payload)
            case _:
                pass

    def _turn(self, kind: str, payload: Row) -> None:
        match kind:
            case "task_started":
                self._session.outcome = Concluded("in_progress")
            case "task_complete":
                answer = text(payload.get("last_agent_message"))
                self._session.outcome = Concluded("success", answer or None)
            case "turn_aborted":
                why = text(payload.get("reason")) or "the turn was aborted"
                self._session.outcome = Concluded("failed", error=why)
            case "error" | "stream_error":
                said = line(text(payload.get("message"))) or "an error without a word"
                self._session.outcome = Concluded("failed", error=said)
            case _:
                pass

    def _item(self, payload: Row, at: datetime) -> Iterator[Logged]:
        item = obj(payload.get("item"))
        call = text(item.get("id"))
        if self._thread and text(payload.get("thread_id")) not in ("", self._thread):
            # A copy of another thread's.
            self._asked.pop(call, None)
            return
        if item.get("type") == "SubAgentActivity":
            if item.get("kind") == "started":
                self._session.spawned[text(item.get("agent_thread_id"))] = call
            return
        same = printed(item)
        receivers = item.get("receiver_thread_ids")
        if item.get("tool") == "spawn_agent" and isinstance(receivers, list):
            self._session.spawned.update({text(each): call for each in receivers})
        begun = moment(payload.get("started_at_ms")) or self._asked.get(call, (at, {}))[0]
        yield from self._whole(same, call, begun, moment(payload.get("completed_at_ms")) or at)

    def _older_item(self, kind: str, payload: Row, at: datetime) -> Iterator[Logged]:
        """An event of the versions that had one for each kind of call."""
        call = text(payload.get("call_id"))
        invoked = obj(payload.get("invocation"))
        result = obj(payload.get("result"))
        done = payload.get("exit_code", 0) == 0 and payload.get("success", True) is True
        failed = "Err" in result or obj(result.get("Ok")).get("is_error") is True
        item: dict[str, JsonValue] = {
            **payload,
            "type": _ENDS[kind],
            "changes": payload.get("changes") or self._changes.pop(call, None),
            "server": invoked.get("server"),
            "tool": invoked.get("tool"),
            "arguments": invoked.get("arguments"),
            "status": "completed" if done and not failed else "failed",
            "aggregated_output": _older_output(payload),
            "result": result.get("Ok"),
        }
        begun = self._asked.get(call, (at, {}))[0]
        yield from self._whole(printed(item), call, begun, at)

    def _whole(self, item: Row, call: str, begun: datetime, at: datetime) -> Iterator[Logged]:
        """A call from its beginning to its end, or several."""
        steps = [*called(item, call, begun, self._parent)]
        if not steps:
            return
        self._asked.pop(call, None)
        if call in self._session.told:
            return
        self._session.told.add(call)
        yield from steps
        yield from touched(item)
        yield from returned(item, call, at)

    def _answered(self, payload: Row, at: datetime) -> Iterator[Logged]:
        """A call that came back without an item of its own."""
        call, output = text(payload.get("call_id")), output_of(payload.get("output"))
        begun, asked = self._asked.pop(call, (at, {}))
        name = _name(asked)
        if not name or (self._has_items and (name in CARRIERS or RUNNING in output)):
            return
        if self._has_items and call in self._session.spawned.values():
            ok = True
        elif self._has_items:
            ok = name not in WITH_ITEMS and not output.startswith(_BROKEN)
        else:
            ok, output = _ending(output)
        self._session.told.add(call)
        params = _params(asked)
        yield Called(begun, call, tool_of({**asked, "name": name}), params, parent=self._parent)
        yield from _written(params, ok=ok)
        yield Returned(at, call, ok, output)
        if ok and isinstance(command := params.get("command"), str):
            for skill in skills_read(command):
                yield Triggered(at, skill)

    def rest(self) -> Iterator[Logged]:
        """The calls that never came back."""
        for call, (begun, asked) in self._asked.items():
            name = _name(asked)
            if name and not (self._has_items and name in CARRIERS):
                tool = tool_of({**asked, "name": name})
                yield Called(begun, call, tool, _params(asked), parent=self._parent)


def _call_id(payload: Row) -> str:
    return text(payload.get("call_id")) or text(payload.get("id"))


def _name(asked: Object) -> str:
    return "shell" if asked.get("type") == "local_shell_call" else text(asked.get("name"))


def _params(asked: Object) -> dict[str, JsonValue]:
    if asked.get("type") == "local_shell_call":
        return {"command": script(obj(asked.get("action")).get("command"))}
    params = params_of(asked)
    if isinstance(params.get("command"), list):
        params["command"] = script(params["command"])
    return params


def _ending(output: str) -> tuple[bool, str]:
    """How a command ended, and what it printed, by what the model was told of it."""
    if output.startswith('{"output"'):
        told = params_of({"arguments": output})
        code = obj(told.get("metadata")).get("exit_code")
        return code in (None, 0), text(told.get("output"))
    if found := _EXIT.search(output[:_HEAD]):
        return found[1] == "0", output
    return not output.startswith(_BROKEN), output


def _older_output(payload: Row) -> JsonValue:
    for name in ("aggregated_output", "formatted_output"):
        if isinstance(payload.get(name), str) and payload[name]:
            return payload[name]
    said = [text(payload.get(name)) for name in ("stdout", "stderr")]
    return "\n".join(filter(None, said)) if "stdout" in payload else None


def _written(params: Mapping[str, JsonValue], *, ok: bool) -> Iterator[Touched]:
    """The files of a patch."""
    patch = params.get("input")
    if ok and isinstance(patch, str):
        for how, path in _PATCHED.findall(patch):
            yield Touched(path.strip(), how == "Add")


def _text(part: Row) -> str:
    return text(part.get("text")) if part.get("type") != "input_image" else ""


def _is_prompt(payload: Row, said: str) -> bool:
    kinds = obj(payload.get("internal_chat_message_metadata_passthrough")).get("content_item_kinds")
    if isinstance(kinds, list):
        return "user.text" in kinds
    return not said.lstrip().startswith(_NOT_ASKED)
