"""Processes: started in a group of their own, read line by line, and always ended.

Whatever happens (the time is up, the task is cancelled, the caller leaves early or raises),
the whole family of the process gets SIGTERM, a second later SIGKILL, and the process is
reaped. The same ends what a process leaves behind in its group when it exits by itself. If we
are killed ourselves, the guard does it.

What no one here can find is a process that leaves the group *and* outlives its parent. Only a
sandbox holds such a one.
"""

import asyncio
import contextlib
import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import IO, NamedTuple

from whet.core.errors import EnvironmentProblem, UsageError
from whet.shell import family
from whet.shell.command import Command
from whet.shell.guard import GUARD
from whet.shell.inlet import Inlet
from whet.shell.launch import Launch, prepared, reason, refused, relayed
from whet.shell.lines import LineSplitter
from whet.shell.pipe import Pipe
from whet.shell.readiness import readable
from whet.shell.watcher import WATCHER, Exceeded, limit

_GRACE = 1.0
_REAP = 0.5
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended."""

    code: int | None
    """None when it was ended by a signal."""

    signal: int | None
    timed_out: bool
    truncated: bool
    """Some of the standard output was beyond the limits."""

    seconds: float
    stderr: str
    """The tail of standard error."""

    exceeded: Exceeded | None = None
    """The resource it used more of than it may, and was ended for."""

    @property
    def ok(self) -> bool:
        """It ended by itself and reported success."""
        return self.code == 0 and not self.timed_out and self.exceeded is None


class Completed(NamedTuple):
    """A process that has run to its end."""

    stdout: str
    """The lines, joined by newlines."""

    exit: Exit


class Process:
    """A running process, as ``started`` gives it."""

    def __init__(self, command: Command, launch: Launch) -> None:
        self._begun = time.monotonic()
        self._popen = popen = _start(command, launch)
        self.pid = popen.pid
        self._reaper = launch.reaper
        self._watched = WATCHER.watch(popen.pid, command.resources)
        self._seconds = 0.0
        self._timed_out = False
        self._lines = LineSplitter(command.limits.line, command.limits.output)
        self._tail = bytearray()
        self._stdout = Pipe(_present(popen.stdout))
        self._stderr = Pipe(_present(popen.stderr))
        self._inlet = Inlet(popen.stdin) if popen.stdin is not None else None
        self._stop = asyncio.get_running_loop().create_future()
        self._supervisor = asyncio.create_task(self._supervise(command.timeout))
        self._collector = asyncio.create_task(self._collect(command.limits.stderr))

    async def lines(self) -> AsyncIterator[str]:
        """The lines of standard output as they arrive, without their newline.

        Bytes that are not UTF-8 are replaced. To be iterated once.
        """
        while chunk := await self._stdout.read():
            for line in self._lines.feed(chunk):
                yield line.decode("utf-8", "replace")
        if rest := self._lines.rest():
            yield rest.decode("utf-8", "replace")

    async def write(self, text: str) -> bool:
        """Hand *text* to the process, at the pace at which it reads.

        False when it reads no more, because it has ended or has closed its input. Only for a
        command that is ``interactive``.
        """
        if self._inlet is None:
            raise UsageError("this process has no open input; start it as interactive")
        return await self._inlet.write(text.encode())

    def close_input(self) -> None:
        """Let the process see the end of its input."""
        if self._inlet is not None:
            self._inlet.close()

    async def ended(self) -> Exit:
        """Wait for the end; output that nobody has read is thrown away."""
        while await self._stdout.read():
            pass
        await asyncio.shield(self._supervisor)
        await asyncio.shield(self._collector)
        status = self._popen.returncode
        return Exit(
            code=status if status >= 0 else None,
            signal=-status if status < 0 else None,
            timed_out=self._timed_out,
            truncated=self._lines.truncated,
            seconds=self._seconds,
            stderr=self._tail.decode("utf-8", "replace"),
            exceeded=self._watched.exceeded,
        )

    async def end(self) -> None:
        """End the process and its family now, if they still run."""
        if not self._stop.done():
            self._stop.set_result(None)
        try:
            await asyncio.shield(self._supervisor)
            await asyncio.shield(self._collector)
        finally:
            # Cancelled once more, or the loop closed before the supervisor's first step.
            if self._popen.returncode is None:
                family.send(signal.SIGKILL, family.groups(self.pid))
                self._reap()
            self.close_input()
            self._stdout.close()
            self._stderr.close()

    async def _supervise(self, limit: float) -> None:
        gone = asyncio.create_task(_exit(self._popen))
        groups = {self.pid}
        try:
            await asyncio.wait({gone, self._stop}, timeout=limit, return_when="FIRST_COMPLETED")
            if not gone.done():
                self._timed_out = not self._stop.done()
                groups |= family.held(self.pid)
                # First the one we started: it must not see its children die and take that
                # for the end of its work.
                ordered = [self.pid, *groups - {self.pid}]
                family.send(signal.SIGTERM, ordered)
                family.send(signal.SIGCONT, ordered)
                await asyncio.wait({gone}, timeout=_GRACE)
        finally:
            if not gone.done():
                groups |= family.groups(self.pid)
                if self._reaper:  # it ends what multiplies while we count, and then itself
                    family.send(signal.SIGKILL, groups - {self.pid})
                    await asyncio.wait({gone}, timeout=_GRACE)
            family.send(signal.SIGKILL, groups)
            await asyncio.wait({gone}, timeout=_REAP)
            gone.cancel()
            self._reap()

    def _reap(self) -> None:
        WATCHER.forget(self.pid)
        try:
            self._popen.wait(_REAP)
        except subprocess.TimeoutExpired:
            # Stuck inside the kernel. It never runs another instruction of its own.
            self._popen.returncode = -signal.SIGKILL
        self._seconds = time.monotonic() - self._begun
        GUARD.forget(self.pid)
        self.close_input()
        self._stdout.finish()
        self._stderr.finish()

    async def _collect(self, limit: int) -> None:
        while chunk := await self._stderr.read():
            self._tail += chunk
            del self._tail[: max(0, len(self._tail) - limit)]


@asynccontextmanager
async def started(command: Command) -> AsyncGenerator[Process]:
    """Start a process for the time of the block; what still runs at its end is ended.

    Raises ``EnvironmentProblem`` when it cannot be started here, inside its sandbox or without
    one. What it is allowed to reach from inside is carried there until the end of the block.
    """
    async with prepared(command) as launch, AsyncExitStack() as stack:
        process = Process(command, launch)
        stack.push_async_callback(process.end)
        await _arrive(process, command, launch, stack)
        yield process


async def _arrive(
    process: Process, command: Command, launch: Launch, stack: AsyncExitStack
) -> None:
    """Wait until the process inside the sandbox is the one that was asked for."""
    if launch.channel is None:
        return
    found = await launch.channel.listeners()
    if isinstance(found, list):
        await stack.enter_async_context(relayed(found, launch.gates))
        found = await launch.channel.refusal()
        if found is None:
            return
    if found is not None:
        raise refused(command, found)
    exit_ = await process.ended()
    if not exit_.timed_out and exit_.exceeded is None:
        said = exit_.stderr.strip().rpartition("\n")[2] or f"exit code {exit_.code}"
        raise EnvironmentProblem(f"cannot build a sandbox for {command.argv[0]}: {said}")


async def run(command: Command) -> Completed:
    """Run a process to its end and keep its output."""
    async with started(command) as process:
        lines = [line async for line in process.lines()]
        return Completed("\n".join(lines), await process.ended())


def _start(command: Command, launch: Launch) -> subprocess.Popen[bytes]:
    GUARD.ready()
    try:
        with _input(command) as stdin:
            popen = subprocess.Popen(
                launch.argv,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=command.cwd,
                env=dict(command.env),
                start_new_session=True,
                bufsize=0,
                pass_fds=launch.descriptors,
            )
    except OSError as error:
        # Arguments that are too long are those of one trial; the machine is fine for the others.
        kind = UsageError if error.errno == errno.E2BIG else EnvironmentProblem
        raise kind(reason(command, error)) from error
    except ValueError as error:
        raise UsageError(f"cannot start {command.argv[0]}: {error}") from error
    GUARD.watch(popen.pid)
    if launch.channel is None:
        limit(popen.pid, command.resources)
    else:
        launch.channel.handed_over()
    return popen


@contextmanager
def _input(command: Command) -> Generator[int]:
    """A file rather than a pipe: it needs no writer, and none that waits for a reader."""
    if command.interactive:
        if command.stdin is not None:
            raise UsageError("an interactive command gets its input by write, not by stdin")
        yield subprocess.PIPE
    elif command.stdin is None:
        yield subprocess.DEVNULL
    else:
        with tempfile.TemporaryFile() as file:
            file.write(command.stdin.encode())
            file.seek(0)
            yield file.fileno()


def _present(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("the process was started with pipes")
    return stream


async def _exit(popen: subprocess.Popen[bytes]) -> None:
    """Return when the process has exited. On Linux it is then not reaped yet, so that its
    number still means its group and nobody else's."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # an old kernel, or no descriptor left
            descriptor = os.pidfd_open(popen.pid)
            try:
                await readable(descriptor)
            finally:
                os.close(descriptor)
            return
    await _polled(popen)


async def _polled(popen: subprocess.Popen[bytes]) -> None:
    while popen.poll() is None:  # noqa: ASYNC110 (nothing here tells us)
        await asyncio.sleep(_POLL)
