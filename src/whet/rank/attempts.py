"""What the attempts of one skill at one case came to, from their result files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whet.documents.comparison import CaseStanding
from whet.documents.result import CaseResult
from whet.evaluate.verdict_values import told
from whet.stats.describe import mean


@dataclass(frozen=True)
class Attempts:
    """Every amount is a list with one number for each attempt that has it."""

    scores: tuple[float, ...]
    dimensions: tuple[Mapping[str, float], ...]
    failed: int
    unscored: int
    missing: int
    durations: tuple[float, ...]
    tokens: tuple[float, ...]
    costs: tuple[float, ...]
    trials: frozenset[str]
    simulated: bool

    @property
    def average(self) -> float | None:
        """Over the attempts with a score."""
        return mean(self.scores) if self.scores else None

    @property
    def scores_with_failures(self) -> tuple[float, ...]:
        """Failed attempts as zero; what was not scored or not run is neither."""
        return (*self.scores, *[0.0] * self.failed)

    def dimension(self, name: str) -> tuple[float, ...]:
        """The scores on one dimension."""
        return tuple(scores[name] for scores in self.dimensions if name in scores)

    def standing(self) -> CaseStanding:
        """In numbers for people."""
        return CaseStanding(
            average=told(self.average),
            scored=len(self.scores),
            failed=self.failed,
            unscored=self.unscored,
            missing=self.missing,
        )


def attempts(results: Sequence[CaseResult], repeats: int) -> Attempts:
    """Sum up the results of one skill at one case, of which there should be *repeats*."""
    completed = [result for result in results if result.status == "completed"]
    scored = [result for result in completed if result.scores.total is not None]
    failed = sum(result.status == "failed" for result in results)
    # Without a record nothing was measured: the agent could not be run.
    ran = [result for result in results if result.executed_at is not None]
    return Attempts(
        scores=tuple(float(result.scores.total or 0) for result in scored),
        dimensions=tuple(_dimensions(result) for result in scored),
        failed=failed,
        unscored=len(completed) - len(scored),
        missing=max(0, repeats - len(completed) - failed),
        durations=tuple(float(result.duration_ms) for result in ran),
        tokens=tuple(
            float(result.input_tokens + result.output_tokens)
            for result in ran
            if result.input_tokens is not None and result.output_tokens is not None
        ),
        costs=tuple(float(result.cost_usd) for result in ran if result.cost_usd is not None),
        trials=frozenset(result.trial_address for result in results if result.trial_address),
        simulated=any(result.simulated for result in results),
    )


def _dimensions(result: CaseResult) -> dict[str, float]:
    scores = result.scores.dimensions
    return {name: float(value) for name, value in scores.items() if value is not None}
