"""Blind comparison: two runs of one eval side by side, in both orders, by a judge that does not
know which is which."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from whet.core.address import digest
from whet.core.case import Case
from whet.core.errors import WhetError
from whet.core.text import storable
from whet.core.trial import TrialRecord
from whet.documents.eval_statistics import PairwiseSummary
from whet.documents.skill_creator import Comparison, ComparisonRubric, OutputQuality
from whet.documents.verdict import Interval
from whet.evaluate.check import KeptOutputs
from whet.evaluate.experiment import Row
from whet.evaluate.run_result import shortened
from whet.ports.blobs import Blobs
from whet.ports.comparing import CONTENT, STRUCTURE, Assessment, Comparing, Preference
from whet.ports.judge import Submission
from whet.stats.describe import mean
from whet.stats.intervals import rate_interval

LEVEL = 0.95
METHOD = "t over cases, two wins and two losses added"
AT_ONCE = 16
"""Pairs that are compared at the same time."""

Outcome = Literal["win", "loss", "tie", "failed"]
Letter = Literal["A", "B"]
Winner = Literal["A", "B", "TIE"]

_OPPOSITE: dict[Winner, Winner] = {"A": "B", "B": "A", "TIE": "TIE"}
_WORTH = {"win": 1.0, "tie": 0.5, "loss": 0.0}


@dataclass(frozen=True, slots=True)
class Pair:
    """One eval, one run number: what the skill's side and the other side came to.

    None stands for an agent that reached a limit of its own. That side has lost without being
    looked at, as it scores zero; if both did, nobody has won.
    """

    case: str
    run: int
    address: str
    """What makes the pair this one: the two records and the standard."""

    ours: Submission | None
    other: Submission | None

    @property
    def ours_is_a(self) -> bool:
        """Which side comes first at first: drawn, but always the same for the same pair."""
        return int(digest(["order", self.address])[:2], 16) % 2 == 0


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What came of a pair, for the side with the skill."""

    pair: Pair
    outcome: Outcome
    error: str | None = None
    """Why it failed; a pair that failed counts for nothing."""

    first: Preference | None = None
    second: Preference | None = None
    """The same with A and B exchanged."""

    @property
    def comparison(self) -> Comparison | None:
        """``comparison.json``, with A and B as they were at first."""
        if self.first is None or self.second is None:
            return None
        return _document(self, self.first, self.second)

    @property
    def simulated(self) -> bool:
        """Whether a judge that is none had a part in it."""
        return any(one.simulated for one in (self.first, self.second) if one)


