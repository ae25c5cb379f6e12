"""Steps: what an agent does, as it happens. Engines emit them, ``documents/session_fold.py`` folds
them.

Plain data classes: they live for one execution; ``documents/tape.py`` writes them down.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from whet.core.failure import Failure
from whet.core.usage import Usage


@dataclass(frozen=True, slots=True)
class Said:
    """The agent wrote text."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """The agent called a tool; ``tool`` is the canonical name (Read, Write, Bash, …)."""

    at: datetime
    call_id: str
    tool: str
    params: Mapping[str, JsonValue]
    description: str | None = None
    parent: str | None = None
    """The call of the subagent this one belongs to."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A tool call came back."""

    at: datetime
    call_id: str
    ok: bool
    output: str = ""
    display: str | None = None


@dataclass(frozen=True, slots=True)
class Triggered:
    """The agent took up a skill, by its own choice or because the prompt named it."""

    at: datetime
    skill: str


@dataclass(frozen=True, slots=True)
class Spent:
    """All that is used up so far; what an execution is charged with that never ends properly."""

    at: datetime
    usage: Usage


@dataclass(frozen=True, slots=True)
class Ended:
    """The agent is done. The last step of every run; ``failure`` is None when it succeeded."""

    at: datetime
    answer: str
    """Its last words; the JSON text where an output schema was asked for."""

    usage: Usage = field(default_factory=Usage)
    failure: Failure | None = None
    error: str | None = None
    conversation: str | None = None
    """The agent's own name for the conversation, for going on with it."""

    cut: bool = False
    """Whether the agent said more than is kept."""

    simulated: bool = False
    """Whether no real agent was behind this run, although its engine may have real ones."""

    model: str | None = None
    """The model that answered, by the program's own word; it may differ from the one named."""


Step = Said | Called | Returned | Triggered | Spent | Ended
