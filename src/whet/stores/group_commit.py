"""Many small changes, few commits: the writer that async flows share.

Changes that were asked for in the same turn of the event loop are committed together in the
next one, so one fsync serves all of them. It happens on the loop's own thread: a second thread
would fight with the first for the interpreter's lock and cost a trial more than the fsync does.
A server has others to answer meanwhile: there ``beside_the_loop`` leaves it to one thread.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from whet.ports.store import Store

T = TypeVar("T")
LARGEST_GROUP = 256


@dataclass(slots=True)
class _Change:
    call: Callable[[], object]
    future: asyncio.Future[object]
    result: object = None
    error: Exception | None = None


class GroupCommit:
    """``ports.writer.Writer`` on a store, for one event loop at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[_Change] = []
        self._thread: ThreadPoolExecutor | None = None
        self._committing: asyncio.Future[None] | None = None

    @asynccontextmanager
    async def beside_the_loop(self) -> AsyncGenerator[None]:
        """Commit in a thread during the block, so that the loop never waits for the store."""
        with ThreadPoolExecutor(1, "whet-writer") as self._thread:
            try:
                yield
            finally:
                while self._committing is not None:
                    await asyncio.wait({self._committing})
                    await asyncio.sleep(0)
                self._thread = None

    async def __call__(self, change: Callable[[], T]) -> T:
        """See the port."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if not self._waiting and self._committing is None:
            loop.call_soon(self._commit_waiting, loop)
        self._waiting.append(_Change(change, future))  # pyright: ignore[reportArgumentType]
        return await future

    def _commit_waiting(self, loop: asyncio.AbstractEventLoop) -> None:
        group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
        if self._thread is not None:
            self._committing = loop.run_in_executor(self._thread, self._commit, group)
            self._committing.add_done_callback(partial(self._committed, loop, group))
            return
        if self._waiting:
            loop.call_soon(self._commit_waiting, loop)
        self._commit(group)
        for change in group:
            _answer(change)

    def _committed(
        self, loop: asyncio.AbstractEventLoop, group: list[_Change], _done: asyncio.Future[None]
    ) -> None:
        """The thread is done with a group."""
        self._committing = None
        if self._waiting:
            self._commit_waiting(loop)
        for change in group:
            _answer(change)

    def _commit(self, group: list[_Change]) -> None:
        try:
            with self._store.transaction():
                for change in group:
                    change.result = change.call()
        except Exception as error:  # noqa: BLE001 - whose change it was is found out below
            if len(group) == 1:
                group[0].error = error
            else:
                for change in group:
                    self._commit([change])


def _answer(change: _Change) -> None:
    if change.future.done():  # its task was cancelled meanwhile; the change stands
        return
    if change.error is not None:
        change.future.set_exception(change.error)
    else:
        change.future.set_result(change.result)