def pairs_of(rows: Iterable[Row], ours: str, other: str, blobs: Blobs) -> list[Pair]:
    """The pairs in *rows* of the arms *ours* and *other*, in order of eval and run.

    A place without a record was not measured: it makes no pair.
    """
    places: dict[tuple[str, int], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        places[row.cell.case.id, row.cell.attempt][row.cell.arm.id] = row
    found: list[Pair] = []
    # Ids are texts: 2 comes before 10.
    for case, run in sorted(places, key=lambda place: (len(place[0]), place)):
        arms = places[case, run]
        if ours in arms and other in arms:
            pair = _pair((case, run), arms[ours], arms[other], blobs)
            found += [pair] if pair else []
    return found


async def compare_runs(judge: Comparing, pairs: Sequence[Pair]) -> list[PairVerdict]:
    """Compare every pair in both orders. Only agreement decides; disagreement is a tie, and a
    comparison that failed in either order is neither. A judge's bug costs one pair."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(pair: Pair) -> PairVerdict:
        async with room:
            return await _compared(judge, pair)

    found = await asyncio.gather(*map(one, pairs), return_exceptions=True)
    return [_settled(pair, each) for pair, each in zip(pairs, found, strict=True)]


def summary(verdicts: Sequence[PairVerdict]) -> PairwiseSummary:
    """All verdicts in numbers; ties count half, and runs are averaged inside their eval first."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    shares = list(_shares(verdicts).values())
    return PairwiseSummary(
        wins=counts["win"],
        losses=counts["loss"],
        ties=counts["tie"],
        failed=counts["failed"],
        interval=_interval(shares),
        failures=tuple(
            f"eval {one.pair.case} run {one.pair.run}: {shortened(one.error or 'failed')}"
            for one in verdicts
            if one.outcome == "failed"
        )
        or None,
    )


async def _compared(judge: Comparing, pair: Pair) -> PairVerdict:
    ours, other = pair.ours, pair.other
    if ours is None or other is None:
        outcome = "tie" if ours is other else "loss" if ours is None else "win"
        return PairVerdict(pair, outcome)
    a, b = (ours, other) if pair.ours_is_a else (other, ours)
    first = await judge.compare(a, b, f"{pair.address} 1")
    second = await judge.compare(b, a, f"{pair.address} 2")
    return PairVerdict(pair, _outcome(pair, first, second), first=first, second=second)


def _settled(pair: Pair, found: PairVerdict | BaseException) -> PairVerdict:
    match found:
        case PairVerdict():
            return found
        case WhetError():
            return PairVerdict(pair, "failed", storable(str(found)))
        case Exception():
            return PairVerdict(pair, "failed", storable(f"the judge broke: {found!r}"))
        case _:
            raise found


def _outcome(pair: Pair, first: Preference, second: Preference) -> Outcome:
    winners = {first.winner, _OPPOSITE[second.winner]}
    if len(winners) > 1 or "TIE" in winners:
        return "tie"
    return "win" if ("A" in winners) == pair.ours_is_a else "loss"


def _shares(verdicts: Iterable[PairVerdict]) -> dict[str, float]:
    """The share of wins in each eval."""
    runs: dict[str, list[float]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.outcome != "failed":
            runs[verdict.pair.case].append(_WORTH[verdict.outcome])
    return {case: mean(worth) for case, worth in runs.items()}


def _interval(shares: Sequence[float]) -> Interval | None:
    if not shares:
        return None
    found = rate_interval(shares, LEVEL)
    return Interval(low=round(found.low, 4), high=round(found.high, 4), level=LEVEL, method=METHOD)


def _pair(place: tuple[str, int], ours: Row, other: Row, blobs: Blobs) -> Pair | None:
    if ours.record is None or other.record is None:
        return None
    case = ours.cell.case
    address = digest(
        {
            "trials": [[one.address, one.generation] for one in (ours.record, other.record)],
            "standard": case.standard.digest,
        }
    )
    sides = (_submission(case, record, blobs) for record in (ours.record, other.record))
    return Pair(*place, address, *sides)


def _submission(case: Case, record: TrialRecord, blobs: Blobs) -> Submission | None:
    if record.status != "completed":
        return None
    return Submission(case, record.answer, KeptOutputs(record.outputs, blobs))


def _document(verdict: PairVerdict, first: Preference, second: Preference) -> Comparison:
    """Both orders as one: numbers are averaged, so that the place of a side does not count."""
    sides: Mapping[Letter, tuple[Assessment, Assessment]] = {
        "A": (first.a, second.b),
        "B": (first.b, second.a),
    }
    ours: Letter = "A" if verdict.pair.ours_is_a else "B"
    other: Letter = "B" if ours == "A" else "A"
    winners: dict[Outcome, Winner] = {"win": ours, "loss": other}
    reasoning = first.reasoning
    if first.winner != _OPPOSITE[second.winner]:
        reasoning += f"\n\nThe other way round, with A as B and B as A: {second.reasoning}"
    return Comparison(
        winner=winners.get(verdict.outcome, "TIE"),
        reasoning=reasoning,
        rubric={letter: _rubric(both) for letter, both in sides.items()},
        output_quality={letter: _quality(both) for letter, both in sides.items()},
    )


def _rubric(both: Sequence[Assessment]) -> ComparisonRubric:
    content, structure = (
        {name: mean([one.points[name] for one in both]) for name in names}
        for names in (CONTENT, STRUCTURE)
    )
    content_score, structure_score = mean(list(content.values())), mean(list(structure.values()))
    return ComparisonRubric(
        content=content,
        structure=structure,
        content_score=content_score,
        structure_score=structure_score,
        overall_score=content_score + structure_score,
    )


def _quality(both: Sequence[Assessment]) -> OutputQuality:
    return OutputQuality(
        score=mean([one.quality for one in both]),
        strengths=both[0].strengths,
        weaknesses=both[0].weaknesses,
    )
