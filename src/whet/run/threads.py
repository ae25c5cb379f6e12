"""What takes long and waits for nothing, beside the event loop."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """What *call* returns. Whoever is cancelled meanwhile waits for its end: what follows must not
    meet a thread that is still at work."""
    working = asyncio.ensure_future(asyncio.to_thread(call))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait({working})
        raise
