"""The port of engines that can say how they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from pydantic import JsonValue

Ability = Literal[
    "resume", "structured", "interactive", "subagents", "mcp", "tools", "cost", "skills", "compact"
]
"""``skills``: it is offered several at once, and tells which of them it takes up. ``compact``: it
can be told from how many tokens on to compress its conversation."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is installed, which credential it would use, and what is missing with its fix."""

    installed: bool
    version: str | None = None
    program: str | None = None
    program_setting: str | None = None
    """The setting that chose the program; None for the one on the PATH."""

    credential: str | None = None
    """Where the credential comes from; never what it is."""

    problem: str | None = None
    fix: str | None = None
    abilities: frozenset[Ability] = frozenset()
    has_default_model: bool = True
    """Whether it takes a model by itself when none is named."""

    endpoints: tuple[str, ...] = ()
    """The hosts with ports that the agent talks to."""


@runtime_checkable
class Inspected(Protocol):
    """An engine around a program that may be missing, or not be logged in."""

    def inspect(self) -> Inspection:
        """Look, at no cost."""
        ...

    def secrets(self, options: Mapping[str, JsonValue], /) -> Sequence[str]:
        """What must never be stored: credentials, and what is handed on to the agent."""
        ...
