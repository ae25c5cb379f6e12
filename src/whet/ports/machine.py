"""What an engine may know of the machine it is on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


def _not_set(_engine: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Machine:
    """The user's own environment and home: where programs and credentials are found.

    Nothing of it reaches an agent unless its engine hands it on.
    """

    environment: Mapping[str, str] = field(repr=False)
    home: Path
    program_of: Callable[[str], str | None] = field(default=_not_set, repr=False)
    """The program that a person set for an engine, looked up anew each time; None for the one on
    the PATH that has the engine's name. Raises ``EnvironmentProblem`` for one that may not be."""
