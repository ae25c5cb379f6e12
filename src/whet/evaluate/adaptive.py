"""Stop as soon as it is clear: both arms side by side, round by round, with a look after each.

Stage 1 tries every eval once, a few at a time. A verdict there speaks of evals like these. If it
is still open when all have had their turn, stage 2 tries all of them again, one whole round after
another. A verdict there speaks of these evals and not of others like them.

One bettor plays through both stages. In stage 1 each eval is a fair game for it if the skill makes
no difference on average. In stage 2 each whole round is one at best, see ``stats.sequential``,
and so is the whole of stage 1 if it is seen as one of those rounds. So its capital reaches
2 / (1 − level) against the truth of whichever statement is made with a chance of (1 − level) / 2
for each side: both stages together say a wrong "better" or "worse" one time in twenty at most.

Runs do not go to the noisiest evals first. Drawn and weighed, they allow only half the bet, and
an eval that reaches its limit of runs ends it all: that decided far less often in simulations.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from whet.core.budget import Purse
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.core.verdict import Interval, Verdict
from whet.documents import verdict as document
from whet.evaluate.adaptive_words import in_words
from whet.evaluate.experiment import Experiment, Row
from whet.evaluate.plan import Design
from whet.evaluate.rounds import Rows, Unit, batches, settle, shuffled_units, whole
from whet.evaluate.verdict import Pairs, verdict_document
from whet.stats.describe import mean
from whet.stats.intervals import Range
from whet.stats.paired import Label
from whet.stats.sequential import Sequential

LEVEL = 0.95
METHOD = "confidence sequence (betting)"
CUT_OFF = "measured, but the budget cut its round off"

StoppedBecause = Literal["decided", "runs", "budget"]
Scope = Literal["evals like these", "these evals"]


class StopRule(Value):
    """When to look, and what is clear."""

    margin: float = Field(default=0.0, ge=0, lt=1)
    """The difference that does not matter; without it there is no "no difference"."""

    batch: int = Field(default=4, ge=1)
    """Evals between two looks of the first stage."""

    clusters: dict[str, str] | None = None
    """The fixture of each case, by its id, where cases share one."""


@dataclass(frozen=True)
class Outcome:
    """What an adaptive run came to.

    ``delta`` is the average of eval averages, an estimate: whoever stops when it looks clear, stops
    when it looks large. ``interval`` allows for that.
    """

    label: Label
    stopped_because: StoppedBecause
    scope: Scope
    pairs: Pairs
    """The pairs that count, and why the others do not."""

    trials: int
    """Places that were filled, those included that count for nothing."""

    delta: float | None = None
    interval: Range | None = None
    p_value: float | None = None

    @property
    def verdict(self) -> Verdict:
        """As a value."""
        interval = self.interval and Interval(
            low=self.interval.low, high=self.interval.high, level=LEVEL, method=METHOD
        )
        return Verdict(
            label=self.label,
            delta=self.delta,
            interval=interval,
            n_cases=len(self.pairs.scores),
            p_value=self.p_value,
        )


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
    return in_words(
        made,
        language,
        outcome.pairs.second,
        stopped_because=outcome.stopped_because,
        only_these=outcome.scope == "these evals",
    )


@dataclass(frozen=True)
class _Round:
    """What is run before the next look."""

    design: Design
    units: Sequence[Unit]
    is_first_turn: bool


def _rounds(design: Design, rule: StopRule) -> Iterator[_Round]:
    units = shuffled_units(design, rule.clusters)
    for batch in batches(units, rule.batch):
        yield _round(design, batch, design.first, is_first_turn=True)
    for attempt in range(design.first + 1, design.first + design.repeats):
        yield _round(design, units, attempt, is_first_turn=False)


def _round(design: Design, units: Sequence[Unit], attempt: int, *, is_first_turn: bool) -> _Round:
    cases = tuple(case for unit in units for case in unit)
    change = {"cases": cases, "first": attempt, "repeats": 1}
    return _Round(design.model_copy(update=change), units, is_first_turn)


class _Watch:
    """Sees whole rounds, in plan order, and says when it is enough."""

    def __init__(self, design: Design, rule: StopRule) -> None:
        self._arms = design.arms
        self._order = [case.id for case in design.cases]
        self._largest = max(map(len, shuffled_units(design, rule.clusters)), default=1)
        self._process = Sequential(1, margin=rule.margin, level=LEVEL)
        self._scores: dict[str, list[tuple[float, float]]] = {}
        self._excluded: list[str] = []
        self._trials = 0
        self._scope: Scope = "evals like these"
        self.stopped: StoppedBecause | None = None

    def see(self, part: _Round, rows: Rows) -> None:
        """Take a round that is settled."""
        self._trials += sum(not row.skipped for row in rows.values())
        is_cut_off = any(row.skipped for row in rows.values())
        found = self._measured(part, rows)
        if is_cut_off and not part.is_first_turn:
            self._excluded += [f"eval {c} run {part.design.first}: {CUT_OFF}" for c in found]
        else:
            self._look(part, found)
        if self._process.label != "inconclusive":
            self.stopped = "decided"
        elif is_cut_off:
            self.stopped = "budget"

    def _measured(self, part: _Round, rows: Rows) -> dict[str, tuple[float, float]]:
        """The whole pairs of a round; broken ones are named."""
        number = part.design.first
        return {
            case.id: (first, second)
            for case in part.design.cases
            for first, second in whole(rows, self._arms, case, [number], self._excluded)
        }

    def _look(self, part: _Round, found: dict[str, tuple[float, float]]) -> None:
        if not found:
            return
        for case, pair in found.items():
            self._scores.setdefault(case, []).append(pair)
        if not part.is_first_turn:
            self._scope = "these evals"
        seen = list(self._differences(part, found))
        for number, (difference, weight) in enumerate(seen, start=1):
            self._process.add(difference, weight, look=number == len(seen))

    def _differences(
        self, part: _Round, found: dict[str, tuple[float, float]]
    ) -> Iterator[tuple[float, float]]:
        """With their weights. The runs of a later turn are independent whatever the fixture."""
        if not part.is_first_turn:
            yield from ((first - second, 1.0) for first, second in found.values())
            return
        for unit in part.units:
            pairs = [found[case.id] for case in unit if case.id in found]
            if pairs:
                weight = len(pairs) / self._largest
                yield mean([first - second for first, second in pairs]), weight

    def outcome(self) -> Outcome:
        """What it all came to."""
        scores = {case: self._scores[case] for case in self._order if case in self._scores}
        pairs = Pairs(self._arms[0].id, self._arms[1].id, scores, tuple(self._excluded))
        averages = pairs.averages().values()
        measured = bool(averages)
        return Outcome(
            label=self._process.label,
            stopped_because=self.stopped or "runs",
            scope=self._scope,
            pairs=pairs,
            trials=self._trials,
            delta=mean([first - second for first, second in averages]) if measured else None,
            interval=self._process.interval() if measured else None,
            p_value=self._process.p_value if measured else None,
        )
