"""Runs in a terminal that are told to end: SIGTERM drains them."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import TypeVar

from whet.app.app import App
from whet.core.bilingual import Both, Words
from whet.core.errors import Draining

T = TypeVar("T")


class TerminationWords(Words):
    """What is said of a run that was told to end."""

    stopped = Both(
        "told to end by SIGTERM; nothing is lost, the same command goes on",
        "收到 SIGTERM 而结束；没有丢失任何内容，再次运行同一命令即可继续",
    )


def run_to_end(app: App, work: Coroutine[object, object, T]) -> T:
    """What *work* returns. After SIGTERM no trial begins, and those under way may take
    ``WHET_DRAIN_SECONDS``; a second SIGTERM ends them at once. Raises ``Draining`` then."""
    return asyncio.run(_drained(app, work))


async def _drained(app: App, work: Coroutine[object, object, T]) -> T:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    is_cancelled = False

    def cancel() -> None:
        nonlocal is_cancelled
        if not is_cancelled:
            is_cancelled = True
            task.cancel()

    def end() -> None:
        if app.drain.is_on:
            cancel()
            return
        app.drain.begin()
        loop.call_later(app.settings.drain_seconds, cancel)

    loop.add_signal_handler(signal.SIGTERM, end)
    try:
        return await work
    except asyncio.CancelledError:
        if is_cancelled and not task.uncancel():
            raise Draining(TerminationWords(app.settings.language).stopped) from None
        raise
    except Draining as error:
        raise Draining(TerminationWords(app.settings.language).stopped) from error
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
