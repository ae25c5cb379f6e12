"""What the kept threads of Codex say beyond its events."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from whet.core.foreign import count, obj, text
from whet.core.step import Called, Returned, Step
from whet.core.usage import Usage
from whet.engines.codex_rollout import News
from whet.readers.codex_items import Object, called, returned
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
)


@dataclass
class Threads:
    """Takes the news of all threads; ``main`` is the one whose events the program prints."""

    main: str | None = None
    usage: Usage = field(default_factory=Usage)
    turns: int = 0
    """Answers of the model in the main thread."""

    mute: bool = False
    """Whether the last of them used tokens for something that the program does not show."""

    spawned: dict[str, str] = field(default_factory=dict[str, str])
    """The call that each subagent's thread comes from."""

    _shown: bool = False
    _asked: dict[str, Object] = field(default_factory=dict[str, Object])
    _with_item: set[str] = field(default_factory=set[str])
    _begun: set[str] = field(default_factory=set[str])

    def take(self, news: News, at: datetime) -> Iterator[Step]:
        """The steps that a line stands for, beyond those that the events tell of."""
        match news.kind:
            case "token_usage_record":
                self._used(news)
            case "event_msg" if news.payload.get("type") == "item_completed":
                yield from self._item(news, obj(news.payload.get("item")), at)
            case "response_item":
                yield from self._response(news, at)
            case _:
                pass

    def _used(self, news: News) -> None:
        if not _is_own(news):
            return
        usage = obj(news.payload.get("usage"))
        self.usage += tokens(usage)
        if news.thread == self.main:
            thoughts = count(usage.get("reasoning_output_tokens"))
            self.turns += 1
            self.mute = count(usage.get("output_tokens")) > thoughts and not self._shown
            self._shown = False

    def _item(self, news: News, item: Object, at: datetime) -> Iterator[Step]:
        call = self._name(news.thread, item.get("id"))
        if not _is_own(news):
            return
        if item.get("type") == "SubAgentActivity":
            # Such a subagent has no event: the call that starts it is told from here.
            if item.get("kind") == "started":
                self._begun.add(call)
                self.spawned[text(item.get("agent_thread_id"))] = call
            return
        self._with_item.add(call)
        if news.thread != self.main:
            same = printed(item)
            self.remember(same, call)
            yield from called(same, call, at, self.spawned.get(news.thread))
            yield from returned(same, call, at)

    def _name(self, thread: str, call: JsonValue) -> str:
        return text(call) if thread == self.main else f"{thread}:{text(call)}"

    def remember(self, item: Object, call: str) -> None:
        """Keep in mind which subagents a call has started."""
        receivers = item.get("receiver_thread_ids")
        if item.get("tool") == "spawn_agent" and isinstance(receivers, list):
            self.spawned.update({text(receiver): call for receiver in receivers})

    def _response(self, news: News, at: datetime) -> Iterator[Step]:
        payload = news.payload
        match payload.get("type"):
            case "message" if payload.get("role") == "user":
                yield from injected(payload, at)
            case "message" if payload.get("role") == "assistant":
                self._shown = self._shown or news.thread == self.main
            case "function_call" | "custom_tool_call":
                self._shown = self._shown or news.thread == self.main
                self._asked[self._name(news.thread, payload.get("call_id"))] = payload
            case "function_call_output" | "custom_tool_call_output":
                yield from self._answered(news.thread, payload, at)
            case _:
                pass

    def _answered(self, thread: str, payload: Object, at: datetime) -> Iterator[Step]:
        """A call that came back without an item of its own."""
        call, output = self._name(thread, payload.get("call_id")), output_of(payload.get("output"))
        asked = self._asked.pop(call, {})
        name = text(asked.get("name"))
        if not name or name in CARRIERS or call in self._with_item or RUNNING in output:
            return
        ok = call in self._begun or name not in WITH_ITEMS
        parent = self.spawned.get(thread)
        yield Called(at, call, tool_of(asked), params_of(asked), parent=parent)
        yield Returned(at, call, ok and not output.startswith("unsupported "), output)


def _is_own(news: News) -> bool:
    """A thread that was forked begins with a copy of another's lines."""
    return text(news.payload.get("thread_id")) == news.thread
