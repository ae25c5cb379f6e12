"""Checks of the final answer, without thoughts and tool calls in it."""

import re
from collections.abc import Iterator, Sequence
from typing import cast

from pydantic import JsonValue

from whet.checkers import fields, search
from whet.checkers.blocks import said
from whet.checkers.bounded import SECONDS, TookTooLong
from whet.checkers.letter import LETTERS, chosen, narrow
from whet.checkers.search import Haystack, Needle, unix
from whet.checkers.verdict import decided, failed, passed, shown
from whet.core.check import CheckResult, CheckSpec
from whet.ports.checker import Subject

_LABEL = re.compile(
    r"(?:(?:the )?(?:final )?answer\s{0,3}(?:is\b\s{0,3}:?|:)"
    r"|(?:最终|正确)?答案\s{0,3}[:为是])\s{0,3}",
    re.IGNORECASE,
)
_MARKS = (("**", "**"), ("`", "`"), ("*", "*"), ('"', '"'), ("“", "”"), ("「", "」"))
_LONGEST_BARE = 10_000
_NOTHING = "nothing is expected; give the check or its case an expected value"


class Choice:
    """The answer chooses the expected option."""

    name = "choice"
    version = "3"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {}, {"expected": _letter})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = narrow(_text_of(_expected(spec, subject))).strip().upper()
        if _letter(expected):
            return failed(spec, _NOTHING, error=_NOTHING)
        letter = chosen(said(subject.record.answer))
        if letter is None:
            return failed(spec, f"No single option is chosen: {_quoted(subject)}")
        return decided(spec, f"{letter} is chosen, expected {expected}", good=letter == expected)


class Exact:
    """The answer is the expected text, but for space, a label and marks around it."""

    name = "exact"
    version = "2"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        return fields.problems(spec, {}, {"expected": fields.text})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        expected = unix(_text_of(_expected(spec, subject))).strip()
        if not expected:
            return failed(spec, _NOTHING, error=_NOTHING)
        answer = unix(said(subject.record.answer))
        good = expected in (answer, narrow(answer), *_bare(narrow(answer)))
        return decided(spec, f"{_quoted(subject)}; expected: {shown(expected)}", good=good)


class Contains:
    """The answer has the expected text, or all of several; its score is the share it has."""

    name = "contains"
    version = "2"

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
    version = "2"

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
    letter = narrow(value).strip().upper() if isinstance(value, str) else ""
    good = len(letter) == 1 and letter in LETTERS
    return None if good else f"must be one letter of {LETTERS}"


def _bare(answer: str) -> Iterator[str]:
    """An answer of one line without its label, and without the marks around it."""
    if "\n" in answer or len(answer) > _LONGEST_BARE:
        return
    for _ in range(3):
        answer = _LABEL.sub("", answer, count=1) if _LABEL.match(answer) else answer
        yield answer
        for opening, closing in _MARKS:
            inner = answer.removeprefix(opening).removesuffix(closing)
            if len(inner) == len(answer) - len(opening) - len(closing):
                answer = inner.strip()
                break
        yield answer


def _quoted(subject: Subject) -> str:
    return f"answer: {shown(said(subject.record.answer)) or '(empty)'}"
