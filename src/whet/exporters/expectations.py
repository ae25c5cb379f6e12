"""The expectations of an eval over its runs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from whet.documents.benchmark import BenchmarkRun
from whet.documents.grading import Expectation

Place = tuple[str, int]
"""A configuration and the number of a run."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One expectation and what became of it; a run that did not decide it is not there."""

    id: str | None
    text: str
    critical: bool
    outcomes: dict[Place, Expectation] = field(default_factory=dict[Place, Expectation])

    @property
    def met(self) -> int:
        """In how many runs it was met."""
        return sum(outcome.passed for outcome in self.outcomes.values())


def expectations(runs: Sequence[BenchmarkRun]) -> list[Wanted]:
    """All expectations of these runs of one eval, in the order in which they first occur.

    One that has no id is known by its text; the same text twice is two expectations.
    """
    found: dict[tuple[str, int], Wanted] = {}
    for run in runs:
        seen: Counter[str] = Counter()
        for one in run.expectations:
            name = f"id {one.id}" if one.id else f"text {one.text}"
            seen[name] += 1
            fresh = Wanted(one.id, one.text, critical=bool(one.critical))
            wanted = found.setdefault((name, seen[name]), fresh)
            wanted.outcomes[run.configuration, run.run_number] = one
    return list(found.values())
