"""What to start, and how much of it we put up with."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from whet.shell.policy import Confinement

_KIB = 1024
_MIB = 1024 * _KIB
_GIB = 1024 * _MIB


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
class ResourceLimits:
    """What a process and all it starts may use together. Whoever uses more is ended."""

    memory_bytes: int = 8 * _GIB
    """Resident memory and files in memory; what several processes share counts once."""

    processes: int = 512

    threads: int = 4096
    """Of all processes together."""

    file_bytes: int = 4 * _GIB
    """Of one file. Only writing fails beyond it, as it does on a full disk."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its arguments; no shell is involved.

    The process gets exactly ``env`` and nothing of our own environment: a program named
    without a slash is looked up in the PATH given there. ``timeout`` is in seconds by the
    clock on the wall.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    timeout: float
    stdin: str | None = None
    """All of its input; None is an empty input."""

    limits: Limits = Limits()
    interactive: bool = False
    """The input stays open, for ``Process.write``; ``stdin`` is then not to be given."""

    resources: ResourceLimits = ResourceLimits()
    confinement: Confinement | None = None
    """Set by ``wrapped``."""
