"""Checks from a suite to its report."""

import json
import re
from pathlib import Path
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.checkers.subjects import checkers, left, record, session
from whet.core.address import digest_bytes
from whet.core.case import Case, Standard, Stimulus
from whet.core.check import CheckResult, gate
from whet.core.errors import NotFound
from whet.core.files import FileRef
from whet.documents.grading import StructuralReport
from whet.evaluate.check import (
    KeptOutputs,
    carry_out,
    read_checks,
    structural_report,
    subject_of,
)

SUITE: list[JsonValue] = [
    {"id": "S1", "type": "file_exists", "description": "Made", "pattern": "*.ts", "critical": True},
    {"type": "file_contains", "pattern": "*.ts", "match": "x", "match_any": None},
    {"type": "file_not_contains", "pattern": "*.md", "match": "x"},
    {"id": "S4", "type": "custom_script", "script": "false", "critical": True},
]


class Kept:
    """Blobs in memory, which count how often each was read."""

    def __init__(self, *contents: bytes) -> None:
        self.contents = {digest_bytes(data): data for data in contents}
        self.read: list[str] = []

    def put(self, data: bytes) -> str:
        raise NotImplementedError

    def has(self, digest: str) -> bool:
        return digest in self.contents

    def get(self, digest: str) -> bytes:
        if digest not in self.contents:
            raise NotFound(digest)
        self.read.append(digest)
        return self.contents[digest]


def test_every_type_is_installed_under_its_name() -> None:
    installed = checkers()
    assert len(installed) == 19
    assert {name: checker.name for name, checker in installed.items()} == {n: n for n in installed}
    assert all(checker.version for checker in installed.values())


def test_a_suite_becomes_a_report() -> None:
    reading = read_checks(SUITE, "evals.json: eval 1", checkers())
    assert reading.problems == ()
    assert [spec.id for spec in reading.specs] == ["S1", "S2", "S3", "S4"]
    results = carry_out(reading.specs, left({"a.ts": "no"}), checkers())
    report = structural_report(results).to_data()
    assert report == {
        "expectations": [
            {
                "id": "S1",
                "text": "Made",
                "type": "file_exists",
                "passed": True,
                "evidence": "Found: a.ts",
                "critical": True,
            },
            {
                "id": "S2",
                "text": "file_contains *.ts",
                "type": "file_contains",
                "passed": False,
                "evidence": "Not found in a.ts",
                "critical": False,
            },
            {
                "id": "S3",
                "text": "file_not_contains *.md",
                "type": "file_not_contains",
                "passed": True,
                "evidence": "vacuous: no file is at the pattern *.md",
                "critical": False,
                "vacuous": True,
            },
        ],
        "summary": {"passed": 2, "failed": 1, "total": 3, "pass_rate": 2 / 3},
        "gate_passed": True,
        "skipped": [
            {
                "id": "S4",
                "text": "custom_script",
                "type": "custom_script",
                "critical": True,
                "reason": "not trusted",
            }
        ],
    }
    assert StructuralReport.parse(report, "structural.json").gate_passed


def test_all_mistakes_are_told_at_once() -> None:
    bad: list[JsonValue] = [
        {"type": "file_exist", "pattern": "*"},
        {"id": "b", "type": "file_contains", "pattern": "../*", "match_regex": "("},
        {"id": "b", "type": "no_errors", "pattern": "*"},
        "S1",
        {
            "id": "e",
            "type": "file_count",
            "pattern": "a",
            "count": 1,
            "critical": "yes",
            "weight": -1,
        },
        {"id": 3},
    ]
    problems = read_checks(bad, "evals.json: eval 7", checkers()).problems
    assert all(problem.startswith("evals.json: eval 7: check ") for problem in problems)
    assert all("\n" not in problem for problem in problems)
    starts = [problem.removeprefix("evals.json: eval 7: check ")[:22] for problem in problems]
    assert starts == [
        "S1: unknown type 'file",
        "b: pattern has '..'; p",
        "b: match_regex is not ",
        "b: pattern is not a fi",
        "b: another check has t",
        "4: must be an object",
        "5: critical: Input sho",
        "6: id: Input should be",
    ]


