"""Work whose shape a stranger chose: it gets so much of the processor, and no more.

Nothing can end a computation from outside. So whatever takes part in one looks at the clock.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

MOST_SECONDS = 2.0
"""Of the processor. How busy the machine is otherwise makes no difference."""

_end: ContextVar[float] = ContextVar("end", default=float("inf"))


class Exhausted(Exception):
    """It takes longer than it may."""

    def __init__(self) -> None:
        super().__init__(f"it takes more than {MOST_SECONDS:g} seconds")


@contextmanager
def limited() -> Generator[None]:
    """All work in the block, done in this thread, shares ``MOST_SECONDS``; so does a block inside
    another one."""
    if _end.get() != float("inf"):
        yield
        return
    token = _end.set(time.thread_time() + MOST_SECONDS)
    try:
        yield
    finally:
        _end.reset(token)


def look() -> None:
    """Look at the clock; raises ``Exhausted``."""
    if time.thread_time() > _end.get():
        raise Exhausted
