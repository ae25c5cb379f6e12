"""The command in a terminal, with somebody who types."""

import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

from tests.flows.command import WHET, environment


class Terminal:
    """A command that believes it talks to a person."""

    def __init__(self, *arguments: str | Path, **more: str) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [WHET, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**more)
        )
        os.close(theirs)
        self.seen = ""

    def until(self, words: str, seconds: float = 60) -> str:
        """What it says up to *words*, which are waited for."""
        end = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < end, f"never said {words!r}: {self.seen}"
            if not self._read():
                break
        said, found, self.seen = self.seen.partition(words)
        assert found, f"ended without {words!r}: {said}"
        return said + found

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def end_input(self) -> None:
        """Ctrl-D at the beginning of a line."""
        os.write(self._ours, b"\x04")

    def interrupt(self) -> None:
        """What Ctrl-C sends."""
        self._process.send_signal(signal.SIGINT)

    def ended(self) -> tuple[int, str]:
        """The exit code, and all that was said since the last words waited for."""
        while self._read():
            pass
        code = self._process.wait(timeout=60)
        os.close(self._ours)
        return code, self.seen

    def _read(self) -> bool:
        """Take what is there; False when nothing more will come."""
        ready, _, _ = select.select([self._ours], [], [], 60)
        assert ready, f"silent: {self.seen}"
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # how a terminal says that the other side is gone
            return False
        self.seen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)
