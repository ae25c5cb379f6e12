"""JUnit XML that every reader takes, and that fails exactly where something failed."""

from dataclasses import replace
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.reports import (
    alone,
    benchmark,
    broken,
    expectation,
    hostile,
    metadata,
    report,
    run,
    verdict,
)
from whet.documents.benchmark import Benchmark, BenchmarkRun
from whet.exporters.junit import JunitExporter
from whet.ports.exporter import EvalReport

CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "properties": {"property"},
    "property": set[str](),
    "testcase": {"failure", "error", "skipped", "system-out"},
    "failure": set[str](),
    "error": set[str](),
    "skipped": set[str](),
    "system-out": set[str](),
}
ATTRIBUTES = {
    "testsuites": ({"name", "tests", "failures", "errors"}, set[str]()),
    "testsuite": (
        {"name", "id", "tests", "failures", "errors", "skipped", "time"},
        {"timestamp"},
    ),
    "properties": (set[str](), set[str]()),
    "property": ({"name", "value"}, set[str]()),
    "testcase": ({"name", "classname"}, set[str]()),
    "failure": ({"message", "type"}, set[str]()),
    "error": ({"message", "type"}, set[str]()),
    "skipped": ({"message"}, set[str]()),
    "system-out": (set[str](), set[str]()),
}
"""The common schema, as far as we use it: children, required and optional attributes."""


def exported(given: EvalReport, language: str = "en") -> Element:
    text = JunitExporter().export(given, language)
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    root = ET.fromstring(text.encode())
    fits(root)
    return root


def fits(element: Element) -> None:
    needed, allowed = ATTRIBUTES[element.tag]
    assert needed <= set(element.keys()) <= needed | allowed
    for child in element:
        assert child.tag in CHILDREN[element.tag]
        fits(child)
    if element.tag == "testsuite":
        assert [child.tag for child in element].index("properties") == 0
        cases = element.findall("testcase")
        assert int(element.get("tests", "")) == len(cases)
        for count, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(element.get(count, "")) == sum(case.find(kind) is not None for case in cases)
        assert float(element.get("time", "")) >= 0
    if element.tag == "testcase":
        assert len([child for child in element if child.tag != "system-out"]) <= 1
    if element.tag == "testsuites":
        for count in ("tests", "failures", "errors"):
            total = sum(int(suite.get(count, "")) for suite in element)
            assert int(element.get(count, "")) == total


def outcomes(root: Element) -> dict[tuple[str, str], str]:
    return {
        (case.get("classname", ""), case.get("name", "")): next(
            (child.tag for child in case if child.tag != "system-out"), "passed"
        )
        for case in root.iter("testcase")
    }


def with_runs(*runs: BenchmarkRun) -> EvalReport:
    return replace(report(benchmark(runs=runs, metadata=metadata(evals_run=(1,)))), evals={})


def tried(passed: list[bool]) -> list[BenchmarkRun]:
    return [
        run(1, number, expectations=[expectation("It works", passed=met, why=f"because {number}")])
        for number, met in enumerate(passed, 1)
    ]


def test_every_expectation_is_a_test_and_so_is_the_verdict() -> None:
    assert outcomes(exported(report())) == {
        ("testing.1 Create a test", "S1: Test file created"): "passed",
        ("testing.1 Create a test", "Uses a fixture"): "failure",
        ("testing.2 Fix a test", "S1: Test file created"): "passed",
        ("testing.2 Fix a test", "Uses a fixture"): "failure",
        ("testing", "verdict"): "passed",
    }


@given(st.lists(st.booleans(), min_size=1, max_size=9))
def test_more_than_half_of_the_runs_decide(passed: list[bool]) -> None:
    found = outcomes(exported(with_runs(*tried(passed))))
    expected = "passed" if sum(passed) > len(passed) / 2 else "failure"
    assert found["testing.eval 1", "It works"] == expected


def test_a_failure_says_how_many_of_how_many_and_why() -> None:
    root = exported(with_runs(*tried([False, True, False])))
    failure = next(root.iter("failure"))
    assert failure.get("message") == "not met: 2/3; because 1"
    assert failure.text == "run 1: because 1\nrun 3: because 3"


