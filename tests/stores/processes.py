"""Other processes for the tests: Python programs that speak line by line."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

SECONDS = 60


class Program:
    """A Python program under way; what it prints is read line by line."""

    def __init__(self, source: str, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", source, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def line(self) -> str:
        """What it says next."""
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said, f"it ended with {self.process.wait(SECONDS)}"
        return said.strip()

    def go(self) -> None:
        """Let it go on from where it waits for a line."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        """End it as a power cut would; returns when it is gone."""
        self.process.kill()
        self.process.wait(SECONDS)

    def end(self) -> list[str]:
        """Wait until it has ended well, and return what it still said."""
        said, _ = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, said
        return said.splitlines()


@contextmanager
def programs(source: str, *each: tuple[object, ...]) -> Generator[list[Program]]:
    """The same program several times at once; what still runs afterwards is killed."""
    started = [Program(source, *arguments) for arguments in each]
    try:
        yield started
    finally:
        for program in started:
            program.kill()
            for pipe in (program.process.stdin, program.process.stdout):
                assert pipe is not None
                pipe.close()
