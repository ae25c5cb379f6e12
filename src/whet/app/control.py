"""What people want of a run that is under way, wherever it runs: pause it, or stop it.

A wish is a state of the store, so that it reaches whichever process does the work. Who begins
later does not mind wishes from before.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal

from whet.core.budget import Purse
from whet.core.errors import Halted
from whet.core.instant import iso
from whet.ports.clock import Clock
from whet.ports.states import States
from whet.ports.store import Store

KIND = "control"
LOOK_SECONDS = 0.2

Wish = Literal["paused", "stopped"]


def ask(store: Store, clock: Clock, identity: str, wish: Wish) -> None:
    """Let whoever runs *identity* know."""
    with store.transaction():
        present = store.states.get(KIND, identity)
        revision = present.revision if present else 0
        value = {"wish": wish, "at": iso(clock.now())}
        store.states.put(KIND, identity, revision, {**value})


@asynccontextmanager
async def obeying(states: States, identity: str, purse: Purse, since: int) -> AsyncGenerator[None]:
    """Follow wishes newer than *since* while the block runs. A pause halts the purse, so that what
    is under way comes to its end and nothing else begins. A stop ends the block: ``Halted`` is
    raised."""
    listener = _Listener(states, identity, purse, since)
    listening = asyncio.create_task(listener.listen(asyncio.current_task()))
    try:
        try:
            yield
        finally:
            listening.cancel()
            await asyncio.wait({listening})
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if listener.has_stopped and task is not None and not task.uncancel():
            raise Halted(identity, "stopped") from None
        raise


def newest(states: States, identity: str) -> int:
    """The number of the last wish; who begins to work notes it before anybody can see that."""
    state = states.get(KIND, identity)
    return state.revision if state else 0


class _Listener:
    """Looks for newer wishes."""

    def __init__(self, states: States, identity: str, purse: Purse, known: int) -> None:
        self._states = states
        self._identity = identity
        self._purse = purse
        self._known = known
        self.has_stopped = False

    async def listen(self, task: asyncio.Task[object] | None) -> None:
        while not self.has_stopped:
            if (revision := newest(self._states, self._identity)) != self._known:
                self._known = revision
                self._obey(task)
            await asyncio.sleep(LOOK_SECONDS)

    def _obey(self, task: asyncio.Task[object] | None) -> None:
        state = self._states.get(KIND, self._identity)
        self._purse.halt()
        if state is not None and state.value.get("wish") == "stopped" and task is not None:
            self.has_stopped = True
            task.cancel()
