"""The reading end of a pipe, for an event loop."""

import asyncio
import os
from typing import IO

_CHUNK = 64 * 1024
_LARGEST_PIPE = 1024 * 1024


class Pipe:
    """Reads when asked to and never ahead, so that a fast writer waits for a slow reader.

    A process that left its group may hold the writing end open for ever. So when the process
    we started is gone, ``finish`` is called: what lies in the pipe is still read, and then it
    counts as ended.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        os.set_blocking(stream.fileno(), False)
        self._stream = stream
        self._wake = asyncio.Event()
        self._finished = False
        self._left = _LARGEST_PIPE

    async def read(self) -> bytes:
        """The next bytes; none at all at the end."""
        await asyncio.sleep(0)  # a writer that never pauses must not starve everybody else
        while not self._stream.closed and self._left > 0:
            try:
                chunk = os.read(self._stream.fileno(), _CHUNK)
            except BlockingIOError:
                if self._finished:
                    break
                await self._readable()
            else:
                self._left -= len(chunk) if self._finished else 0
                return chunk
        return b""

    def finish(self) -> None:
        """Nobody of ours writes any more."""
        self._finished = True
        self._wake.set()

    def close(self) -> None:
        """Let go of the pipe; whoever is reading gets the end."""
        self.finish()
        self._stream.close()

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        descriptor = self._stream.fileno()
        self._wake.clear()
        loop.add_reader(descriptor, self._wake.set)
        try:
            await self._wake.wait()
        finally:
            loop.remove_reader(descriptor)
