"""What ``whet session tail`` does once its imports are worth their time."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator

import typer
from rich.console import Console

from whet.app.app import App, opened
from whet.app.sessions.live import LiveSessions, find, is_experiment, running
from whet.app.sessions.tail import Batch, follow, follow_experiment
from whet.app.settings import Settings
from whet.cli.asset_output import cell, command, line, plain_table, print_json
from whet.cli.session.tail import Tail
from whet.cli.session.tail_words import BY_LANGUAGE, TailWords
from whet.core.errors import NotFound
from whet.documents.live import LiveEvent, LiveHead
from whet.documents.session import ToolCall

_LONGEST = 300
_LONGEST_CELL = 60
_SHORT = 8


def tail(settings: Settings, options: Tail) -> None:
    """List what runs, or follow one of it; a process that is gone is a failure."""
    words = BY_LANGUAGE[settings.language]
    with opened(settings) as app:
        if options.reference is None:
            _list(running(app), options, words)
            return
        printer = _Printer(options, words)
        asyncio.run(_print(_events(app, options.reference), printer))
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


def _list(heads: list[LiveHead], options: Tail, words: TailWords) -> None:
    if options.json:
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
    hint = command(f"session tail {heads[0].execution[:_SHORT]}", options.workspace)
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

    def __init__(self, options: Tail, words: TailWords) -> None:
        self._options = options
        self._words = words
        self.lost = False
        """Whether a process was gone."""

    def event(self, event: LiveEvent) -> None:
        """Print it."""
        if event.end is not None and event.end.outcome == "abandoned":
            self.lost = True
        if self._options.json:
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
        shown = command(f"session show {event.session_id}", self._options.workspace)
        return [self._words.session.format(command=shown)]


def _shown(call: ToolCall) -> str:
    result = call.output.result
    content = (result.__pydantic_extra__ or {}).get("content") if result else None
    return call.output.error or (result.display if result else None) or str(content or "")
