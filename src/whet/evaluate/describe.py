"""Look for a better description of a skill, and say honestly whether one was found.

The queries are split once. A new description is made from failures on the training part and has
to beat the one before it there. What is held out is looked at once, when the choice is made: only
that comparison says anything about queries that nobody has seen.
"""

import hashlib
import re
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from whet.core.counts import counted
from whet.core.errors import AskFailure, BudgetExhausted, UsageError
from whet.documents.skill_creator import TriggerQuery
from whet.documents.verdict import Interval, Verdict
from whet.evaluate.trigger import Offer, plain
from whet.evaluate.trigger_report import Counted
from whet.evaluate.verdict import Pairs, verdict_document, verdict_of
from whet.stats.comparison import (
    PASS_OR_FAIL,
    RATES,
    compare_cases,
    fewest_cases,
    fewest_runs,
)

HOLDOUT = 0.4
SEED = 42
ROUNDS = 5
MOST_CHARACTERS = 1024

_NO_WORD = re.compile(r"[\W_]+")


class Split(NamedTuple):
    """The queries to learn from, and those that nobody looks at until the end."""

    train: tuple[TriggerQuery, ...]
    held_out: tuple[TriggerQuery, ...]


def split(queries: Sequence[TriggerQuery], seed: int = SEED) -> Split:
    """Hold out two fifths of either class; raises ``UsageError`` where a class has too few.

    Which ones depends on their words and the seed, not on their order. Queries that differ in
    nothing but punctuation stay together.
    """
    held_out: set[str] = set()
    for wanted in (True, False):
        words = {_words(q.query) for q in queries if q.should_trigger is wanted}
        # What stands in both classes goes with the first.
        words -= {_words(q.query) for q in queries if q.should_trigger and not wanted}
        if len(words) < 2:
            kind = "should trigger" if wanted else "should not trigger"
            raise UsageError(f"{len(words)} different queries {kind}; a split needs at least two")
        count = min(max(1, round(HOLDOUT * len(words))), len(words) - 1)
        held_out |= set(sorted(words, key=lambda text: _draw(text, seed))[:count])
    return Split(
        tuple(q for q in queries if _words(q.query) not in held_out),
        tuple(q for q in queries if _words(q.query) in held_out),
    )


def _words(query: str) -> str:
    return _NO_WORD.sub(" ", unicodedata.normalize("NFKC", plain(query))).strip() or plain(query)


def _draw(text: str, seed: int) -> str:
    return hashlib.sha256(f"{seed} {text}".encode(errors="replace")).hexdigest()


def unfit(description: str) -> str | None:
    """Why a text cannot be a description, if it cannot."""
    if not description.strip():
        return "it is empty"
    if len(description) > MOST_CHARACTERS:
        return (
            f"it has {counted(len(description), 'character', 'characters')}, at most "
            f"{MOST_CHARACTERS} are allowed"
        )
    if "<" in description or ">" in description:
        return "it has an angle bracket, which is not allowed"
    if any(unicodedata.category(mark) in ("Cc", "Cs") for mark in description):
        return "it has a control character"
    return None


@dataclass(frozen=True)
class Tried:
    """A description, and what it came to on the training part."""

    description: str
    train: Sequence[Counted]
    held_out: Sequence[Counted] | None = None
    """Only of the two that are compared at the end."""

    @property
    def is_measured(self) -> bool:
        """Whether any run tells something."""
        return any(one.known for one in self.train)

    @property
    def all_passed(self) -> bool:
        """Whether every query came out as it should, as far as anybody knows."""
        return not any(one.passed is False for one in self.train)

    @property
    def failures(self) -> list[Counted]:
        """The queries that did not come out as they should, or not in every run."""
        known = [one for one in self.train if one.rate is not None]
        return [one for one in known if one.rate != float(one.query.should_trigger)]


Measure = Callable[[Offer, Sequence[TriggerQuery]], Awaitable[Sequence[Counted]]]
"""Runs queries on a skill as it is described."""


@dataclass(frozen=True)
class Situation:
    """All that whoever writes a description may know: nothing of what is held out."""

    skill_name: str
    text: str
    """The SKILL.md with the best description so far."""

    best: Tried
    tried: tuple[Tried, ...]
    neighbours: tuple[str, ...]
    round: int


Propose = Callable[[Situation], Awaitable[str | None]]
"""Writes another description; None where nothing usable came of it."""


@dataclass(frozen=True)
class Found:
    """What a search came to."""

    split: Split
    history: tuple[Tried, ...]
    """The original first, then every description that was tried."""

    best: int
    """The place of the best one in the history."""

    exit_reason: str
    verdict: Verdict | None
    """The best one against the original on what was held out; None if that is the original."""

    notes: tuple[str, ...] = field(default=())

    @property
    def final(self) -> str:
        """The description to use: the best one, unless it turned out worse where it counts."""
        is_worse = self.verdict is not None and self.verdict.label == "worse"
        return self.history[0 if is_worse else self.best].description


