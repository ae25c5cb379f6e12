"""Checks: deterministic verdicts on a trial, with evidence."""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field, JsonValue

from whet.core.value import Value


class CheckSpec(Value):
    """A check as somebody wrote it; what ``fields`` may hold depends on the type."""

    id: str
    type: str
    description: str = ""
    critical: bool = False
    weight: float = Field(default=1, ge=0, le=1_000_000, allow_inf_nan=False)
    fields: dict[str, JsonValue] = {}


class CheckResult(Value):
    """What a check found.

    ``vacuous`` is a pass for want of anything to look at. ``skipped`` says nothing about the
    agent: it is neither a pass nor a failure. ``error`` tells why a failure is not the agent's
    plain failure: the search took too long, say.
    """

    id: str
    type: str
    text: str
    outcome: Literal["passed", "failed", "vacuous", "skipped"]
    score: float = Field(ge=0, le=1)
    evidence: str
    critical: bool = False
    weight: float = 1
    error: str | None = None

    @property
    def passed(self) -> bool:
        """Whether it counts as passed, vacuously or not."""
        return self.outcome in ("passed", "vacuous")

    @property
    def vacuous(self) -> bool:
        """Whether it passed because there was nothing to look at."""
        return self.outcome == "vacuous"

    @property
    def skipped(self) -> bool:
        """Whether it counts for nothing."""
        return self.outcome == "skipped"


class Gate(Value):
    """The results of all checks of a trial in numbers; skipped ones are not in the total."""

    passed: int
    failed: int
    vacuous: int
    """How many of the passed ones had nothing to look at."""

    skipped: int
    gate_passed: bool
    """False when a critical check failed."""

    score: float | None
    """The weighted mean; None when nothing was checked."""

    @property
    def total(self) -> int:
        """How many were decided."""
        return self.passed + self.failed

    @property
    def pass_rate(self) -> float | None:
        """The share that passed; None when nothing was checked."""
        return self.passed / self.total if self.total else None


def gate(results: Iterable[CheckResult]) -> Gate:
    """Count *results*."""
    every = tuple(results)
    decided = [result for result in every if not result.skipped]
    failures = [result for result in decided if not result.passed]
    weight = sum(result.weight for result in decided)
    points = sum(result.weight * result.score for result in decided)
    return Gate(
        passed=len(decided) - len(failures),
        failed=len(failures),
        vacuous=sum(result.vacuous for result in decided),
        skipped=len(every) - len(decided),
        gate_passed=not any(result.critical for result in failures),
        score=points / weight if weight else None,
    )
