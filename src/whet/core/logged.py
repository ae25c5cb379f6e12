"""What a log of elsewhere tells, beyond the steps of the agent.

Readers give these out between steps, one by one as they come to them; ``readers/fold.py`` makes
sessions of all of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from whet.core.step import Step

Outcome = Literal["success", "failed", "in_progress"]


@dataclass(frozen=True, slots=True)
class Opened:
    """A session begins. What follows belongs to it, up to the next one."""

    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What the log says of the session as a whole; None is what it does not say.

    The first word on a thing counts, except on the title, where it is the last.
    """

    at: datetime | None = None
    title: str | None = None
    model: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    simulated: bool | None = None
    trial_address: str | None = None
    timing: Literal["recorded", "guessed"] | None = None
    """Whether the log has times at all."""


@dataclass(frozen=True, slots=True)
class Prompted:
    """The user asked for something."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Touched:
    """A file was written; ``created`` is None where the log does not say whether it was new."""

    path: str
    created: bool | None = None


@dataclass(frozen=True, slots=True)
class Delegated:
    """What is known of the subagent behind a call."""

    call_id: str
    subagent_type: str | None = None
    tool_uses: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Concluded:
    """How the session stands at this point of the log. The last word counts."""

    outcome: Outcome
    answer: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A whole call of the session log format."""

    call: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Document:
    """All else that a document of the session log format has, in its order; ``tool_calls`` among
    it is a place only."""

    fields: Mapping[str, JsonValue]


Logged = Step | Opened | About | Prompted | Touched | Delegated | Concluded | Listed | Document
