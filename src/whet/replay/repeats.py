"""Calls that are made again: after a failure, in a circle, or until a check passes.

All of it by agent: what one subagent does is no repetition of what another one does.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from whet.replay.acts import Act, Acts

WINDOW = 6
"""How many calls later the same thing is still another attempt at it."""

CIRCLES = 3
"""So often the same, with nothing changed in between, is going round in circles."""

_NUMBER = re.compile(r"\d+")
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Attempts:
    """A call that failed, and its repetitions."""

    places: tuple[int, ...]
    same_input: bool
    succeeded: bool
    """Whether the last one did."""


@dataclass(frozen=True, slots=True)
class Circle:
    """The very same call three or more times, between which nothing was changed."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cycle:
    """Change, check, and again, as long as the check fails: at least two rounds."""

    first: int
    last: int
    rounds: int
    """How many checks."""

    passed: bool


def by_agent(acts: Acts) -> list[list[Act]]:
    """The calls of each agent; the main agent first."""
    found: defaultdict[int | None, list[Act]] = defaultdict(list)
    for act in acts:
        found[act.parent].append(act)
    main = found.pop(None, [])
    return [main, *found.values()]


def retries(acts: Acts) -> list[Attempts]:
    """Failed calls that were tried again: the next call of the tool that is alike, at most six
    calls later, if nothing was changed in between."""
    return sorted(
        (found for own in by_agent(acts) for found in _retries(own)), key=lambda one: one.places
    )


def _retries(own: Sequence[Act]) -> Iterator[Attempts]:
    taken: set[int] = set()
    for place, act in enumerate(own):
        if not act.failed or act.index in taken:
            continue
        chain = [act]
        again = _again(own, place)
        while again is not None:
            chain.append(own[again])
            again = _again(own, again) if own[again].failed else None
        if len(chain) > 1:
            taken |= {one.index for one in chain}
            same = all(one.call.input.params == act.call.input.params for one in chain)
            yield Attempts(tuple(one.index for one in chain), same, not chain[-1].failed)


def _again(own: Sequence[Act], place: int) -> int | None:
    """Where the call is made again."""
    for later in range(place + 1, min(place + 1 + WINDOW, len(own))):
        other = own[later]
        if likeness(own[place], other) is not None:
            return later
        if other.kind == "change" and not other.failed:
            return None
    return None


def likeness(one: Act, other: Act) -> Literal["same", "alike"] | None:
    """Whether two calls want the same: the same tool with the same input, or about the same.

    About the same is the same file, for a shell the same program with at least half of the words,
    and else a subject that differs in numbers only.
    """
    if one.tool != other.tool:
        return None
    if one.call.input.params == other.call.input.params:
        return "same"
    files, others = {*one.reads, *one.writes}, {*other.reads, *other.writes}
    if one.tool == "Bash":
        return "alike" if _alike_commands(one.subject, other.subject) else None
    if files or others:
        return "alike" if files & others else None
    alike = _NUMBER.sub("0", one.subject) == _NUMBER.sub("0", other.subject)
    return "alike" if alike and one.subject else None


def _alike_commands(one: str, other: str) -> bool:
    words, others = one.split(), other.split()
    if not words or not others or words[0] != others[0]:
        return False
    shared = len({*words} & {*others})
    return shared >= _HALF * max(len({*words}), len({*others}))


def circles(acts: Acts) -> list[Circle]:
    """Calls that were made again and again without anything new to see or do."""
    found: list[Circle] = []
    for own in by_agent(acts):
        seen: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for act in own:
            if act.kind == "change" and not act.failed:
                found += _circles(seen.values())
                seen.clear()
            elif act.kind in ("look", "check", "change", "skill"):
                seen[act.tool, json.dumps(act.call.input.params, sort_keys=True)].append(act.index)
        found += _circles(seen.values())
    return sorted(found, key=lambda one: one.places)


def _circles(seen: Iterable[list[int]]) -> Iterator[Circle]:
    return (Circle(tuple(places)) for places in seen if len(places) >= CIRCLES)


def cycles(acts: Acts) -> list[Cycle]:
    """Changes and checks in turn, from the change before the first check that failed to the one
    that passed, or to the last."""
    found = (cycle for own in by_agent(acts) for cycle in _cycles(own))
    return sorted((one for one in found if one.rounds > 1), key=lambda one: (one.first, one.last))


def _cycles(own: Sequence[Act]) -> Iterator[Cycle]:
    first: int | None = None
    changed: int | None = None
    last = rounds = 0
    for act in own:
        if act.kind == "change":
            changed = act.index if changed is None else changed
        elif act.kind == "check":
            first = changed if first is None else first
            if first is None:
                continue
            rounds += changed is not None
            last, changed = act.index, None
            if not act.failed:
                yield Cycle(first, last, rounds, passed=True)
                first, rounds = None, 0
    if first is not None:
        yield Cycle(first, last, rounds, passed=False)
