"""The pool port."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from whet.core.budget import Purse
from whet.core.errors import WhetError
from whet.core.trial import TrialRecord, TrialSpec
from whet.core.usage import Usage


@dataclass(frozen=True, slots=True)
class Handled:
    """What came of asking for a trial: not settled means another process is at it."""

    settled: bool
    executions: int = 0
    usage: Usage = field(default_factory=Usage)
    """What was used up on the way, by every execution."""

    record: TrialRecord | None = None
    error: WhetError | None = None
    """Why the trial has no record, if it has none."""

    @property
    def cost_usd(self) -> float:
        """The money among it, as far as anybody knows."""
        return self.usage.cost_usd or 0


Handler = Callable[[TrialSpec], Awaitable[Handled]]
"""Runs one trial, or finds that it has been run."""


class Pool(Protocol):
    """Runs trials, many at once, each lane (engine and model) and the budget within its limit.

    Takes specs only as lanes have room, so a plan of any length costs no memory. Yields each
    spec when its trial is settled, in order of completion. What the purse does not cover is
    settled with ``BudgetExhausted``; so is what is under way when its time is up.
    Once the purse is halted, what is under way is settled and nothing else.
    When the process is about to end it is the same, and ``Draining`` is raised if trials are left.
    Closing the iterator ends what is running.
    """

    def run(
        self, specs: Iterable[TrialSpec], purse: Purse
    ) -> AsyncGenerator[tuple[TrialSpec, Handled]]:
        """Settle every spec."""
        ...
