"""The port for asking a model something."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from whet.core.case import Limits
from whet.core.files import FileRef
from whet.core.usage import Usage


@dataclass(frozen=True, slots=True)
class Query:
    """A question; with a *schema* the answer is one JSON value that fits it."""

    prompt: str
    engine: str
    model: str
    schema: Mapping[str, JsonValue] | None = None
    limits: Limits = field(default_factory=Limits)
    series: int = 0
    """Another number gets an independent answer to the same question."""
    files: tuple[FileRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; ``value`` is None without a schema."""

    text: str
    value: JsonValue
    usage: Usage
    """Of every execution behind the answer, whoever asked first."""
    engine: str
    model: str
    simulated: bool
    repaired: bool
    """Whether the first answer did not fit and was asked for again."""
    addresses: tuple[str, ...]
    """Of the trials behind the answer: what was paid for once is to be counted once."""
    is_recorded: bool = field(default=False, compare=False)
    """Whether all of it was on record: asking the same again gives the same."""


class Ask(Protocol):
    """Any engine as a one-shot model. The same question gets the answer that is on record."""

    async def __call__(self, query: Query) -> Reply:
        """Answer; raises ``AskFailure``, and ``UsageError`` for a schema that is none."""
        ...