def test_runs_without_the_skill_decide_nothing() -> None:
    others = [one.model_copy(update={"configuration": "without_skill"}) for one in tried([False])]
    found = outcomes(exported(with_runs(*tried([True]), *others)))
    assert found["testing.eval 1", "It works"] == "passed"


def test_an_agent_that_always_failed_is_an_error_and_nothing_measured_is_skipped() -> None:
    root = exported(report(broken()))
    assert outcomes(root) == {
        ("testing.1 Create a test", "S1: Test file created"): "error",
        ("testing.2 Fix a test", "Uses a fixture"): "skipped",
        ("testing.eval 3", "not measured"): "skipped",
        ("testing", "verdict"): "skipped",
    }
    assert next(root.iter("error")).get("message") == "timeout"
    messages = [skipped.get("message") for skipped in root.iter("skipped")]
    assert "not measured; rate limit" in messages


def test_an_agent_that_failed_once_is_no_error() -> None:
    runs = [
        run(1, 1, expectations=[expectation("It works", passed=False)], failure="timeout", score=0),
        *tried([True, True])[1:],
        run(1, 3, expectations=[expectation("It works", passed=True)]),
    ]
    assert outcomes(exported(with_runs(*runs)))["testing.eval 1", "It works"] == "passed"


def test_the_tests_of_an_eval_that_never_ran_are_those_of_the_suite() -> None:
    never = report(benchmark(runs=()))
    found = outcomes(exported(never))
    assert found["testing.1 Create a test", "S1: Test file created"] == "skipped"
    assert found["testing.1 Create a test", "Uses a fixture"] == "skipped"


@pytest.mark.parametrize(
    ("score", "expected"), [(0.5, "passed"), (0.0, "passed"), (None, "skipped")]
)
def test_an_eval_with_a_rubric_only_can_not_fail(score: float | None, expected: str) -> None:
    found = outcomes(exported(with_runs(run(1, 1, score=score))))
    assert found["testing.eval 1", "Rubric"] == expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (benchmark(verdict=verdict("worse", -0.1, None)), "failure"),
        (benchmark(verdict=verdict("inconclusive", -0.1, None)), "passed"),
        (benchmark(verdict=verdict("no_difference", 0.0, None)), "passed"),
        (alone(), "skipped"),
    ],
)
def test_the_verdict_fails_when_the_skill_is_worse(found: Benchmark, expected: str) -> None:
    assert outcomes(exported(report(found)))["testing", "verdict"] == expected


def test_properties_tell_the_difference_and_its_interval() -> None:
    root = exported(report())
    told = {one.get("name"): one.get("value") for one in root.iter("property")}
    assert (told["delta"], told["interval_low"], told["interval_high"]) == ("0.12", "0.04", "0.2")
    assert (told["engine"], told["model"], told["simulated"]) == ("claude", "sonnet", "false")


def test_every_leg_is_a_suite() -> None:
    root = exported(report(benchmark(), benchmark(metadata=metadata("codex"))))
    assert [suite.get("name") for suite in root] == [
        "testing · claude · sonnet",
        "testing · codex · sonnet",
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05"),
        ("2026-01-02T03:04:05.678+02:00", "2026-01-02T01:04:05"),
        ("yesterday", None),
    ],
)
def test_time_is_told_in_utc_or_not_at_all(given: str, expected: str | None) -> None:
    root = exported(report(benchmark(metadata=metadata(timestamp=given))))
    assert root[0].get("timestamp") == expected


def test_hostile_text_is_valid_xml() -> None:
    for language in ("en", "zh"):
        root = exported(hostile(), language)
        assert "<script>alert(1)</script>" in next(root.iter("failure")).get("message", "")


@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=50))
def test_any_text_is_valid_xml(text: str) -> None:
    bad = expectation(text, passed=False, id_=text, why=text)
    exported(replace(with_runs(run(text, 1, expectations=[bad], name=text)), skill_name=text))
