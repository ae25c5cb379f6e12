"""Checks of the files that a trial left behind."""

from collections.abc import Sequence
from typing import cast

from whet.checkers import fields, search
from whet.checkers.bounded import SECONDS, TookTooLong
from whet.checkers.patterns import matching
from whet.checkers.search import Haystack, Needle, unix
from whet.checkers.verdict import decided, failed, listed, passed, shown, vacuous
from whet.core.check import CheckResult, CheckSpec
from whet.core.counts import counted
from whet.ports.checker import Subject

_MOST_VIOLATIONS = 3
_TERMS: dict[str, fields.Rule] = {"match": fields.text, "match_any": fields.texts}
_SOUGHT: dict[str, fields.Rule] = {**_TERMS, "match_regex": fields.regex}
_TOO_LONG = "the regular expression took too long on these files; make it simpler"
_PATH_AND_TEXT = fields.members({"path": fields.path, "text": fields.text})


class FileExists:
    """At least one file matches the pattern, or lies at the expected path."""

    name = "file_exists"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        if "expected" in spec.fields:
            return fields.problems(spec, {"expected": fields.path}, {})
        return fields.problems(spec, {"pattern": fields.pattern}, {})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        found = _paths(spec, subject)
        if found:
            return passed(spec, f"Found: {listed(found)}")
        return failed(spec, f"No file is at {_named(spec)}{_cut(subject)}")


class FileCount:
    """As many files match as should."""

    name = "file_count"
    version = "1"

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        required = {"pattern": fields.pattern, "count": fields.count}
        return fields.problems(spec, required, {"operator": fields.operator})

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        found = _paths(spec, subject)
        operator = cast("str", spec.fields.get("operator", ">="))
        count = cast("int", spec.fields["count"])
        names = f": {listed(found)}" if found else ""
        matching = counted(len(found), "file matches", "files match")
        evidence = f"{matching} {_named(spec)}, expected {operator} {count}{names}"
        good = fields.OPERATORS[operator](len(found), count)
        return decided(spec, evidence + _cut(subject), good=good)


class FileContains:
    """Any of the files has what is looked for, searched as a whole."""

    name = "file_contains"
    version = "1"

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        if "expected" in spec.fields:
            return fields.problems(spec, {"expected": _PATH_AND_TEXT}, {})
        return [*fields.problems(spec, {"pattern": fields.pattern}, _SOUGHT), *_unclear(spec)]

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        haystack = Haystack(subject.outputs, _paths(spec, subject))
        if not haystack.paths:
            return failed(spec, f"No file is at {_named(spec)}{_cut(subject)}")
        try:
            found = search.first(_needle(spec), haystack, self._seconds)
        except TookTooLong:
            return failed(spec, _TOO_LONG, error=_TOO_LONG)
        if found is not None:
            return passed(spec, found)
        evidence = f"Not found in {listed(list(haystack.paths))}{haystack.remark}"
        return failed(spec, evidence + _cut(subject))


class FileNotContains:
    """No line of any of the files has what is looked for."""

    name = "file_not_contains"
    version = "1"

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """See the port."""
        optional = {**_SOUGHT, "except_context": fields.texts}
        found = [*fields.problems(spec, {"pattern": fields.pattern}, optional), *_unclear(spec)]
        needle = _needle(spec)
        if any("\n" in term for term in needle.terms):
            found.append("a line break is looked for, which no single line has")
        return found

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """See the port."""
        haystack = Haystack(subject.outputs, _paths(spec, subject))
        if not haystack.paths:
            return vacuous(spec, f"no file is at {_named(spec)}{_cut(subject)}")
        exempt = cast("list[str]", spec.fields.get("except_context", []))
        try:
            found = search.lines(_needle(spec), haystack, exempt, _MOST_VIOLATIONS, self._seconds)
        except TookTooLong:
            return failed(spec, _TOO_LONG, error=_TOO_LONG)
        if found:
            return failed(spec, "; ".join(found))
        evidence = f"Not found in {listed(list(haystack.paths))}{haystack.remark}"
        if haystack.cut:  # else a large file would be a place to hide in
            return failed(spec, evidence, error="a file is too large to be searched as a whole")
        return passed(spec, evidence + _cut(subject))


def _paths(spec: CheckSpec, subject: Subject) -> list[str]:
    """The files that a check is about."""
    match spec.fields:
        case {"expected": str(path)} | {"expected": {"path": str(path)}}:
            return [path] if path in subject.outputs else []
        case _:
            return matching(cast("str", spec.fields["pattern"]), subject.outputs)


def _named(spec: CheckSpec) -> str:
    match spec.fields:
        case {"expected": str(path)} | {"expected": {"path": str(path)}}:
            return shown(path)
        case _:
            return f"the pattern {shown(str(spec.fields['pattern']))}"


def _needle(spec: CheckSpec) -> Needle:
    """What is looked for; a regular expression goes before terms."""
    match spec.fields:
        case {"expected": {"text": str(text)}}:
            return Needle(terms=(unix(text),))
        case {"match_regex": str(regex)}:
            return Needle(regex=regex)
        case given:
            single, several = given.get("match"), given.get("match_any")
            terms = [single, *(several if isinstance(several, list) else [])]
            return Needle(terms=tuple(unix(term) for term in terms if isinstance(term, str)))


def _unclear(spec: CheckSpec) -> list[str]:
    """Whether it says exactly one kind of thing to look for."""
    terms = [name for name in _TERMS if name in spec.fields]
    if "match_regex" not in spec.fields:
        return [] if terms else ["match, match_any or match_regex is missing"]
    return [f"{terms[0]} is ignored beside match_regex; give only one of them"] if terms else []


def _cut(subject: Subject) -> str:
    return " (not all outputs were kept)" if subject.record.outputs_cut else ""
