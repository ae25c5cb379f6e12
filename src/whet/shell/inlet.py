"""The writing end of a child's standard input."""

import asyncio
import os
from typing import IO


class Inlet:
    """Writes at the pace of the reader, and keeps nothing: who writes waits.

    A reader that is gone is no error. Whoever waits for one is let go by ``close``.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        os.set_blocking(stream.fileno(), False)
        self._stream = stream
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._turn = asyncio.Lock()

    async def write(self, data: bytes) -> bool:
        """Whether all of it was handed over."""
        rest = memoryview(data)
        async with self._turn:  # two that write at once must not mix
            while rest and not self._stream.closed:
                try:
                    rest = rest[os.write(self._stream.fileno(), rest) :]
                except BlockingIOError:
                    await self._room()
                except BrokenPipeError:
                    self.close()
        return not rest

    def close(self) -> None:
        """Let the reader see the end of its input."""
        if not self._stream.closed:
            self._loop.remove_writer(self._stream.fileno())
            self._stream.close()
            self._wake.set()

    async def _room(self) -> None:
        self._wake.clear()
        self._loop.add_writer(self._stream.fileno(), self._wake.set)
        try:
            await self._wake.wait()
        finally:
            if not self._stream.closed:
                self._loop.remove_writer(self._stream.fileno())
