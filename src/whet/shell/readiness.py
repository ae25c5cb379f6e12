"""Waiting for a descriptor without giving it away."""

import asyncio


async def readable(descriptor: int) -> None:
    """Return when something can be read, or accepted, or has ended."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
