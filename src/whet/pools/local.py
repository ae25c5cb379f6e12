"""Trials in this process: bounded lanes, a budget, and a second look at what others hold."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import dataclass, field

from whet.core.budget import Purse, Reservation
from whet.core.drain import Drain
from whet.core.errors import BudgetExhausted, Draining
from whet.core.lanes import Lanes
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.ports.pool import Handled, Handler

LOOK_AHEAD = 256
"""Specs taken from the plan beyond those running, so that a full lane does not stop another."""

HELD_SECONDS = 0.05
"""How long a trial that another process is at is left alone."""


@dataclass(frozen=True)
class LocalPool:
    """``ports.pool.Pool`` on this event loop; *width* trials at once in each lane."""

    handler: Handler
    width: int
    drain: Drain = field(default_factory=Drain)
    """Says when nothing more may begin."""

    async def run(
        self, specs: Iterable[TrialSpec], purse: Purse
    ) -> AsyncGenerator[tuple[TrialSpec, Handled]]:
        """See the port."""
        run = _Run(self, iter(specs), purse)
        try:
            while run.start():
                for settled in await run.wait():
                    yield settled
            if run.is_cut_off:
                raise Draining
        finally:
            await run.stop()


class _Run:
    """One plan on its way through the lanes."""

    def __init__(self, pool: LocalPool, specs: Iterator[TrialSpec], purse: Purse) -> None:
        self._pool = pool
        self._specs = specs
        self._purse = purse
        self._waiting: dict[str, deque[TrialSpec]] = {}
        self._lanes = Lanes(pool.width)
        self._tasks: dict[asyncio.Task[Handled], tuple[TrialSpec, Reservation]] = {}
        self._done: list[asyncio.Task[Handled]] = []
        self._news = asyncio.Event()
        self._held: deque[tuple[float, TrialSpec]] = deque()
        self._clock = asyncio.get_running_loop().time
        self._refused: list[tuple[TrialSpec, Handled]] = []
        self.is_cut_off = False
        """Whether trials were left out because this process is about to end."""

    def start(self) -> bool:
        """Fill the lanes; False when nothing is left to wait for."""
        if self._purse.is_halted:
            self._waiting.clear()
            self._held.clear()
            return bool(self._tasks or self._refused)
        if self._pool.drain.is_on:
            self._cut_off()
            return bool(self._tasks or self._refused)
        self._read_ahead()
        for lane, queue in self._waiting.items():
            while queue and self._lanes.has_room(lane) and self._launch(queue[0]):
                queue.popleft()
        waiting = any(self._waiting.values())
        return bool(self._tasks or self._held or self._refused or waiting)

    async def wait(self) -> list[tuple[TrialSpec, Handled]]:
        """Wait until something is settled, or until held trials may be looked at again."""
        settled, self._refused = self._refused, []
        if not settled:
            await self._something_done()
            done, self._done = self._done, []
            settled = [result for task in done if (result := self._settle(task))]
        self._requeue_held()
        return settled

    async def _something_done(self) -> None:
        """Until a task ends, or until it is time to look at something else."""
        self._news.clear()
        if self._done:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self._next_look()):
                await self._news.wait()
        if self._purse.seconds_left == 0:
            await self.stop()

    def _next_look(self) -> float | None:
        """When held trials may be asked for again, the time is up, or money that somebody else
        has set aside may be free."""
        looks = [self._held[0][0]] if self._may_look_again() else []
        if not self._tasks:
            looks.append(self._clock() + HELD_SECONDS)
        left = self._purse.seconds_left
        # When the time is up, what is left to wait for is what others still hold.
        if left or (left is not None and self._tasks):
            looks.append(self._clock() + left)
        return min(looks, default=None)

    async def stop(self) -> None:
        """End every running trial and wait until each has cleaned up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _cut_off(self) -> None:
        """Leave out what has not begun."""
        is_left = any(self._waiting.values()) or bool(self._held)
        if is_left or next(self._specs, None) is not None:
            self.is_cut_off = True
        self._waiting.clear()
        self._held.clear()

    def _read_ahead(self) -> None:
        room = LOOK_AHEAD - sum(map(len, self._waiting.values()))
        while room > 0 and (spec := next(self._specs, None)) is not None:
            self._waiting.setdefault(spec.lane, deque()).append(spec)
            room -= 1

    def _launch(self, spec: TrialSpec) -> bool:
        """Start the trial or refuse it; False when it has to wait for money that is reserved."""
        try:
            reservation = self._purse.reserve(spec)
        except BudgetExhausted as error:
            if self._tasks or self._purse.is_held:
                return False
            self._refused.append((spec, Handled(settled=True, error=error)))
            return True
        self._lanes.enter(spec.lane)
        task = asyncio.create_task(self._handle(spec))
        task.add_done_callback(self._ended)
        self._tasks[task] = spec, reservation
        return True

    def _ended(self, task: asyncio.Task[Handled]) -> None:
        self._done.append(task)
        self._news.set()

    async def _handle(self, spec: TrialSpec) -> Handled:
        return await self._pool.handler(spec)

    def _settle(self, task: asyncio.Task[Handled]) -> tuple[TrialSpec, Handled] | None:
        spec, reservation = self._tasks.pop(task)
        self._lanes.leave(spec.lane)
        if task.cancelled():
            reservation.settle(1, Usage())
            error = BudgetExhausted(f"the time of {self._purse.budget.max_seconds:g} s is up")
            return spec, Handled(settled=True, executions=1, error=error)
        handled = task.result()
        reservation.settle(handled.executions, handled.usage)
        if handled.settled:
            return spec, handled
        self._held.append((self._clock() + HELD_SECONDS, spec))
        return None

    def _may_look_again(self) -> bool:
        """Held trials come last: while others wait for a lane, nobody asks for them."""
        return bool(self._held) and not any(self._waiting.values())

    def _requeue_held(self) -> None:
        if self._may_look_again():
            while self._held and self._held[0][0] <= self._clock():
                _, spec = self._held.popleft()
                self._waiting.setdefault(spec.lane, deque()).append(spec)
