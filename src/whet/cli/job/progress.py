"""What an agent is at, on stderr: one line that changes, or a line now and then for logs."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from pydantic import JsonValue
from rich.console import Console
from rich.status import Status
from rich.text import Text

from whet.app.jobs.telling import lines
from whet.app.watch import watch
from whet.cli.asset_output import line
from whet.core.bilingual import Both, Words
from whet.core.job import Job
from whet.ports.events import Events

LINE_SECONDS = 2.0
HEARTBEAT_SECONDS = 10.0
_LONGEST = 60


class StepWords(Words):
    """What an agent is at."""

    seconds = Both("{seconds:.0f} s", "{seconds:.0f} 秒")
    turn = Both("turn {number}", "第 {number} 轮")
    kinds = Both(
        {
            "said": "says",
            "called": "calls",
            "returned": "got",
            "failed": "failed",
            "skill": "uses the skill",
            "ended": "ended",
        },
        {
            "said": "说",
            "called": "调用",
            "returned": "得到",
            "failed": "失败",
            "skill": "使用技能",
            "ended": "结束",
        },
    )


@asynccontextmanager
async def shown(events: Events, job: Job, words: StepWords) -> AsyncGenerator[None]:
    """Show what the agent of a job is at while the block runs."""
    console = Console(stderr=True, highlight=False)
    title = line(f"{job.skill_id}, {job.engine}", _LONGEST)
    display = _Live(console) if console.is_terminal else _Lines(console)
    task = asyncio.create_task(_follow(events, job, title, display, words))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
        display.close()


async def _follow(
    events: Events, job: Job, title: str, display: "_Live | _Lines", words: StepWords
) -> None:
    begun, news = time.monotonic(), ""
    async for batch in watch(events, events.last(), job.request_id):
        for event in batch:
            match event.data:
                case {"turn": int(number)}:
                    news = words.turn.format(number=number)
                case _:
                    told = [told for each in lines(event) if (told := step(each, words))]
                    news = told[-1] if told else news
        seconds = words.seconds.format(seconds=time.monotonic() - begun)
        display.show(f"{title}: {seconds}", news)


def step(told: dict[str, JsonValue], words: StepWords) -> str:
    """A step of an agent in a few words; nothing for what is no step."""
    kind = words.kinds.get(str(told.get("kind")))
    if kind is None:
        return ""
    parts = (kind, str(told.get("tool", "")), line(str(told.get("text", "")), _LONGEST))
    return " ".join(part for part in parts if part)


class _Live:
    """One line that disappears when the result is there."""

    def __init__(self, console: Console) -> None:
        self._status = Status("", console=console)
        self._status.start()

    def show(self, title: str, news: str) -> None:
        """Say it in place of what was said before."""
        self._status.update(Text(f"{title}  {news}".rstrip(), no_wrap=True, overflow="ellipsis"))

    def close(self) -> None:
        """Take it away."""
        self._status.stop()


class _Lines:
    """A line when there is news, and one now and then when there is none."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said_at = time.monotonic()
        self._said = ""

    def show(self, title: str, news: str) -> None:
        """Say it, unless something was said a moment ago."""
        pause = LINE_SECONDS if news != self._said else HEARTBEAT_SECONDS
        if time.monotonic() - self._said_at < pause:
            return
        self._said_at, self._said = time.monotonic(), news
        self._console.print(Text(f"{title}, {news}" if news else title), soft_wrap=True)

    def close(self) -> None:
        """Nothing to take down."""
