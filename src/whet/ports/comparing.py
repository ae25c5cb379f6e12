"""The port of judges that hold two submissions side by side."""

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from whet.ports.judge import Submission


@dataclass(frozen=True, slots=True)
class Preference:
    """Which of two submissions is better, and why."""

    winner: Literal["A", "B", "TIE"]
    reasoning: str
    simulated: bool = False


@runtime_checkable
class Comparing(Protocol):
    """A judge that can also hold two submissions to one case side by side."""

    async def compare(self, a: Submission, b: Submission, seed: str) -> Preference:
        """Say which is better, blind; raises ``JudgeFailure`` and ``BudgetExhausted``."""
        ...
