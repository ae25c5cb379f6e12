"""What ``whet eval`` does once its imports are worth their time."""

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from pydantic import JsonValue
from rich.console import Console

from whet.app.app import App, opened
from whet.app.eval_estimate import FIRST_TRIALS, Estimate, estimate
from whet.app.eval_plan import EvalPlan, plan
from whet.app.eval_plan_told import plan_told
from whet.app.eval_report import report_of
from whet.app.eval_request import EvalRequest
from whet.app.evals import EvalOutcome, Evals
from whet.app.regrade import regrading
from whet.app.settings import Settings
from whet.app.ui import report_template
from whet.app.views.report import with_page
from whet.cli import eval_plan_words
from whet.cli.eval_options import Regrade, Run
from whet.cli.eval_plan_text import plan_text
from whet.cli.eval_table import printed
from whet.cli.eval_words import BY_LANGUAGE
from whet.cli.options import fail, say
from whet.cli.progress import shown
from whet.cli.spending import confirm
from whet.cli.termination import run_to_end
from whet.core.counts import counted
from whet.core.errors import EnvironmentProblem, InvalidSuite
from whet.documents.files import write_atomic
from whet.evaluate.gates import gate_failures, unmeasured
from whet.ports.exporter import EvalReport


def carry_out(settings: Settings, options: Run) -> None:
    """Plan, ask, run, report; a closed gate, or runs without an answer, end with exit code 1."""
    with opened(settings) as app:
        for path in options.written:
            _check_place(path)
        if options.html is not None:
            report_template()
        made = _planned(app, options.request())
        if options.dry_run:
            _warn(made)
            _show_plan(made, estimate(app, made), settings.language, as_json=options.json)
            return
        outcome = _carried_out(app, made, yes=options.yes)
        report = report_of(outcome)
        _write_beside(app, report, settings.language)
        # First of all: a file that cannot be written takes nothing of the result away.
        _show(outcome, report, settings.language, machine=options.json)
        if options.html is not None:
            report = with_page(app, Evals(app).get(outcome.plan.id), report)
        _write_files(app, report, options, settings.language)
    benchmarks = [leg.benchmark for leg in outcome.legs]
    failures = gate_failures(
        benchmarks,
        fail_under=options.fail_under,
        fail_on_regression=options.fail_on_regression,
        scope=options.gate_scope.value,
    )
    for failure in failures:
        say(failure)
    if failures:
        fail("the gate is closed", 1)
    if nothing := unmeasured(benchmarks):
        fail("; ".join(nothing), 1)
    if outcome.unanswered:
        words = BY_LANGUAGE[settings.language]
        fail(words.unanswered.format(count=outcome.unanswered), 1)


def grade_anew(settings: Settings, options: Regrade) -> None:
    """Grade what is on record once more, and report it like a run."""
    with opened(settings) as app:
        with _every_mistake():
            made = regrading(
                app,
                options.skill,
                options.judge or (),
                options.readings,
                trust_scripts=options.trust_scripts,
            )
        outcome = _carried_out(app, made, yes=options.yes)
        report = report_of(outcome)
        _write_beside(app, report, settings.language)
    _show(outcome, report, settings.language, machine=options.json)


def _carried_out(app: App, made: EvalPlan, *, yes: bool) -> EvalOutcome:
    _warn(made)
    expected = estimate(app, made)
    if expected.needs_consent:
        confirm(expected.in_words(FIRST_TRIALS), yes=yes)
    return run_to_end(app, _run(app, made))


def _warn(made: EvalPlan) -> None:
    for warning in made.warnings:
        say(warning)


def _planned(app: App, request: EvalRequest) -> EvalPlan:
    with _every_mistake():
        return plan(app, request)


@contextmanager
def _every_mistake() -> Generator[None]:
    """Tell the mistakes of a suite one by one."""
    try:
        yield
    except InvalidSuite as error:
        if len(error.problems) < 2:
            raise
        for problem in error.problems:
            say(problem)
        fail(
            f"{error.source} has {counted(len(error.problems), 'mistake', 'mistakes')}; nothing "
            "was run",
            2,
        )


async def _run(app: App, made: EvalPlan) -> EvalOutcome:
    async with shown(app.store.events, made.id, made.suite.document.skill_name):
        return await Evals(app).run(made)


def _show_plan(made: EvalPlan, expected: Estimate, language: str, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(plan_told(made, expected), ensure_ascii=False, indent=2) + "\n")
    else:
        plan_text(Console(), made, expected, eval_plan_words.PlanWords(language))


def _show(outcome: EvalOutcome, report: EvalReport, language: str, *, machine: bool) -> None:
    if machine:
        sys.stdout.write(json.dumps(as_json(outcome), ensure_ascii=False, indent=2) + "\n")
        return
    words, console = BY_LANGUAGE[language], Console()
    printed(console, report, words)
    extents = [leg.extent for leg in outcome.legs]
    told = words.extent.format(
        total=sum(each.total for each in extents),
        now=sum(leg.executed for leg in outcome.legs),
        graded=sum(each.ungraded for each in extents),
        reused=sum(each.reused for each in extents),
    )
    lines = [told, *(f"{words.files}  {leg.iteration.folder}" for leg in outcome.legs)]
    console.print("\n" + "\n".join(lines), highlight=False, markup=False, soft_wrap=True)


def as_json(outcome: EvalOutcome) -> dict[str, JsonValue]:
    """The outcome for machines: every leg with its benchmark."""
    plan_ = outcome.plan
    return {
        "eval_id": plan_.id,
        "skill_name": plan_.suite.document.skill_name,
        "status": "completed" if outcome.is_complete else "partial",
        "unanswered": outcome.unanswered,
        "warnings": list(plan_.warnings),
        "spent": {
            "cost_usd": outcome.spent.cost_usd,
            "tokens": plan_.purse.known_tokens,
            "trials": plan_.purse.trials,
        },
        "legs": [
            {
                "engine": leg.leg.design.pin.engine,
                "model": leg.leg.design.pin.model,
                "folder": str(leg.iteration.folder),
                "trials": {
                    "total": leg.extent.total,
                    "executed": leg.executed,
                    "regraded": leg.extent.ungraded,
                    "reused": leg.extent.reused,
                },
                "verdict": leg.verdict.to_data() if leg.verdict else None,
                "benchmark": leg.benchmark.to_data(),
            }
            for leg in outcome.legs
        ],
    }


def _write_beside(app: App, report: EvalReport, language: str) -> None:
    """``benchmark.md`` beside the results of each engine and model."""
    for leg in report.legs:
        alone = EvalReport(report.skill_name, (leg,), report.evals, report.warnings)
        text = app.parts.exporter("markdown").export(alone, language)
        _write(Path(leg.folder) / "benchmark.md", text)


def _write_files(app: App, report: EvalReport, options: Run, language: str) -> None:
    """The reports that were asked for."""
    for name, path in (
        ("markdown", options.markdown),
        ("junit", options.junit),
        ("html", options.html),
    ):
        if path is not None:
            _write(path, app.parts.exporter(name).export(report, language))
    if options.summary is not None:
        _append(options.summary, app.parts.exporter("markdown").export(report, language))


def _check_place(path: Path) -> None:
    """Before anybody is charged: a report needs a folder to lie in."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        reason = "it is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        raise EnvironmentProblem(f"cannot write {path}: {reason}")


def _write(path: Path, text: str) -> None:
    write_atomic(path, text, durable=False)


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error
