"""A report in JUnit XML, for whatever shows test results.

A suite is an engine with a model. A test is an expectation of an eval over all its runs with the
skill: it passes if more than half of them met it. One more test stands for the verdict.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from whet.documents.benchmark import Benchmark, BenchmarkRun
from whet.exporters.expectations import Wanted, expectations
from whet.exporters.figures import (
    WITH,
    average,
    configurations,
    eval_names,
    other,
    runs_by_place,
)
from whet.exporters.plain import line, page
from whet.exporters.telling import headline, name_of, sentence
from whet.exporters.words import BY_LANGUAGE, ReportWords
from whet.ports.exporter import EvalReport, Leg

EVIDENCE = 4000


class _Test(NamedTuple):
    """One test; without an outcome it passed."""

    name: str
    outcome: str | None = None
    """``failure``, ``error`` or ``skipped``."""

    message: str = ""
    text: str = ""


class JunitExporter:
    """``ports.exporter.Exporter``."""

    name = "junit"
    suffix = ".xml"

    def export(self, report: EvalReport, language: str) -> str:
        """See the port."""
        words = BY_LANGUAGE[language]
        root = Element("testsuites", name=line(report.skill_name, 120))
        for number, leg in enumerate(report.legs):
            root.append(_suite(report, leg, number, words))
        for count in ("tests", "failures", "errors"):
            root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
        indent(root)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(report: EvalReport, leg: Leg, number: int, words: ReportWords) -> Element:
    benchmark = leg.benchmark
    skill = line(report.skill_name, 120)
    suite = Element("testsuite", name=f"{skill} · {name_of(leg)}", id=str(number))
    _properties(suite, leg)
    cases: list[Element] = []
    evals = _Evals(report, benchmark, words)
    for eval_id, name in eval_names(report, benchmark).items():
        where = name if name == f"eval {eval_id}" else f"{line(eval_id, 40)} {name}"
        cases += [_case(suite, f"{skill}.{where}", test) for test in evals.tests(eval_id)]
    cases.append(_case(suite, skill, _verdict(leg, words)))
    for count, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(count, str(sum(case.find(kind) is not None for case in cases)))
    suite.set("tests", str(len(cases)))
    seconds = sum(run.result.time_seconds for run in benchmark.runs if run.configuration == WITH)
    suite.set("time", f"{seconds:.3f}")
    if when := _timestamp(benchmark.metadata.timestamp):
        suite.set("timestamp", when)
    return suite


def _timestamp(text: str) -> str | None:
    """As the schema has it: without a zone, so in UTC."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    when = when.astimezone(UTC) if when.tzinfo else when
    return when.replace(tzinfo=None, microsecond=0).isoformat()


def _properties(suite: Element, leg: Leg) -> None:
    metadata, verdict = leg.benchmark.metadata, leg.benchmark.verdict
    interval = verdict.interval if verdict else None
    ours = configurations(leg.benchmark).get(WITH)
    score = ours.overall_efficiency if ours else None
    known = {
        "engine": metadata.engine,
        "engine_version": metadata.engine_version,
        "model": metadata.executor_model,
        "judge": metadata.analyzer_model,
        "sandbox": metadata.sandbox,
        "simulated": "true" if metadata.simulated else "false",
        "status": metadata.status,
        "compared_with": other(leg.benchmark),
        "score": score.mean if score else None,
        "verdict": verdict.label if verdict else None,
        "verdict_in_family": leg.label,
        "delta": verdict.delta if verdict else None,
        "interval_low": interval.low if interval else None,
        "interval_high": interval.high if interval else None,
        "interval_level": interval.level if interval else None,
        "interval_method": interval.method if interval else None,
    }
    properties = SubElement(suite, "properties")
    for name, value in known.items():
        if value is not None:
            told = f"{value:.6g}" if isinstance(value, float) else str(value)
            SubElement(properties, "property", name=name, value=line(told))


def _case(suite: Element, classname: str, test: _Test) -> Element:
    case = SubElement(suite, "testcase", classname=classname, name=line(test.name, 200))
    if test.outcome is not None:
        found = SubElement(case, test.outcome, message=line(test.message))
        if test.outcome != "skipped":
            found.set("type", "expectation" if test.outcome == "failure" else "execution")
            found.text = page(test.text, EVIDENCE) or None
    elif test.text:
        SubElement(case, "system-out").text = page(test.text, EVIDENCE)
    return case


