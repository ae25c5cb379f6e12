r"""Regular expressions of JSON Schemas, searched for in a time that grows with the text alone.

The library's own search tries one way after another, and there may be more ways than anybody has
time for: ``^(a+)+$`` takes hours on thirty letters, and nothing can end it. Here all ways are
followed at once. That works for what JSON Schema recommends (characters, classes, groups, choices,
repeats, ``^`` and ``$``) and a little more. What looks around, or back, is not an expression here.
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from whet.core.sized_cache import SizedStore, sized_cache
from whet.core.untrusted_regex import compile_untrusted

MOST_STATES = 5_000
MOST_EDGES = 20_000
"""Ways on from the states of one expression."""

MOST_KEPT = 16 * 1024 * 1024
"""Bytes of expressions that are remembered."""

MOST_KNOWN = 16 * 1024 * 1024
"""Bytes of sets of states, and steps between them, that are remembered for all expressions."""

_EDGE_BYTES = 100
"""What a state and a way on from it take, and the rest of the expression for each of them."""

_MEMBER_BYTES = 64
_SET_BYTES = 600
"""What a set of states takes: for each state in it, and at least."""

_COUNT = re.compile(r"\{(\d{1,4})?(,)?(\d{1,4})?\}")
_GROUP = re.compile(r"\((?:\?(?::|P<\w+>))?(?!\?)")
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[^0-9A-Za-z]|[dDwWsSnrtfv])")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\\\]])*\]", re.DOTALL)
_PLACES = {"^": "start", "$": "end", "\\A": "start", "\\Z": "last", "\\b": "edge", "\\B": "within"}
_WORD = re.compile(r"\w")

_Fragment = Callable[["_Machine", int], int]
"""Adds itself to a machine, before the state that comes after it; returns where it begins."""


class Unsupported(ValueError):
    """What cannot be searched for in this way."""


class Pattern:
    """One expression."""

    def __init__(self, source: str) -> None:
        reading = _Reading(source)
        self._machine = _Machine(source)
        try:
            compile_untrusted(source)
            whole = reading.choice()
            if reading.at < len(source):
                raise Unsupported(f"{_short(source)}: it cannot be read beyond {reading.at}")
            self._first = frozenset({whole(self._machine, _Machine.FOUND)})
        except re.error as error:
            raise Unsupported(f"{_short(source)}: {error}") from None
        except RecursionError:
            raise Unsupported(f"{_short(source)}: it is nested too deeply") from None

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return (len(self._machine.onward) + self._machine.edges) * _EDGE_BYTES

    def search(self, text: str, tick: Callable[[], None] = lambda: None) -> bool:
        """Whether it fits anywhere in *text*; *tick* is called now and then, and may raise."""
        machine, states = self._machine, frozenset[int]()
        size = len(text)
        for at in range(size + 1):
            if at & 0x3FF == 0:
                tick()
            reached = machine.closure(states | self._first, _place(text, at, size))
            if _Machine.FOUND in reached:
                return True
            if at < size:
                states = machine.step(reached, text[at])
        return False


@sized_cache(MOST_KEPT, size=lambda made: made.size)
def pattern(source: str) -> Pattern:
    """The expression; raises ``Unsupported``."""
    return Pattern(source)


def _place(text: str, at: int, size: int) -> frozenset[str]:
    """What may be asked of a place between two characters."""
    if 0 < at < size - 1:
        is_edge = (_WORD.match(text[at - 1]) is None) != (_WORD.match(text[at]) is None)
        return _EDGE if is_edge else _WITHIN
    before = at > 0 and _WORD.match(text[at - 1]) is not None
    after = at < size and _WORD.match(text[at]) is not None
    found = {"edge" if before != after else "within"}
    if at == 0:
        found.add("start")
    if at == size:
        found |= {"end", "last"}
    elif at == size - 1 and text[at] == "\n":
        found.add("end")
    return frozenset(found)


_EDGE, _WITHIN = frozenset({"edge"}), frozenset({"within"})


@dataclass
class _Machine:
    """States with what leads on from each: a kind of character, a place, or nothing at all."""

    FOUND = 0

    source: str
    atoms: list[str | None] = field(default_factory=lambda: [None])
    """The character that a state takes, as an expression; None if it takes none."""

    places: list[str | None] = field(default_factory=lambda: [None])
    """Where it lets through without one."""

    onward: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    edges: int = 0
    _number: int = field(default_factory=lambda: next(_NUMBERS))

    def add(self, *onward: int, atom: str | None = None, place: str | None = None) -> int:
        """A new state."""
        self.edges += len(onward)
        if len(self.onward) >= MOST_STATES or self.edges > MOST_EDGES:
            raise Unsupported(
                f"{_short(self.source)}: it is too large when its repeats are counted"
            )
        self.atoms.append(atom)
        self.places.append(place)
        self.onward.append(onward)
        return len(self.onward) - 1

    def closure(self, states: frozenset[int], place: frozenset[str]) -> frozenset[int]:
        """All states that are reached from these without another character."""
        key = (self._number, states, place)
        if (known := _KNOWN.get(key)) is not None:
            return known[0]
        found, waiting = set(states), list(states)
        while waiting:
            state = waiting.pop()
            needed = self.places[state]
            if self.atoms[state] is not None or (needed is not None and needed not in place):
                continue
            new = [each for each in self.onward[state] if each not in found]
            found.update(new)
            waiting += new
        return _remember(key, states, frozenset(found))

    def step(self, states: frozenset[int], character: str) -> frozenset[int]:
        """All states that a character leads to."""
        key = (self._number, states, character)
        if (known := _KNOWN.get(key)) is not None:
            return known[0]
        found: set[int] = set()
        fits: dict[str, bool] = {}
        for state in states:
            atom = self.atoms[state]
            if atom is None:
                continue
            if atom not in fits:
                fits[atom] = _fits(atom, character)
            if fits[atom]:
                found.update(self.onward[state])
        return _remember(key, states, frozenset(found))


_Key = tuple[int, frozenset[int], frozenset[str] | str]
_KNOWN = SizedStore[_Key, frozenset[int]](MOST_KNOWN)
_NUMBERS = count()


def _remember(key: _Key, before: frozenset[int], after: frozenset[int]) -> frozenset[int]:
    _KNOWN.put(key, after, _SET_BYTES + _MEMBER_BYTES * (len(before) + len(after)))
    return after


def _fits(atom: str, character: str) -> bool:
    return _kind(atom).fullmatch(character) is not None


@sized_cache(1024 * 1024, size=sys.getsizeof)
def _kind(atom: str) -> re.Pattern[str]:
    """A kind of character, ready to be compared with."""
    return compile_untrusted(atom)


@dataclass
class _Reading:
    """Takes an expression apart."""

    source: str
    at: int = 0

    def choice(self) -> _Fragment:
        branches = [self._sequence()]
        while self._took("|"):
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else partial(_choice, branches)

    def _sequence(self) -> _Fragment:
        parts: list[_Fragment] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            parts.append(self._repeated(self._part()))
        return partial(_sequence, parts)

    def _part(self) -> _Fragment:
        for mark, place in _PLACES.items():
            if self._took(mark):
                return partial(_place_of, place)
        rest = self.source[self.at]
        if rest == "(":
            return self._group()
        known = {"[": _CLASS, "\\": _ESCAPE}.get(rest)
        if known is None:
            self.at += 1
            return partial(_atom, "." if rest == "." else re.escape(rest))
        if (found := known.match(self.source, self.at)) is None:
            raise Unsupported(f"{_short(self.source)}: what stands at {self.at} is not supported")
        self.at = found.end()
        return partial(_atom, found[0])

    def _group(self) -> _Fragment:
        opening = _GROUP.match(self.source, self.at)
        if opening is None:
            raise Unsupported(f"{_short(self.source)}: the group at {self.at} is not supported")
        self.at = opening.end()
        inner = self.choice()
        self._took(")")
        return inner

    def _repeated(self, part: _Fragment) -> _Fragment:
        for least, most in self._counts():
            part = partial(_repeat, part, least, most)
            self._took("?")
            if self.source[self.at : self.at + 1] == "+":
                raise Unsupported(f"{_short(self.source)}: the + at {self.at} is not supported")
        return part

    def _counts(self) -> Iterator[tuple[int, int | None]]:
        if self._took("*"):
            yield 0, None
        elif self._took("+"):
            yield 1, None
        elif self._took("?"):
            yield 0, 1
        elif found := _COUNT.match(self.source, self.at):
            least, comma, most = found.groups()
            if least or most:  # otherwise it is no count, but these very characters
                self.at = found.end()
                yield int(least or 0), int(most or least) if most or not comma else None

    def _took(self, mark: str) -> bool:
        is_there = self.source.startswith(mark, self.at)
        self.at += len(mark) if is_there else 0
        return is_there


def _atom(atom: str, machine: _Machine, after: int) -> int:
    return machine.add(after, atom=atom)


def _place_of(place: str, machine: _Machine, after: int) -> int:
    return machine.add(after, place=place)


def _sequence(parts: list[_Fragment], machine: _Machine, after: int) -> int:
    for part in reversed(parts):
        after = part(machine, after)
    return after


def _choice(branches: list[_Fragment], machine: _Machine, after: int) -> int:
    return machine.add(*(branch(machine, after) for branch in branches))


def _repeat(part: _Fragment, least: int, most: int | None, machine: _Machine, after: int) -> int:
    if most is None:
        loop = machine.add()
        machine.onward[loop] = (part(machine, loop), after)
        begin = loop
    else:
        begin = after
        for _ in range(most - least):
            begin = machine.add(part(machine, begin), after)
    for _ in range(least):
        before, begin = begin, part(machine, begin)
        if begin == before:  # it takes nothing, however often
            break
    return begin


def _short(source: str) -> str:
    return repr(source if len(source) <= 60 else f"{source[:60]}…")
