"""The port of judges that hold two submissions side by side."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from whet.ports.judge import Submission

CONTENT = ("correctness", "completeness", "accuracy")
STRUCTURE = ("organization", "formatting", "usability")


@dataclass(frozen=True, slots=True)
class Assessment:
    """One of two submissions by itself."""

    points: Mapping[str, float]
    """1 to 5 for each of ``CONTENT`` and ``STRUCTURE``."""

    quality: float
    """1 to 10."""

    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preference:
    """Which of two submissions is better, and why."""

    winner: Literal["A", "B", "TIE"]
    reasoning: str
    a: Assessment
    b: Assessment
    simulated: bool = False
    asked: tuple[str, ...] = ()
    """The addresses of the trials behind it, if a model was asked."""


@runtime_checkable
class Comparing(Protocol):
    """A judge that can also hold two submissions to one case side by side."""

    async def compare(self, a: Submission, b: Submission, seed: str) -> Preference:
        """Say which is better, blind; raises ``JudgeFailure`` and ``BudgetExhausted``."""
        ...