async def improve(
    offer: Offer, parts: Split, measure: Measure, propose: Propose, rounds: int = ROUNDS
) -> Found:
    """Search for so many rounds, then compare once on what was held out."""
    history = [Tried(offer.description, await measure(offer, parts.train))]
    best, notes = 0, list[str]()
    ended = f"max_iterations ({rounds})"
    for number in range(1, rounds + 1):
        if (reason := _enough(history[best], len(history))) is not None:
            ended = reason
            break
        text = _as(offer, history[best].description, best).text
        situation = Situation(
            offer.name, text, history[best], tuple(history), offer.neighbour_names, number
        )
        try:
            proposed = await propose(situation)
        except (AskFailure, BudgetExhausted) as failure:
            notes.append(f"round {number}: {failure}")
            ended = f"no_answer (round {number})"
            break
        if (problem := _unusable(proposed, history)) is not None or proposed is None:
            notes.append(f"round {number}: {problem}")
            continue
        changed = offer.described(proposed)
        history.append(Tried(proposed, await measure(changed, parts.train)))
        if is_better(history[-1].train, history[best].train):
            best = len(history) - 1
    return await _compared(
        offer, Found(parts, tuple(history), best, ended, None, tuple(notes)), measure
    )


def _enough(best: Tried, tried: int) -> str | None:
    """Why there is nothing to improve, if there is nothing."""
    if not best.is_measured:
        return f"nothing_measured (iteration {tried})"
    return f"all_passed (iteration {tried})" if best.all_passed else None


def _unusable(proposed: str | None, history: Sequence[Tried]) -> str | None:
    if proposed is None:
        return "no usable description was proposed"
    if (problem := unfit(proposed)) is not None:
        return f"the proposed description is not usable: {problem}"
    if any(plain(proposed) == plain(tried.description) for tried in history):
        return "a description was proposed that had been tried before"
    return None


def is_better(new: Sequence[Counted], old: Sequence[Counted]) -> bool:
    """Whether *new* gets more of the same training queries right than chance explains.

    The statement is about these queries alone, and what is chance about them is the run: so runs
    are the units here, paired by query and number. A tie keeps the old one.
    """
    pairs = [pair for runs in _pairs(new, old).values() for pair in runs]
    if not pairs:
        return False
    first, second = zip(*pairs, strict=True)
    return compare_cases(first, second, RATES).like_these.label == "better"


def _pairs(new: Sequence[Counted], old: Sequence[Counted]) -> dict[str, list[tuple[float, float]]]:
    """The runs that tell something on both sides, by query."""
    found: dict[str, list[tuple[float, float]]] = {}
    for a, b in zip(new, old, strict=True):
        for number in a.runs.keys() & b.runs.keys():
            one, other = a.right(number), b.right(number)
            if one is not None and other is not None:
                found.setdefault(a.query.query, []).append((one, other))
    return found


async def _compared(offer: Offer, found: Found, measure: Measure) -> Found:
    """Look at what was held out, once for each of the two."""
    places = dict.fromkeys([0, found.best])
    history = list(found.history)
    for place in places:
        tried = history[place]
        seen = await measure(_as(offer, tried.description, place), found.split.held_out)
        history[place] = Tried(tried.description, tried.train, seen)
    new, old = history[found.best].held_out, history[0].held_out
    verdict = None
    if found.best and new is not None and old is not None:
        verdict = held_out_verdict(new, old)
    return Found(found.split, tuple(history), found.best, found.exit_reason, verdict, found.notes)


def _as(offer: Offer, description: str, place: int) -> Offer:
    """The original is measured as it is written, not as we would write it."""
    return offer.described(description) if place else offer


def held_out_verdict(new: Sequence[Counted], old: Sequence[Counted]) -> Verdict:
    """Whether the new description gets more right, over queries that nobody has learnt from."""
    scores = _pairs(new, old)
    lost = [
        f"query {place} run {number}: {why}"
        for place, (a, b) in enumerate(zip(new, old, strict=True), start=1)
        for number, why in sorted({**b.reasons, **a.reasons}.items())
    ]
    pairs = Pairs("new description", "old description", scores, tuple(lost))
    made = verdict_document(verdict_of(pairs, PASS_OR_FAIL), pairs)
    return made.model_copy(update={"words": in_words(made)})


_WORDS = {
    "better": "The new description is better on held-out queries",
    "worse": "The new description is worse on held-out queries, so the old one stays",
    "no_difference": "No difference on held-out queries",
    "inconclusive": "Better on the training queries, but the held-out ones do not show it",
}


_ON_THESE = {
    "better": "it is better",
    "worse": "it is worse",
    "no_difference": "there is no difference",
    "inconclusive": "it is open",
}


def in_words(verdict: Verdict) -> str:
    """The verdict in one sentence for each scope: on queries like these, and on these alone."""
    if verdict.delta is None:
        return "Nothing could be compared: no held-out query has a run that tells on both sides."
    points = _points(verdict.delta, verdict.interval)
    told = f"{_WORDS[verdict.label]}: {points} over {counted(verdict.n_cases, 'query', 'queries')}."
    if verdict.needs:
        told += (
            f" {counted(verdict.n_cases, 'held-out query is', 'held-out queries are')} too few "
            "to speak of others: at least"
            f" {fewest_cases()} are needed, and more runs will not change that."
        )
    these = verdict.on_these
    if these is None or these.needs:
        runs = fewest_runs(verdict.n_cases)
        return (
            f"{told} Nothing is said of these queries alone: each needs "
            f"{counted(runs, 'run', 'runs')} or more."
        )
    here = _points(verdict.delta, these.interval)
    return (
        f"{told} On {counted(verdict.n_cases, 'this # query', 'these # queries')} alone "
        f"{_ON_THESE[these.label]}: {here}."
    )


def _points(delta: float, interval: Interval | None) -> str:
    points = f"{delta * 100:+.0f} points"
    if interval is None:
        return points
    return f"{points} (95 % interval {interval.low * 100:+.0f} … {interval.high * 100:+.0f})"
