"""The pool port."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from whet.core.budget import Budget
from whet.core.errors import WhetError
from whet.core.trial import TrialRecord, TrialSpec


@dataclass(frozen=True, slots=True)
class Handled:
    """What came of asking for a trial: not settled means another process is at it."""

    settled: bool
    executions: int = 0
    cost_usd: float = 0
    record: TrialRecord | None = None
    error: WhetError | None = None
    """Why the trial has no record, if it has none."""


Handler = Callable[[TrialSpec], Awaitable[Handled]]
"""Runs one trial, or finds that it has been run."""


class Pool(Protocol):
    """Runs trials, many at once, each lane (engine and model) and the budget within its limit.

    Takes specs only as lanes have room, so a plan of any length costs no memory. Yields each
    spec when its trial is settled, in order of completion.
    Closing the iterator ends what is running.
    """

    def run(
        self, specs: Iterable[TrialSpec], budget: Budget
    ) -> AsyncGenerator[tuple[TrialSpec, Handled]]:
        """Settle every spec."""
        ...
