"""What exporters need of a run of a suite, from its folders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whet.app.app import App
from whet.app.evals import EvalOutcome, Evals, EvalState, family_of
from whet.core.errors import NotFound, WhetError
from whet.documents.benchmark import Benchmark, BenchmarkRun
from whet.documents.evals import Eval, EvalSuite
from whet.documents.grading import Grading
from whet.documents.session import Session
from whet.documents.verdict import Verdict
from whet.evaluate.suite_runs import SNAPSHOT, eval_folder
from whet.evaluate.verdict_words import in_words
from whet.ports.exporter import EvalReport, Leg, RunDetail

MOST_FILES = 20
MOST_BYTES = 20_000
"""Of a file that is shown."""


def report_of(outcome: EvalOutcome, *, detailed: bool = False) -> EvalReport:
    """The report of a run that has just ended; with details it holds what every run produced."""
    plan = outcome.plan
    legs = _Legs(plan.suite.evals, plan.request.other, detailed=detailed)
    return EvalReport(
        skill_name=plan.suite.document.skill_name,
        legs=tuple(
            legs.made(each.iteration.folder, each.benchmark, each.verdict, each.words)
            for each in outcome.legs
        ),
        evals=plan.suite.evals,
        warnings=plan.warnings,
    )


def stored_report(app: App, state: EvalState, *, detailed: bool = False) -> EvalReport:
    """The report of a run as it stands; raises ``NotFound`` before there is anything."""
    legs, evals = report_legs(app, state, detailed=detailed)
    found = tuple(each for each in legs if each is not None)
    if len(found) < len(state.legs):
        raise NotFound(f"eval run {state.id!r} has no results yet")
    return EvalReport(state.skill, found, evals, state.warnings)


def report_legs(
    app: App, state: EvalState, *, detailed: bool = False
) -> tuple[tuple[Leg | None, ...], Mapping[str, Eval]]:
    """What each leg has come to so far, None before there is anything; and the suite."""
    benchmarks = [*Evals(app).benchmarks(state)]
    folders = [app.settings.workspace / leg.folder for leg in state.legs]
    suite = EvalSuite.load(folders[0] / SNAPSHOT)
    evals = {str(each.id): each for each in suite.evals}
    legs = _Legs(evals, state.request.other, detailed=detailed)
    verdicts = iter(family_of([each for each in benchmarks if each], state.request))
    found = [
        each and legs.made(folder, each, next(verdicts))
        for folder, each in zip(folders, benchmarks, strict=True)
    ]
    return tuple(found), evals


@dataclass(frozen=True)
class _Legs:
    """Makes the legs of one report."""

    evals: Mapping[str, Eval]
    other: str
    detailed: bool

    def made(
        self,
        folder: Path,
        found: Benchmark,
        verdict: Verdict | None,
        told: Mapping[str, str] | None = None,
    ) -> Leg:
        """One leg, from the folder of its iteration; *told* is what is known better than here."""
        runs: Sequence[BenchmarkRun] = found.runs if self.detailed else ()
        words = {code: in_words(verdict, code, self.other) for code in ("en", "zh") if verdict}
        if verdict and verdict.words:
            words["en"] = verdict.words
        words |= told or {}
        return Leg(
            benchmark=found,
            folder=str(folder),
            label=verdict.label if verdict else None,
            verdict=verdict,
            words=words,
            runs={
                (str(run.eval_id), run.configuration, run.run_number): self._detail(folder, run)
                for run in runs
            },
        )

    def _detail(self, folder: Path, run: BenchmarkRun) -> RunDetail:
        parts = eval_folder(self.evals[str(run.eval_id)]), run.configuration
        place = folder.joinpath(*parts, f"run-{run.run_number}")
        try:
            answer = Session.load(place / "session.json").final_answer or ""
            grading = Grading.load(place / "grading.json")
        except WhetError:
            return RunDetail()
        return RunDetail(grading=grading, answer=answer[:MOST_BYTES], files=_files(place))


def _files(run: Path) -> dict[str, str]:
    """The first of the produced files as text; what is no text is only named."""
    folder = run / "outputs"
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    named = {str(path.relative_to(folder)): path for path in found}
    named.pop("metrics.json", None)
    return {name: _text(path) for name, path in list(named.items())[:MOST_FILES]}


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if b"\0" in data:
        return f"({path.stat().st_size} bytes that are no text)"
    text = data[:MOST_BYTES].decode(errors="replace")
    return text if len(data) <= MOST_BYTES else f"{text}\n[…]"
