"""The one loop around every agent program."""

import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime

from whet.core.failure import Failure
from whet.core.foreign import decoded
from whet.core.step import Ended, Spent, Step
from whet.core.usage import Usage
from whet.engines.agent_cli.reader import Event, Reader
from whet.engines.agent_cli.task import Task
from whet.shell.process import Exit, Process

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_NOISE = 2_000
"""Characters of output that is no event, kept to explain a crash."""


async def drive(process: Process, reader: Reader, task: Task) -> AsyncGenerator[Step]:
    """Yield the steps of a started program until it ends or reaches a limit of the task.

    Some programs know no limit of turns or money, and others count in their own way. So the
    limits hold here, for all alike.
    """
    noise, over = "", None
    spent = reader.usage
    async for line in process.lines():
        if (event := _event(line)) is None:
            noise = (noise + line + "\n")[-_NOISE:]
            continue
        at = datetime.now(UTC)
        if task.answerer is not None and (request := reader.request(event)) is not None:
            if told := reader.reply(request, await task.answerer(request)):
                await process.write(told)
            continue
        for step in reader.read(event, at):
            yield step
        if reader.usage != spent:
            spent = reader.usage
            yield Spent(at, spent)
        if reader.finished and task.answerer is not None:
            process.close_input()
        if (over := _over(reader, task)) is not None:
            await process.end()
            break
    exit_ = await process.ended()
    for step in reader.rest(datetime.now(UTC)):
        yield step
    yield replace(over, usage=reader.usage) if over else _final(reader, exit_, noise)


def _event(line: str) -> Event | None:
    """An event is a JSON object on a line of its own."""
    if not line.startswith("{"):
        return None
    try:
        value = decoded(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _over(reader: Reader, task: Task) -> Ended | None:
    if reader.given_up is not None:
        return _stopped(reader.usage, *reader.given_up)
    if reader.finished:  # by itself: there is nothing left to stop
        return None
    turns, budget = task.options.max_turns, task.options.max_budget_usd
    if turns is not None and reader.turns > turns:
        return _stopped(reader.usage, Failure.MAX_TURNS, f"stopped after {turns} turns")
    if budget is not None and (reader.usage.cost_usd or 0) > budget:
        return _stopped(reader.usage, Failure.BUDGET, f"stopped after {budget:g} USD")
    return None


def _stopped(usage: Usage, failure: Failure, error: str) -> Ended:
    return Ended(datetime.now(UTC), "", usage, failure, error)


def _final(reader: Reader, exit_: Exit, noise: str) -> Ended:
    """The reader's end, with what the program printed besides where that explains a crash."""
    ended = reader.ended(exit_, datetime.now(UTC))
    error = ended.error
    if ended.failure is Failure.CRASH and error is None:
        error = last_words(exit_, noise)
    cut = ended.cut or exit_.truncated
    return replace(ended, error=error, cut=cut, model=reader.model)


def last_words(exit_: Exit, noise: str = "") -> str:
    """How a program ended, with the last line it left."""
    if exit_.exceeded is not None:
        return f"ended by whet for using too much: {exit_.exceeded}"
    how = f"exit code {exit_.code}" if exit_.signal is None else f"signal {exit_.signal}"
    lines = _COLOUR.sub("", exit_.stderr.strip() or noise.strip()).splitlines()
    return f"{how}: {lines[-1][:500]}" if lines else how
