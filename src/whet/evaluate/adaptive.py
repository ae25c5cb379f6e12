"""Stop as soon as it is clear: both arms side by side, round by round, with a look after each.

Every eval is tried once, a few at a time, then all of them again, one whole round after another.
The looks are planned before the first one and share the error (``stats.looks``): the last keeps
nearly all of it, so a run that goes to its end finds what a fixed run of that size finds. A look
decides by the same rule as everywhere, about evals like these. With too few evals for that, it
decides about these evals alone, and the plan says so beforehand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from whet.core.budget import Purse
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.core.verdict import Verdict
from whet.documents import verdict as document
from whet.evaluate.adaptive_words import in_words
from whet.evaluate.experiment import Experiment, Row
from whet.evaluate.plan import Design
from whet.evaluate.rounds import Rows, Unit, batches, settle, shuffled_units, whole
from whet.evaluate.verdict import Pairs, compare_pairs, verdict_document
from whet.evaluate.verdict_values import NOTHING, as_verdict
from whet.stats.comparison import Comparison, fewest_cases
from whet.stats.looks import look_shares
from whet.stats.paired import Label

StoppedBecause = Literal["decided", "runs", "budget"]
Scope = Literal["evals like these", "these evals"]


class StopRule(Value):
    """When to look, and what is clear."""

    margin: float = Field(default=0.0, ge=0, lt=1)
    """The difference that does not matter; without it there is no "no difference"."""

    batch: int = Field(default=4, ge=1)
    """Evals between two looks of the first stage."""

    grain: float = 0.0
    """How coarse the score of one run is (``verdict.grain_of_suite``)."""

    clusters: dict[str, str] | None = None
    """The fixture of each case, by its id, where cases share one."""


@dataclass(frozen=True)
class Outcome:
    """What an adaptive run came to.

    The difference is an estimate: whoever stops when it looks clear, stops when it looks large. The
    intervals allow for that.
    """

    verdict: Verdict
    stopped_because: StoppedBecause
    scope: Scope
    """What it was to decide."""

    pairs: Pairs
    """The pairs that count, and why the others do not."""

    trials: int
    """Places that were filled, those included that count for nothing."""

    @property
    def label(self) -> Label:
        """In the scope that it was to decide."""
        these = self.verdict.on_these
        if self.scope == "these evals":
            return these.label if these else "inconclusive"
        return self.verdict.label


def scope_of(design: Design, clusters: dict[str, str] | None = None) -> Scope:
    """What a run of *design* can decide: with too few evals, or fixtures, only these evals."""
    units = len(shuffled_units(design, clusters))
    return "evals like these" if units >= fewest_cases() else "these evals"


async def adaptive(
    experiment: Experiment,
    design: Design,
    purse: Purse,
    settled: Callable[[Row], None],
    rule: StopRule,
) -> Outcome:
    """Compare the first arm of *design* with the second; ``repeats`` is the most of each eval."""
    if len(design.arms) != 2:
        raise UsageError(f"an adaptive run compares two sides, not {len(design.arms)}")
    watch = _Watch(design, rule)
    for part in _rounds(design, rule):
        rows = await settle(experiment, part.design, purse, settled)
        watch.see(part, rows)
        if watch.stopped:
            break
    return watch.outcome()


def as_document(outcome: Outcome, cost_usd: float | None = None) -> document.Verdict:
    """The outcome as ``benchmark.json`` has it."""
    made = verdict_document(outcome.verdict, outcome.pairs, cost_usd)
    return made.model_copy(update={"words": words(outcome, "en")})


def words(outcome: Outcome, language: str) -> str:
    """The outcome in a few sentences, in English or Chinese (``zh``)."""
    made = verdict_document(outcome.verdict, outcome.pairs)
    is_decided = outcome.label != "inconclusive"
    return in_words(
        made, language, outcome.pairs.second, outcome.stopped_because, is_decided=is_decided
    )


@dataclass(frozen=True)
class _Round:
    """What is run before the next look."""

    design: Design
    share: float | None
    """The part of the error that the look after it may use; None where nothing can be said yet."""


def _rounds(design: Design, rule: StopRule) -> list[_Round]:
    units = shuffled_units(design, rule.clusters)
    needs_repeats = scope_of(design, rule.clusters) == "these evals"
    seen, parts, looks = 0, list[Design](), list[bool]()
    for batch in batches(units, rule.batch):
        seen += len(batch)
        parts.append(_part(design, batch, design.first))
        looks.append(not needs_repeats and seen >= fewest_cases())
    for attempt in range(design.first + 1, design.first + design.repeats):
        parts.append(_part(design, units, attempt))
        looks.append(True)
    shares = iter(look_shares(max(1, sum(looks))))
    return [
        _Round(part, next(shares) if look else None)
        for part, look in zip(parts, looks, strict=True)
    ]


def _part(design: Design, units: Sequence[Unit], attempt: int) -> Design:
    cases = tuple(case for unit in units for case in unit)
    return design.model_copy(update={"cases": cases, "first": attempt, "repeats": 1})


class _Watch:
    """Sees whole rounds, in plan order, and says when it is enough."""

    def __init__(self, design: Design, rule: StopRule) -> None:
        self._arms = design.arms
        self._order = [case.id for case in design.cases]
        self._rule = rule
        self._scope: Scope = scope_of(design, rule.clusters)
        self._scores: dict[str, list[tuple[float, float]]] = {}
        self._excluded: list[str] = []
        self._trials = 0
        self._last: Comparison | None = None
        self.stopped: StoppedBecause | None = None

    def see(self, part: _Round, rows: Rows) -> None:
        """Take a round that is settled."""
        self._trials += sum(not row.skipped for row in rows.values())
        number = part.design.first
        for case in part.design.cases:
            for first, second in whole(rows, self._arms, case, [number], self._excluded):
                self._scores.setdefault(case.id, []).append((first, second))
        if any(row.skipped for row in rows.values()):
            self.stopped = "budget"
        elif part.share is not None:
            self._look(part.share)

    def _look(self, share: float) -> None:
        self._last = compare_pairs(self._pairs(), self._rule.grain, self._rule.margin, share)
        if self._last is not None and self._label(self._last) != "inconclusive":
            self.stopped = "decided"

    def _label(self, found: Comparison) -> Label:
        in_scope = found.on_these if self._scope == "these evals" else found.like_these
        return in_scope.label

    def _pairs(self) -> Pairs:
        scores = {case: self._scores[case] for case in self._order if case in self._scores}
        first, second = (arm.id for arm in self._arms)
        clusters = self._rule.clusters or {}
        return Pairs(first, second, scores, tuple(self._excluded), clusters)

    def outcome(self) -> Outcome:
        """What it all came to. A run that the budget ended, or in which no look was possible, makes
        its last look now."""
        if self.stopped == "budget" or self._last is None:
            self._look(look_shares(2)[-1])
        found = self._last
        return Outcome(
            verdict=as_verdict(found, 1.0) if found else NOTHING,
            stopped_because=self.stopped or "runs",
            scope=self._scope,
            pairs=self._pairs(),
            trials=self._trials,
        )
