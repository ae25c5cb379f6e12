"""Checks of the final answer, without thoughts and tool calls in it."""

from collections.abc import Sequence
from typing import cast

from pydantic import JsonValue

from whet.checkers import fields, search
from whet.checkers.blocks import said
from whet.checkers.bounded import SECONDS, TookTooLong
from whet.checkers.letter import LETTERS, chosen
from whet.checkers.search import Haystack, Needle, unix
from whet.checkers.verdict import decided, failed, passed, shown
from whet.core.check import CheckResult, CheckSpec
from whet.ports.checker import Subject

_NOTHING = "nothing is expected; give the check or its case an expected value"


class Choice:
    """The answer chooses the expected option."""

    name = "choice"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {}, {"expected": _letter})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = _text_of(_expected(spec, subject)).strip().upper()
        if _letter(expected):
            return failed(spec, _NOTHING, error=_NOTHING)
        letter = chosen(said(subject.record.answer))
        if letter is None:
            return failed(spec, f"No single option is chosen: {_quoted(subject)}")
        return decided(spec, f"{letter} is chosen, expected {expected}", good=letter == expected)


class Exact:
    """The answer is the expected text, but for space around it."""

    name = "exact"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {}, {"expected": fields.text})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = unix(_text_of(_expected(spec, subject))).strip()
        if not expected:
            return failed(spec, _NOTHING, error=_NOTHING)
        good = unix(said(subject.record.answer)) == expected
        return decided(spec, f"{_quoted(subject)}; expected: {shown(expected)}", good=good)


class Contains:
    """The answer has the expected text, or all of several; its score is the share it has."""

    name = "contains"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {}, {"expected": fields.text_or_texts})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        given = _expected(spec, subject)
        expected = [unix(_text_of(one)) for one in (given if isinstance(given, list) else [given])]
        if not all(expected):
            return failed(spec, _NOTHING, error=_NOTHING)
        answer = unix(said(subject.record.answer))
        missing = [shown(text) for text in expected if text not in answer]
        if not missing:
            return passed(spec, f"The answer has all of it: {_quoted(subject)}")
        share = 1 - len(missing) / len(expected)
        return failed(spec, f"Missing: {'; '.join(missing[:5])}", score=share)


class Regex:
    """The expression matches somewhere in the answer."""

    name = "regex"
    version = "1"

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {"expected": fields.regex}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        answer = said(subject.record.answer).encode(errors="replace")
        needle = Needle(regex=cast("str", spec.fields["expected"]))
        haystack = Haystack({"answer": answer}, ["answer"])
        try:
            found = search.first(needle, haystack, self._seconds)
        except TookTooLong:
            reason = "the regular expression took too long on this answer; make it simpler"
            return failed(spec, reason, error=reason)
        if found is not None:
            return passed(spec, found)
        return failed(spec, f"No match: {_quoted(subject)}{haystack.remark}")


def _expected(spec: CheckSpec, subject: Subject) -> JsonValue:
    """What the check expects, or else its case."""
    return spec.fields.get("expected", subject.expected)


def _text_of(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _letter(value: JsonValue) -> str | None:
    good = isinstance(value, str) and len(value.strip()) == 1 and value.strip().upper() in LETTERS
    return None if good else f"must be one letter of {LETTERS}"


def _quoted(subject: Subject) -> str:
    return f"answer: {shown(said(subject.record.answer)) or '(empty)'}"
