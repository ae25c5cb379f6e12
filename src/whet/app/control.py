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
async def obeying(states: States, identity: str, purse: Purse) -> AsyncGenerator[None]:
    """Follow wishes while the block runs. A pause halts the purse, so that what is under way comes
    to its end and nothing else begins. A stop ends the block: ``Halted`` is raised."""
    listener = _Listener(states, identity, purse, asyncio.current_task())
    listening = asyncio.create_task(listener.listen())
    try:
        yield
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if listener.has_stopped and task is not None and not task.uncancel():
            raise Halted(identity, "stopped") from None
        raise
    finally:
        listening.cancel()
        await asyncio.wait({listening})


class _Listener:
    """Looks for a wish that is newer than the block."""

    def __init__(
        self, states: States, identity: str, purse: Purse, task: asyncio.Task[object] | None
    ) -> None:
        self._states = states
        self._identity = identity
        self._purse = purse
        self._task = task
        self._known = self._revision()
        self.has_stopped = False

    async def listen(self) -> None:
        while not self.has_stopped:
            await asyncio.sleep(LOOK_SECONDS)
            if (revision := self._revision()) != self._known:
                self._known = revision
                self._obey()

    def _obey(self) -> None:
        state = self._states.get(KIND, self._identity)
        self._purse.halt()
        if state is not None and state.value.get("wish") == "stopped" and self._task is not None:
            self.has_stopped = True
            self._task.cancel()

    def _revision(self) -> int:
        state = self._states.get(KIND, self._identity)
        return state.revision if state else 0