class _Evals:
    """The tests of the evals of a leg."""

    def __init__(self, report: EvalReport, benchmark: Benchmark, words: ReportWords) -> None:
        self._report = report
        self._benchmark = benchmark
        self._words = words
        self._runs = runs_by_place(benchmark)

    def tests(self, eval_id: str) -> Iterator[_Test]:
        """The tests of one eval: its expectations, or that it was scored."""
        words, runs = self._words, self._runs[eval_id, WITH]
        if not runs:
            yield from self._never_run(eval_id)
            return
        wanted = expectations(runs)
        if all(run.result.status == "failed" for run in runs):
            why = runs[0].result.failure or words.states["run_failed"]
            count = f"{words.states['run_failed']}: {len(runs)}/{len(runs)}"
            for name in map(_name, wanted) if wanted else (words.details["rubric"],):
                yield _Test(name, "error", why, count)
            return
        yield from (_expectation(one, words) for one in wanted)
        decided = {one.text for one in wanted}
        eval_ = self._report.evals.get(eval_id)
        undecided = [text for text in (eval_.expectations if eval_ else ()) if text not in decided]
        yield from (_Test(text, "skipped", words.states["undecided"]) for text in undecided)
        if not wanted and not undecided:
            yield _rubric(runs, words)

    def _never_run(self, eval_id: str) -> Iterator[_Test]:
        reasons = [
            line(one.reason)
            for one in self._benchmark.missing or ()
            if str(one.eval_id) == eval_id and one.configuration == WITH
        ]
        reason = "; ".join(dict.fromkeys([self._words.states["missing"], *reasons]))
        for name in self._names(eval_id):
            yield _Test(name, "skipped", reason)

    def _names(self, eval_id: str) -> list[str]:
        """What an eval without runs would have been tested for."""
        if wanted := expectations(self._runs[eval_id, other(self._benchmark) or ""]):
            return [_name(one) for one in wanted]
        if (eval_ := self._report.evals.get(eval_id)) is None:
            return [self._words.states["missing"]]
        checks = [
            ": ".join(filter(None, (check.id, check.description or check.type)))
            for check in eval_.structural_expectations
        ]
        return [*checks, *eval_.expectations] or [self._words.details["rubric"]]


def _name(wanted: Wanted) -> str:
    return f"{wanted.id}: {wanted.text}" if wanted.id else wanted.text


def _expectation(wanted: Wanted, words: ReportWords) -> _Test:
    met, decided = wanted.met, len(wanted.outcomes)
    if 2 * met > decided:
        return _Test(_name(wanted), text=f"{words.states['passed']}: {met}/{decided}")
    missed = [(place, one) for place, one in wanted.outcomes.items() if not one.passed]
    evidence = "\n".join(
        f"{words.run.format(number=number)}: {page(one.evidence, 1000)}"
        for (_, number), one in missed
    )
    first = f"; {line(missed[0][1].evidence, 200)}" if missed[0][1].evidence else ""
    message = f"{words.states['failed']}: {decided - met}/{decided}{first}"
    return _Test(_name(wanted), "failure", message, evidence)


def _rubric(runs: list[BenchmarkRun], words: ReportWords) -> _Test:
    """An eval that is scored only: there is nothing that it could fail."""
    found = average(runs)
    if found is None:
        return _Test(words.details["rubric"], "skipped", words.states["not_graded"])
    return _Test(words.details["rubric"], text=f"{words.columns['score']}: {100 * found:.1f}")


def _verdict(leg: Leg, words: ReportWords) -> _Test:
    """Fails if the skill makes it worse; looks at this leg alone, as the gates do."""
    verdict = leg.benchmark.verdict
    said = sentence(leg, words)
    name = words.columns["verdict"]
    if verdict is None or verdict.delta is None:
        return _Test(name, "skipped", said)
    if verdict.label == "worse":
        return _Test(name, "failure", said, said)
    return _Test(name, text=f"{headline(leg, words)}: {said}")
