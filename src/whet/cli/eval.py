"""``whet eval``: does the skill help, how sure are we, what does it cost."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console

from whet.app.app import App, opened
from whet.app.eval_estimate import FIRST_TRIALS, estimate
from whet.app.eval_plan import EvalPlan, plan
from whet.app.eval_plan_told import plan_told
from whet.app.eval_report import report_of
from whet.app.eval_request import EvalRequest
from whet.app.evals import EvalOutcome, Evals
from whet.app.regrade import regrading
from whet.app.ui import report_template
from whet.app.views.report import with_page
from whet.cli.asset_output import print_json
from whet.cli.command import GOES_ON, Call, when_stopped
from whet.cli.eval_plan import print_plan
from whet.cli.eval_table import print_report
from whet.cli.options import fail, say
from whet.cli.progress import shown
from whet.cli.request_options import Spelling
from whet.cli.spending import LIMITS, Spending, Yes, confirm_cost
from whet.cli.termination import run_to_end
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText, counted
from whet.core.errors import EnvironmentProblem, InvalidSuite
from whet.documents.files import write_atomic
from whet.evaluate.gates import Scope, gate_failures, unmeasured
from whet.ports.exporter import EvalReport

STOPPED_FRESH = "stopped; run it again without --fresh to go on where it ended"


class EvalWords(Words):
    """What is said of a run beyond its report."""

    extent = Both(
        CountedText("{total:run|runs}: {now} run now, {graded} only graded anew, {reused} reused"),
        "共 {total} 次运行：本次运行 {now} 次，仅重新评分 {graded} 次，复用 {reused} 次",
    )
    unanswered = Both(
        "runs without an answer: {count}; the same command tries them again",
        "{count} 次运行没有得到回答；再次执行同一命令会重试",
    )
    files = Both("files", "文件")


Request = Annotated[
    EvalRequest,
    Spelling(
        {
            "engines": "--engine",
            "models": "--model",
            "judges": "--judge",
            "options": "--option",
            "timeout_seconds": "--timeout",
            "width": "--parallel",
        },
        arguments={"skill": "SKILL_DIR"},
        help={
            "adaptive": "Stop as soon as it is clear; --runs is the most.",
            "options": "An option of the engines, its value as JSON; may be repeated.",
        },
        without=("budget",),
    ),
]


@dataclass(frozen=True, kw_only=True)
class Results:
    """The options that say when the exit code is 1, and which reports are written."""

    fail_under: Annotated[
        float | None,
        typer.Option(help="Exit 1 if the skill's mean score is below this (0 to 1).", min=0, max=1),
    ] = None
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit 1 if the verdict is: worse.")
    ] = False
    gate_scope: Annotated[
        Scope,
        typer.Option(
            help="Look for a regression on evals like-these (6 evals or more), or on these alone."
        ),
    ] = "like-these"
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML to this file.")] = None
    html: Annotated[Path | None, typer.Option(help="Write a page to this file.")] = None
    markdown: Annotated[Path | None, typer.Option(help="Write Markdown to this file.")] = None
    summary: Annotated[
        Path | None,
        typer.Option(help="Add Markdown to this file, as a CI step summary wants it."),
    ] = None


JudgeModel = Annotated[
    str | None, typer.Option(help="The model of the judge, instead of the suite's.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only say what would be run and what it may cost.")
]


@when_stopped(GOES_ON)
def run(
    call: Call,
    request: Request,
    spending: Spending,
    results: Results,
    judge_model: JudgeModel = None,
    dry_run: DryRun = False,
) -> None:
    """Plan, ask, run, report; a closed gate, or runs without an answer, end with exit code 1."""
    judges = request.judges or ((judge_model,) if judge_model else ())
    request = request.model_copy(update={"budget": spending.budget(), "judges": judges})
    with opened(call.settings) as app:
        for path in (results.junit, results.html, results.markdown, results.summary):
            _check_place(path)
        if results.html is not None:
            report_template()
        with _every_mistake():
            made = plan(app, request)
        if dry_run:
            _warn(made)
            _show_plan(call, app, made)
            return
        try:
            outcome = _carry_out(app, made, yes=spending.yes)
        except KeyboardInterrupt:
            if request.fresh:
                fail(STOPPED_FRESH, 130)
            raise
        report = report_of(outcome)
        _write_beside(app, report, call.language)
        # First of all: a file that cannot be written takes nothing of the result away.
        _show(call, outcome, report)
        if results.html is not None:
            report = with_page(app, Evals(app).get(outcome.plan.id), report)
        _write_files(app, report, results, call.language)
    _check_gate(outcome, results, EvalWords(call.language))


@when_stopped(GOES_ON)
def regrade(
    call: Call,
    skill: Annotated[
        str,
        typer.Argument(
            help="The folder of the skill, with its evals/evals.json.", metavar="SKILL_DIR"
        ),
    ],
    judge: Annotated[
        list[str] | None,
        typer.Option(help="simulated, a model, or engine:model; repeat for a panel."),
    ] = None,
    readings: Annotated[
        int | None, typer.Option(help="How often each judge reads a run.", min=1, max=20)
    ] = None,
    trust_scripts: Annotated[
        bool, typer.Option("--trust-scripts", help="Let scripts of the suite run, in the sandbox.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Grade what is on record once more, and report it like a run."""
    with opened(call.settings) as app:
        with _every_mistake():
            made = regrading(app, skill, judge or (), readings, trust_scripts=trust_scripts)
        outcome = _carry_out(app, made, yes=yes)
        report = report_of(outcome)
        _write_beside(app, report, call.language)
    _show(call, outcome, report)


