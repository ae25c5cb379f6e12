"""What is wrong with one capability case."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from whet.core.check import CheckSpec, gate
from whet.core.tools import FINAL, canonical, is_builtin
from whet.core.trial import TrialRecord
from whet.documents.capability import MOST_SECONDS, MOST_WEIGHT, CapabilityCase
from whet.documents.capability_report import CaseFinding
from whet.evaluate.capability import rules as known
from whet.evaluate.capability.cases import (
    Names,
    checked_tools,
    checks_of,
    fixtures,
    rules,
)
from whet.evaluate.capability.options import options_of, plain
from whet.evaluate.capability.regexes import is_suspicious, probes
from whet.evaluate.capability.rules import Place
from whet.evaluate.check import Reading, carry_out
from whet.ports.checker import Checker, Subject

_NAMES = Names("run", "user")
_MOST_BITS = 64
_ANSWERS = frozenset({"choice", "exact", "contains", "regex", "json_schema", "json_contains"})
_TELLING_TYPES = _ANSWERS | {"directory_structure", "file_diff"}
"""Checks that must not pass by themselves; others are meant to guard against something."""

_TELLING = 3
"""Letters from which on a text that stands in a prompt is no chance."""

_SERVER = re.compile(r"[^@\s]+@[^@\s]+")


@dataclass(frozen=True, slots=True)
class Linter:
    """Holds cases against the rules."""

    checkers: Mapping[str, Checker]

    def case(self, case: CapabilityCase, where: Place) -> Iterator[CaseFinding]:
        """Everything that is wrong with *case* by itself."""
        yield from _numbers(case, where)
        yield from _tools(case, where)
        reading = checks_of(case, self.checkers, _NAMES)
        broken = [*_broken(case, reading, where)]
        yield from broken
        if not broken:
            slow = [*self._slow(case, where)]
            yield from slow
            yield from _choice(case, where)
            if not slow:
                yield from self._vacuous(case, reading, where)

    def _slow(self, case: CapabilityCase, where: Place) -> Iterator[CaseFinding]:
        for number, rule in enumerate(rules(case)):
            pattern = rule.get("match_regex", rule.get("expected"))
            is_regex = rule["type"] == "regex" or "match_regex" in rule
            if not is_regex or not isinstance(pattern, str) or not is_suspicious(pattern):
                continue
            if self._takes_long(case, pattern):
                place = where.below(_place(case, number))
                yield known.SLOW_REGEX.at(place, f"{pattern!r} takes too long on some texts")

    def _takes_long(self, case: CapabilityCase, pattern: str) -> bool:
        spec = CheckSpec(id="probe", type="regex", fields={"expected": pattern})
        checker = self.checkers["regex"]
        tried = (checker.check(spec, _subject(case, probe)) for probe in probes(pattern))
        return any(result.error is not None for result in tried)

    def _vacuous(
        self, case: CapabilityCase, reading: Reading, where: Place
    ) -> Iterator[CaseFinding]:
        """Try it on who repeats the prompt and does nothing else."""
        subject = _subject(case, _NAMES.text(case.prompt))
        echo = carry_out(reading.specs, subject, self.checkers)
        if gate(echo).score == 1:
            answered = any(result.type in _ANSWERS for result in echo)
            rule = known.LEAK if answered else known.VACUOUS
            who = "repeats the prompt" if answered else "does nothing"
            yield rule.at(where.below("checker"), f"whoever {who} passes")
            return
        yield from _leaks(case, where)
        for number, result in enumerate(echo):
            in_part = result.type == "contains" and result.score > 0
            if in_part or (result.passed and result.type in _TELLING_TYPES):
                place = where.below(_place(case, number))
                message = f"{result.type} scores {result.score:g} without any work"
                yield known.ECHO.at(place, f"{message}: {result.evidence}")


def _broken(case: CapabilityCase, reading: Reading, where: Place) -> Iterator[CaseFinding]:
    """Whatever would keep it from being run; what other rules tell is left to them."""
    for problem in reading.problems:
        told = problem.removeprefix(f"case {case.id!r}: ")
        place = told.partition(":")[0]
        if place in ("weight", "timeout_s"):
            continue
        if "relative path" in told or "stay inside" in told:
            key = "files" if place == "files" else _key(case, told)
            yield known.LEAVES_FOLDER.at(where.below(key), told)
        elif place == "id":
            yield known.UNSAFE_ID.at(where.below("id"), told.removeprefix("id: "))
        elif place in ("prompt", "files"):
            yield known.FORMAT.at(where.below(place), told)
        else:
            yield known.BAD_CHECK.at(where.below(_key(case, told)), told)


def _numbers(case: CapabilityCase, where: Place) -> Iterator[CaseFinding]:
    if case.weight is not None and not _is_weight(case.weight):
        yield known.BAD_WEIGHT.at(where.below("weight"), f"the weight is {_short(case.weight)}")
    if case.timeout_s is not None and not 0 < case.timeout_s <= MOST_SECONDS:
        yield known.BAD_TIMEOUT.at(
            where.below("timeout_s"), f"the limit is {_short(case.timeout_s)} s"
        )
    for number, rule in enumerate(rules(case)):
        weight = rule.get("weight", 1)
        if not isinstance(weight, int | float) or not _is_weight(weight):
            place = where.below(_place(case, number)).below("weight")
            yield known.BAD_WEIGHT.at(place, f"the weight is {_short(weight)}")


def _tools(case: CapabilityCase, where: Place) -> Iterator[CaseFinding]:
    needed = {canonical(tool) for tool in case.prerequisites}
    for number, tool in enumerate(case.prerequisites):
        if not is_builtin(tool) and not _SERVER.fullmatch(canonical(tool)):
            place = where.below(f"prerequisites[{number}]")
            yield known.UNREACHABLE.at(place, f"no agent has a tool {tool!r}")
    for tool in dict.fromkeys(checked_tools(case)):
        if not is_builtin(tool) and not _SERVER.fullmatch(canonical(tool)):
            yield known.UNREACHABLE.at(where.below("checker"), f"no agent has a tool {tool!r}")
        elif canonical(tool) not in {*needed, FINAL}:
            message = f"{tool!r} is looked for, and not among the prerequisites"
            yield known.UNDECLARED_TOOL.at(where.below("prerequisites"), message)


def _choice(case: CapabilityCase, where: Place) -> Iterator[CaseFinding]:
    keys = [rule.get("expected") for rule in rules(case) if rule["type"] == "choice"]
    if not keys:
        return
    stem, found = options_of(case.prompt)
    options = case.options or found
    letters = {letter.strip().upper() for letter in options}
    for key in keys:
        if isinstance(key, str) and plain(key).upper() not in letters:
            told = ", ".join(sorted(letters)) or "none"
            message = f"the key is {key!r}, the options are: {told}"
            yield known.KEY_NOT_AN_OPTION.at(where.below("prompt"), message)
        elif isinstance(key, str):
            yield from _stem_leak(stem, {k.upper(): v for k, v in options.items()}, key, where)
    texts = [plain(text) for text in options.values() if plain(text)]
    if len(set(texts)) < len(texts):
        yield known.SAME_OPTIONS.at(where.below("prompt"), "two options say the same")


def _stem_leak(
    stem: str, options: Mapping[str, str], key: str, where: Place
) -> Iterator[CaseFinding]:
    letter = plain(key).upper()
    question = f" {plain(stem)} "
    named = {one for one, text in options.items() if _is_in(plain(text), question)}
    if named == {letter}:
        message = f"the question has the words of option {letter}: {options[letter]!r}"
        yield known.STEM_LEAK.at(where.below("prompt"), message)


def _leaks(case: CapabilityCase, where: Place) -> Iterator[CaseFinding]:
    for rule in rules(case):
        expected = rule.get("expected")
        if rule["type"] != "exact" or not isinstance(expected, str):
            continue
        if _is_in(plain(expected), f" {plain(case.prompt)} "):
            message = f"the prompt has the expected answer {expected!r}"
            yield known.LEAK.at(where.below("prompt"), message)


def _is_in(text: str, question: str) -> bool:
    """Whether *text* stands there as words; one that is short may do so by chance."""
    if not text.isascii():
        return len(text) > 1 and text in question
    return len(text) >= _TELLING and f" {text} " in question


def _subject(case: CapabilityCase, answer: str) -> Subject:
    """Somebody who says *answer* and does nothing."""
    texts = {_NAMES.text(path): _NAMES.text(text) for path, text in fixtures(case).items()}
    record = TrialRecord(
        address="",
        execution="",
        status="completed",
        answer=answer,
        started_at="",
        ended_at="",
        duration_ms=0,
        engine="",
        engine_version="",
        model="",
        sandbox="none",
        simulated=True,
        session="",
    )
    inputs = {path: text.encode(errors="replace") for path, text in texts.items()}
    return Subject(record=record, session=None, outputs={}, inputs=inputs)


def _place(case: CapabilityCase, number: int) -> str:
    return f"checker[{number}]" if isinstance(case.checker, tuple) else "checker"


def _key(case: CapabilityCase, told: str) -> str:
    """Where a mistake of a check is: it is called by its place, S1, S2 and so on."""
    found = re.match(r"check S?(\d+): ", told)
    return _place(case, int(found[1]) - 1) if found else "checker"


def _is_weight(value: JsonValue) -> bool:
    return isinstance(value, int | float) and 0 < value <= MOST_WEIGHT


def _short(value: JsonValue) -> str:
    """A number, however many digits somebody gave it; more than some thousand cannot be told."""
    is_long = isinstance(value, int) and value.bit_length() > _MOST_BITS
    return "of too many digits" if is_long else str(value)
