"""What exporters need of a run of a suite, from its folders."""

from collections.abc import Mapping
from pathlib import Path

from whet.app.app import App
from whet.app.evals import EvalOutcome, Evals, EvalState, family_of
from whet.core.errors import NotFound
from whet.documents.benchmark import Benchmark
from whet.documents.evals import Eval, EvalSuite
from whet.documents.verdict import Verdict
from whet.evaluate.suite_runs import SNAPSHOT
from whet.evaluate.verdict_words import in_words
from whet.ports.exporter import EvalReport, Leg


def report_of(outcome: EvalOutcome) -> EvalReport:
    """The report of a run that has just ended."""
    plan = outcome.plan
    return EvalReport(
        skill_name=plan.suite.document.skill_name,
        legs=tuple(
            _leg(
                plan.request.other, each.iteration.folder, each.benchmark, each.verdict, each.words
            )
            for each in outcome.legs
        ),
        evals=plan.suite.evals,
        warnings=plan.warnings,
    )


def stored_report(app: App, state: EvalState) -> EvalReport:
    """The report of a run as it stands; raises ``NotFound`` before there is anything."""
    legs, evals = report_legs(app, state)
    found = tuple(each for each in legs if each is not None)
    if len(found) < len(state.legs):
        raise NotFound(f"eval run {state.id!r} has no results yet")
    return EvalReport(state.skill, found, evals, state.warnings)


def report_legs(app: App, state: EvalState) -> tuple[tuple[Leg | None, ...], Mapping[str, Eval]]:
    """What each leg has come to so far, None before there is anything; and the suite."""
    benchmarks = [*Evals(app).benchmarks(state)]
    folders = [app.settings.workspace / leg.folder for leg in state.legs]
    try:
        suite = EvalSuite.load(folders[0] / SNAPSHOT).evals
    except NotFound:  # it is just being begun
        suite = ()
    verdicts = iter(family_of([each for each in benchmarks if each], state.request))
    found = [
        each and _leg(state.request.other, folder, each, next(verdicts))
        for folder, each in zip(folders, benchmarks, strict=True)
    ]
    return tuple(found), {str(each.id): each for each in suite}


def _leg(
    other: str,
    folder: Path,
    found: Benchmark,
    verdict: Verdict | None,
    told: Mapping[str, str] | None = None,
) -> Leg:
    """One leg, from the folder of its iteration; *told* is what is known better than here."""
    words = {code: in_words(verdict, code, other) for code in ("en", "zh") if verdict}
    if verdict and verdict.words:
        words["en"] = verdict.words
    return Leg(
        benchmark=found,
        folder=str(folder),
        label=verdict.label if verdict else None,
        verdict=verdict,
        words={**words, **(told or {})},
    )
