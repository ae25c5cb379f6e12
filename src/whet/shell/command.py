"""What to start, and how much of it we put up with."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_KIB = 1024
_MIB = 1024 * _KIB


@dataclass(frozen=True, slots=True)
class Limits:
    """How much output is kept, in bytes. What is beyond is read and thrown away."""

    line: int = 16 * _MIB
    """Of one line of standard output; its head is kept."""

    output: int = 64 * _MIB
    """Of all standard output."""

    stderr: int = 64 * _KIB
    """Of standard error; its tail is kept."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its arguments; no shell is involved.

    The process gets exactly ``env`` and nothing of our own environment: a program named
    without a slash is looked up in the PATH given there. Without ``stdin`` it reads from an
    empty input. ``timeout`` is in seconds by the clock on the wall.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    timeout: float
    stdin: str | None = None
    limits: Limits = Limits()
