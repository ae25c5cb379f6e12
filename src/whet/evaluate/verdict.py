"""Does the skill help? Pairs of runs, averaged inside an eval, compared over evals.

A pair is one eval and one run number. It counts only if both sides have a score, and what does
not count is named: an average over whatever happened to be scored would favour one side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from whet.core.verdict import Verdict
from whet.documents import verdict as document
from whet.documents.eval_statistics import EvalDifference
from whet.evaluate.run_result import Place, Table, rounded
from whet.evaluate.suite import Suite
from whet.evaluate.verdict_values import (
    NOTHING,
    as_verdict,
    document_family,
    told,
    told_verdict,
)
from whet.evaluate.verdict_words import in_words
from whet.stats.comparison import Comparison, Rule, compare_runs, grain_of
from whet.stats.describe import mean


@dataclass(frozen=True)
class Pairs:
    """What two configurations can be compared by."""

    first: str
    second: str
    scores: Mapping[str, Sequence[tuple[float, float]]]
    """The whole pairs of every eval that has some, by the id of its case."""

    excluded: tuple[str, ...] = ()
    """Pairs that count for neither side, each with the reason."""

    clusters: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the eval belongs to, where evals are not independent."""

    @property
    def runs(self) -> int:
        """How many runs count."""
        return 2 * sum(map(len, self.scores.values()))

    def averages(self) -> dict[str, tuple[float, float]]:
        """Both sides of every eval."""
        return {
            case: (mean([a for a, _ in pairs]), mean([b for _, b in pairs]))
            for case, pairs in self.scores.items()
        }


def pairs_of(table: Table, suite: Suite, first: str, second: str) -> Pairs:
    """Pair the runs of two configurations by eval and number."""
    scores: dict[str, list[tuple[float, float]]] = {}
    excluded: list[str] = []
    numbers: dict[str, set[int]] = {case.id: set() for case in table.cases}
    for name, identity, number in (*table.runs, *table.missing):
        if name in (first, second):
            numbers[identity].add(number)
    for case, number in ((each, n) for each in numbers for n in sorted(numbers[each])):
        sides = (first, case, number), (second, case, number)
        one, other = (_score(table, side) for side in sides)
        if one is not None and other is not None:
            scores.setdefault(case, []).append((one, other))
        else:
            unscored = [side for side in sides if _score(table, side) is None]
            reasons = {side[0]: _reason(table, side) for side in unscored}
            excluded.append(f"eval {case} run {number}: {_joined(reasons)}")
    return Pairs(first, second, scores, tuple(excluded), suite.clusters() or {})


def grain_of_suite(suite: Suite) -> float:
    """How coarse the score of a run is: 0 with a rubric. Without any it is the share of
    expectations that were met, and the coarser the fewer there are."""
    if any(case.standard.rubric is not None for case in suite.cases):
        return 0.0
    counts = [len(c.standard.checks) + len(c.standard.expectations) for c in suite.cases]
    return grain_of(mean(counts)) if counts else 0.0


def compare_pairs(
    pairs: Pairs, grain: float, margin: float = 0.0, share: float = 1.0
) -> Comparison | None:
    """Compare both configurations over evals; None where no eval has a whole pair. *share* is the
    part of the error that one look of several may use."""
    every = pairs.scores
    if not every:
        return None
    return compare_runs(
        [[a for a, _ in runs] for runs in every.values()],
        [[b for _, b in runs] for runs in every.values()],
        Rule(grain, margin, share),
        clusters=_clusters(list(every), pairs.clusters),
    )


def verdict_of(pairs: Pairs, grain: float, margin: float = 0.0) -> Verdict:
    """Whether the first configuration is better, on these evals and on evals like these."""
    found = compare_pairs(pairs, grain, margin)
    return as_verdict(found, 1.0) if found else NOTHING


def verdict_document(
    verdict: Verdict, pairs: Pairs, cost_usd: float | None = None
) -> document.Verdict:
    """The verdict as ``benchmark.json`` has it, in numbers and in words."""
    made = told_verdict(verdict).model_copy(
        update={
            "n_runs": pairs.runs,
            "cost_usd": told(cost_usd),
            "excluded": pairs.excluded or None,
        }
    )
    return made.model_copy(update={"words": in_words(made, "en", pairs.second)}).lean()


def by_eval(pairs: Pairs, suite: Suite) -> tuple[EvalDifference, ...]:
    """Every eval with both its averages; null where it has no whole pair."""
    averages = pairs.averages()
    return tuple(
        EvalDifference(
            eval_id=suite.evals[case.id].id,
            with_skill=rounded(sides[0]) if sides else None,
            other=rounded(sides[1]) if sides else None,
            delta=rounded(sides[0] - sides[1]) if sides else None,
            pairs=len(pairs.scores.get(case.id, ())),
            cluster=pairs.clusters.get(case.id),
        ).lean()
        for case in suite.cases
        for sides in [averages.get(case.id)]
    )


def holm_over(
    verdicts: Sequence[document.Verdict], against: str = "without_skill"
) -> list[document.Verdict]:
    """The verdicts of several engines or models as one family, with adjusted p-values.

    A better or worse that may be chance among so many becomes inconclusive; its interval stays
    that of the comparison alone. One verdict stays as it is.
    """
    if len(verdicts) < 2:
        return list(verdicts)
    return [
        changed.model_copy(update={"words": in_words(changed, "en", against)})
        for changed in document_family(verdicts)
    ]


def _clusters(cases: Sequence[str], clusters: Mapping[str, str]) -> list[str] | None:
    """The clusters of these cases; None where each is alone, or all are in one."""
    named = [clusters[case] for case in cases if case in clusters]
    return named if 1 < len(set(named)) < len(cases) else None


def _score(table: Table, place: Place) -> float | None:
    run = table.runs.get(place)
    return run.score if run else None


def _joined(reasons: Mapping[str, str]) -> str:
    """Why there is no score, once where it is the same on both sides."""
    if len(reasons) == 2 and len(set(reasons.values())) == 1:
        return f"both sides: {next(iter(reasons.values()))}"
    return "; ".join(f"{side}: {reason}" for side, reason in reasons.items())


def _reason(table: Table, place: Place) -> str:
    run = table.runs.get(place)
    return run.unscored_because if run else table.missing.get(place, "not run")
