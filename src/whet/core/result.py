"""Results: what came of each place in the table of a project."""

from dataclasses import dataclass
from typing import Literal

from whet.core.value import Value


class Result(Value):
    """One place: a skill on a case, attempt *k*. There is one of each, whatever was tried."""

    project: str
    ordinal: int
    """Its number in the plan."""

    arm: str
    set: str
    case: str
    attempt: int
    status: Literal["completed", "failed", "skipped"]
    grade_status: Literal["scored", "unscored", "failed"] | None = None
    score: float | None = None
    """0 to 1."""

    trial: str
    generation: int | None = None
    grade: str | None = None
    """The addresses of what it was made from."""

    duration_ms: float = 0
    cost_usd: float | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many places of a project came to what."""

    completed: int = 0
    failed: int = 0
    skipped: int = 0
    unscored: int = 0
    """Of the completed: those without a score."""

    unanswered: int = 0
    """Of the failed: those that came to no answer, which the next run tries again."""

    @property
    def total(self) -> int:
        """Places that came to anything at all."""
        return self.completed + self.failed + self.skipped
