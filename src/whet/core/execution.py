"""Executions: every start of an agent, whatever became of it."""

from enum import StrEnum

from whet.core.failure import Failure
from whet.core.usage import Usage
from whet.core.value import Value


class Outcome(StrEnum):
    """How an execution ended."""

    ANSWERED = "answered"
    FAILED = "failed"
    CANCELLED = "cancelled"
    ABANDONED = "abandoned"
    """Its process died without a word; found by whoever wanted the claim next."""


class Execution(Value):
    """One start of an agent for an address: who, when, what came of it, what it cost.

    While ``outcome`` is None the execution is a claim: nobody else starts this address as long
    as the owner is alive.
    """

    id: str
    address: str
    generation: int
    owner: str
    started_at: str
    ended_at: str | None = None
    outcome: Outcome | None = None
    failure: Failure | None = None
    error: str | None = None
    usage: Usage = Usage()
