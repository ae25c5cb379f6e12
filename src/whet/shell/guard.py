"""The guard: a small process that outlives us, to end our processes when we cannot.

After ``kill -9`` nothing of ours runs any more, and an agent would go on and cost money. So
the first process we start brings along one guard, which holds a pipe from us. We tell it
which processes live; when the pipe breaks, it ends them with all they have started.

A parent-death signal set between fork and exec would do this for the direct child alone. It
would also forbid ``vfork`` (a start then costs ten times as much in a large process), run
Python code in a forked copy of a process with threads, which may lock up, and kill the agent
before its descendants can be found.
"""

import atexit
import contextlib
import subprocess
import sys
import threading
from pathlib import Path

from whet.core.errors import EnvironmentProblem
from whet.shell import family


class Guard:
    """The handle on the guard process; it is started when it is first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._living: set[int] = set()
        self._lock = threading.Lock()

    def ready(self) -> None:
        """Make sure that the guard runs and knows all that live."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                return
            self.close()
            self._process = _started()
            atexit.register(self.close)
            for leader in self._living:
                self._tell(f"+{leader}\n")

    def watch(self, leader: int) -> None:
        """From now on *leader* and its family must not outlive us."""
        self._living.add(leader)
        self._tell(f"+{leader}\n")

    def forget(self, leader: int) -> None:
        """The family of *leader* is gone, and its number may be used again."""
        self._living.discard(leader)
        self._tell(f"-{leader}\n")

    def close(self) -> None:
        """Let the guard go."""
        process, self._process = self._process, None
        if process is not None:
            with process:
                pass

    def _tell(self, message: str) -> None:
        # A guard that somebody has killed is replaced at the next start, and told everything.
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(message.encode())


def _started() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(family.__file__))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # Ctrl-C in the terminal is not meant for it
            bufsize=0,
        )
    except OSError as error:
        raise EnvironmentProblem(f"cannot start a guard process: {error}") from error


GUARD = Guard()