def _carry_out(app: App, made: EvalPlan, *, yes: bool) -> EvalOutcome:
    _warn(made)
    confirm_cost(estimate(app, made), yes=yes, first=FIRST_TRIALS, hint=LIMITS)

    async def work() -> EvalOutcome:
        async with shown(app.store.events, made.id, made.suite.document.skill_name):
            return await Evals(app).run(made)

    return run_to_end(app, work())


def _warn(made: EvalPlan) -> None:
    for warning in made.warnings:
        say(warning)


def _check_gate(outcome: EvalOutcome, results: Results, words: EvalWords) -> None:
    """Exit 1 where the gate is closed, or where runs have no answer."""
    benchmarks = [leg.benchmark for leg in outcome.legs]
    failures = gate_failures(
        benchmarks,
        fail_under=results.fail_under,
        fail_on_regression=results.fail_on_regression,
        scope=results.gate_scope,
    )
    for failure in failures:
        say(failure)
    if failures:
        fail("the gate is closed", 1)
    if nothing := unmeasured(benchmarks):
        fail("; ".join(nothing), 1)
    if outcome.unanswered:
        fail(words.unanswered.format(count=outcome.unanswered), 1)


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
        mistakes = counted(len(error.problems), "mistake", "mistakes")
        fail(f"{error.source} has {mistakes}; nothing was run", 2)


def _show_plan(call: Call, app: App, made: EvalPlan) -> None:
    expected = estimate(app, made)
    if call.json:
        print_json(plan_told(made, expected))
    else:
        print_plan(Console(), made, expected, call.language)


def _show(call: Call, outcome: EvalOutcome, report: EvalReport) -> None:
    if call.json:
        print_json(_outcome_json(outcome))
        return
    words, console = EvalWords(call.language), Console()
    print_report(console, report, call.language)
    extents = [leg.extent for leg in outcome.legs]
    told = words.extent.format(
        total=sum(each.total for each in extents),
        now=sum(leg.executed for leg in outcome.legs),
        graded=sum(each.ungraded for each in extents),
        reused=sum(each.reused for each in extents),
    )
    lines = [told, *(f"{words.files}  {leg.iteration.folder}" for leg in outcome.legs)]
    console.print("\n" + "\n".join(lines), highlight=False, markup=False, soft_wrap=True)


def _outcome_json(outcome: EvalOutcome) -> dict[str, JsonValue]:
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


def _write_files(app: App, report: EvalReport, results: Results, language: str) -> None:
    """The reports that were asked for."""
    for name, path in (
        ("markdown", results.markdown),
        ("junit", results.junit),
        ("html", results.html),
    ):
        if path is not None:
            _write(path, app.parts.exporter(name).export(report, language))
    if results.summary is not None:
        _append(results.summary, app.parts.exporter("markdown").export(report, language))


def _check_place(path: Path | None) -> None:
    """Before anybody is charged: a report needs a folder to lie in."""
    if path is None:
        return
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
