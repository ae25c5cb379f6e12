"""``whet session tail``."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Annotated

import typer
from rich.console import Console

from whet.app.app import App, opened
from whet.app.sessions.live import LiveSessions, find, is_experiment, running
from whet.app.sessions.tail import Batch, follow, follow_experiment
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call, when_stopped
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import NotFound
from whet.documents.live import LiveEvent, LiveHead
from whet.documents.session import ToolCall

_LONGEST = 300
_LONGEST_CELL = 60
_SHORT = 8


class TailWords(Words):
    """What is said of agents at work."""

    nothing = Both("nothing runs now", "现在没有正在运行的任务")
    columns = Both(
        ("execution", "since", "engine", "for", "task"),
        ("执行", "开始时间", "引擎", "用途", "任务"),
    )
    hint = Both("follow one with: {command}", "跟踪其中一个: {command}")
    started = Both("begins: {who}, {task}", "开始: {who}，{task}")
    called = Both("calls {call}", "调用 {call}")
    returned = Both("{tool}, {ms} ms", "{tool}，{ms} 毫秒")
    failed = Both("{tool} failed, {ms} ms", "{tool} 失败，{ms} 毫秒")
    skill = Both("takes up the skill {name}", "启用技能 {name}")
    usage = Both(CountedText("{tokens:token|tokens} so far"), "至今 {tokens} 个 token")
    cut = Both(
        "there is more than can be followed; the session will have all of it",
        "内容过多，无法全部跟踪；会话中将有全部内容",
    )
    ended = Both(
        {
            "answered": "has answered",
            "failed": "failed: {error}",
            "cancelled": "was cancelled",
            "abandoned": "was left: the process behind it is gone",
        },
        {
            "answered": "已回答",
            "failed": "失败: {error}",
            "cancelled": "已取消",
            "abandoned": "已中断: 背后的进程已不存在",
        },
    )
    unanswered = Both("calls that never came back: {count}", "没有返回的调用: {count}")
    session = Both("see it with: {command}", "查看: {command}")
    finished = Both("the job is over: {state}", "作业结束: {state}")


Followed = Annotated[
    str | None,
    typer.Argument(
        help="A job, an execution or a trial, by its id or the unique beginning of that; or "
        "an experiment, an eval run or a capability run by its id. Without it: list what runs.",
        metavar="ID",
    ),
]


@when_stopped("no longer following; what was followed goes on")
def tail(call: Call, reference: Followed = None) -> None:
    """List what runs, or follow one of it; a process that is gone is a failure."""
    with opened(call.settings) as app:
        if reference is None:
            _list(call, running(app))
            return
        printer = _Printer(call)
        asyncio.run(_print(_events(app, reference), printer))
    if printer.lost:
        raise typer.Exit(1)


def _events(app: App, reference: str) -> AsyncIterator[Batch]:
    try:
        return follow(find(app, reference))
    except NotFound:
        if is_experiment(app, reference):
            return follow_experiment(app, reference)
        raise


async def _print(batches: AsyncIterator[Batch], printer: "_Printer") -> None:
    async for batch in batches:
        for event in batch:
            printer.event(event)
        sys.stdout.flush()


def _list(call: Call, heads: list[LiveHead]) -> None:
    words = TailWords(call.language)
    if call.json:
        print_json(LiveSessions(sessions=tuple(heads)))
        return
    if not heads:
        typer.echo(words.nothing)
        return
    table = plain_table(words.columns, fixed=words.columns[:2])
    for head in heads:
        about = (head.execution, head.started_at[11:19], _who(head), _place(head), head.prompt)
        table.add_row(*(cell(text, _LONGEST_CELL) for text in about))
    Console().print(table)
    hint = call.command(f"session tail {heads[0].execution[:_SHORT]}")
    typer.echo(words.hint.format(command=hint))


def _who(head: LiveHead) -> str:
    return head.engine if head.model == head.engine else f"{head.engine} {head.model}"


def _place(head: LiveHead) -> str:
    if head.job is not None:
        return f"job {head.job[:_SHORT]}"
    if (place := head.place) is None:
        return head.scope
    return f"{place.subject[:_SHORT]} {place.arm} {place.case} #{place.attempt}"


class _Printer:
    """One line an event; where several executions are followed, each has its name before it."""

    def __init__(self, call: Call) -> None:
        self._caller = call
        self._words = TailWords(call.language)
        self.lost = False
        """Whether a process was gone."""

    def event(self, event: LiveEvent) -> None:
        """Print it."""
        if event.end is not None and event.end.outcome == "abandoned":
            self.lost = True
        if self._caller.json:
            sys.stdout.write(json.dumps(event.to_data()) + "\n")
            return
        for text in self._lines(event):
            at = (event.at or "")[11:19] or " " * _SHORT
            sys.stdout.write(f"{at}  {event.execution[:_SHORT]}  {line(text, _LONGEST)}\n")

    def _lines(self, event: LiveEvent) -> list[str]:
        words = self._words
        match event.kind:
            case "started" if event.head is not None:
                return [words.started.format(who=_who(event.head), task=event.head.prompt)]
            case "message":
                return [event.text or ""]
            case "skill":
                return [words.skill.format(name=event.text)]
            case "usage" if event.usage is not None:
                tokens = event.usage.input_tokens + event.usage.output_tokens
                return [words.usage.format(tokens=tokens)]
            case "cut":
                return [words.cut]
            case "finished":
                return [words.finished.format(state=event.text), *self._session(event)]
            case "ended":
                return self._ended(event)
            case _:
                return self._call(event)

    def _call(self, event: LiveEvent) -> list[str]:
        if (opened := event.opened) is not None:
            shown = opened.input.get("raw_command") or opened.tool_name
            return [self._words.called.format(call=shown)]
        if (call := event.call) is None:
            return []
        failed = call.output.status == "failed"
        told = (self._words.failed if failed else self._words.returned).format(
            tool=call.tool_name, ms=call.duration_ms
        )
        return [f"{told}  {_shown(call)}"]

    def _ended(self, event: LiveEvent) -> list[str]:
        if (end := event.end) is None:
            return []
        told = [self._words.ended[end.outcome].format(error=end.error or end.failure)]
        if event.unanswered:
            told.append(self._words.unanswered.format(count=event.unanswered))
        return told + self._session(event)

    def _session(self, event: LiveEvent) -> list[str]:
        if event.session_id is None:
            return []
        shown = self._caller.command(f"session show {event.session_id}")
        return [self._words.session.format(command=shown)]


def _shown(call: ToolCall) -> str:
    result = call.output.result
    content = (result.__pydantic_extra__ or {}).get("content") if result else None
    return call.output.error or (result.display if result else None) or str(content or "")
