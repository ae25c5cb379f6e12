"""Check a record: read the checks, carry them out, report them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from whet.core.case import Case
from whet.core.check import CheckResult, CheckSpec, gate
from whet.core.files import FileRef
from whet.core.trial import TrialRecord
from whet.documents.grading import (
    CheckedExpectation,
    PassSummary,
    SkippedCheck,
    StructuralReport,
)
from whet.evaluate.transcript import session_of
from whet.ports.blobs import Blobs
from whet.ports.checker import Checker, Subject

_OF_ALL = ("id", "type", "description", "critical", "weight")


class KeptOutputs(Mapping[str, bytes]):
    """Files by path, each read when it is asked for."""

    def __init__(self, files: Iterable[FileRef], blobs: Blobs) -> None:
        self._digests = {file.path: file.digest for file in files}
        self._blobs = blobs

    def __getitem__(self, path: str) -> bytes:
        return self._blobs.get(self._digests[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)


class Reading(NamedTuple):
    """The checks of a case, and every mistake in them."""

    specs: tuple[CheckSpec, ...]
    problems: tuple[str, ...]


def read_checks(given: Sequence[JsonValue], where: str, checkers: Mapping[str, Checker]) -> Reading:
    """Read checks as they were written; *where* names the suite and the eval in messages.

    A check without an id is called by its place: S1, S2 and so on.
    """
    specs: list[CheckSpec] = []
    problems: list[str] = []
    known: set[str] = set()
    for number, data in enumerate(given, start=1):
        spec = _spec(data, number)
        if isinstance(spec, str):
            problems.append(f"{where}: check {number}: {spec}")
            continue
        found = list(_mistakes(spec, checkers))
        if spec.id in known:
            found.append("another check has the same id")
        known.add(spec.id)
        problems += [f"{where}: check {spec.id}: {mistake}" for mistake in found]
        specs.append(spec)
    return Reading(tuple(specs), tuple(problems))


def subject_of(
    record: TrialRecord, case: Case, blobs: Blobs, script_sandbox: str | None = None
) -> Subject:
    """What checkers see of *record*, an attempt at *case*."""
    return Subject(
        record=record,
        session=session_of(record, blobs),
        outputs=KeptOutputs(record.outputs, blobs),
        expected=case.standard.expected,
        script_sandbox=script_sandbox,
        inputs=KeptOutputs(case.stimulus.files, blobs),
    )


def carry_out(
    specs: Iterable[CheckSpec], subject: Subject, checkers: Mapping[str, Checker]
) -> tuple[CheckResult, ...]:
    """Decide every check, in order. To be called in a thread."""
    return tuple(checkers[spec.type].check(spec, subject) for spec in specs)


def structural_report(results: Sequence[CheckResult]) -> StructuralReport:
    """*results* as ``structural.json``. With nothing decided the rate is 0 of 0."""
    counted = gate(results)
    skipped = tuple(_skipped(result) for result in results if result.skipped)
    return StructuralReport(
        expectations=tuple(_expectation(result) for result in results if not result.skipped),
        summary=PassSummary(
            passed=counted.passed,
            failed=counted.failed,
            total=counted.total,
            pass_rate=counted.pass_rate or 0.0,
        ),
        gate_passed=counted.gate_passed,
        skipped=skipped or None,
    ).lean()


def _spec(data: JsonValue, number: int) -> CheckSpec | str:
    """The check, or why it is none."""
    if not isinstance(data, dict):
        return "must be an object"
    # A field that is null is not given, as in every document.
    present = {name: value for name, value in data.items() if value is not None}
    shared = {name: present.pop(name) for name in _OF_ALL if name in present}
    try:
        return CheckSpec.model_validate(
            {"id": f"S{number}", **shared, "fields": present}, strict=True
        )
    except ValidationError as error:
        places = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()]
        return "; ".join(f"{place}: {message}" for place, message in places)


def _mistakes(spec: CheckSpec, checkers: Mapping[str, Checker]) -> Sequence[str]:
    if spec.type not in checkers:
        return [f"unknown type {spec.type!r}; known: {', '.join(sorted(checkers))}"]
    return checkers[spec.type].validate(spec)


def _expectation(result: CheckResult) -> CheckedExpectation:
    return CheckedExpectation.model_validate(
        {
            "id": result.id,
            "text": result.text,
            "type": result.type,
            "passed": result.passed,
            "evidence": result.evidence,
            "critical": result.critical,
            "vacuous": result.vacuous or None,
            "score": None if result.score in (0, 1) else result.score,
            "error": result.error,
        }
    ).lean()


def _skipped(result: CheckResult) -> SkippedCheck:
    return SkippedCheck.model_validate(
        {
            "id": result.id,
            "text": result.text,
            "type": result.type,
            "critical": result.critical,
            "reason": result.evidence.removeprefix("skipped: "),
        }
    )