def test_a_record_becomes_a_subject_that_reads_when_asked() -> None:
    log = session(messages=("Hello.",)).to_json().encode()
    wanted, other = b"needle", b"huge"
    blobs = Kept(log, wanted, other)
    outputs = tuple(
        FileRef(path=path, digest=digest_bytes(data), size=len(data))
        for path, data in (("a.txt", wanted), ("b.md", other))
    )
    made = record(outputs=outputs, session=digest_bytes(log))
    given = FileRef(path="in.txt", digest=digest_bytes(other), size=len(other))
    case = Case(
        id="c",
        stimulus=Stimulus(prompt="Do it.", files=(given,)),
        standard=Standard(expected="x"),
    )
    subject = subject_of(made, case, blobs)
    assert (subject.expected, list(subject.inputs)) == ("x", ["in.txt"])
    assert subject.session is not None
    assert subject.session.messages == ("Hello.",)
    checks: list[JsonValue] = [{"type": "file_contains", "pattern": "*.txt", "match": "needle"}]
    (result,) = carry_out(read_checks(checks, "here", checkers()).specs, subject, checkers())
    assert result.passed
    assert blobs.read == [digest_bytes(log), digest_bytes(wanted)]
    assert len(KeptOutputs(outputs, blobs)) == 2


OUTCOMES = st.sampled_from(["passed", "failed", "vacuous", "skipped"])


def result(outcome: str, *, critical: bool = False, weight: float = 1) -> CheckResult:
    good = outcome in ("passed", "vacuous")
    data = {"id": "a", "type": "exact", "text": "t", "evidence": "e", "outcome": outcome}
    return CheckResult.model_validate(
        {**data, "score": float(good), "critical": critical, "weight": weight}
    )


@settings(deadline=None)
@given(st.lists(st.tuples(OUTCOMES, st.booleans())))
def test_the_gate_counts_all_and_falls_by_critical_failures_alone(
    outcomes: list[tuple[str, bool]],
) -> None:
    results = [result(outcome, critical=critical) for outcome, critical in outcomes]
    counted = gate(results)
    assert counted.total + counted.skipped == len(results)
    assert counted.vacuous <= counted.passed
    assert counted.gate_passed is (("failed", True) not in outcomes)
    assert (counted.pass_rate is None) is (counted.total == 0)
    report = structural_report(results)
    assert (report.summary.passed, report.summary.failed) == (counted.passed, counted.failed)
    assert len(report.expectations) == report.summary.total
    assert [e.passed for e in report.expectations].count(True) == report.summary.passed


def test_the_score_is_the_weighted_mean() -> None:
    half = result("failed", weight=3).model_copy(update={"score": 0.5})
    assert gate([result("passed", weight=1), half, result("skipped", weight=9)]).score == 2.5 / 4
    assert gate([]).score is None
    assert gate([result("passed", weight=0)]).score is None


def test_nothing_decided_is_neither_all_nor_nothing() -> None:
    counted = gate([result("skipped", critical=True)])
    assert (counted.total, counted.pass_rate, counted.gate_passed) == (0, None, True)
    summary = cast("dict[str, JsonValue]", structural_report([]).summary.to_data())
    assert summary == {"passed": 0, "failed": 0, "total": 0, "pass_rate": 0.0}


def test_the_page_shows_every_type_and_its_examples_are_right() -> None:
    page = (Path(__file__).parents[2] / "docs/checks.md").read_text()
    shown = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", page, re.M | re.S)]
    assert read_checks(shown[1:], "docs/checks.md", checkers()).problems == ()
    assert sorted(one["type"] for one in shown[1:]) == sorted(checkers())
    assert [name for name in checkers() if f"### `{name}`" not in page] == []
