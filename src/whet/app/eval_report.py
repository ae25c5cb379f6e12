"""What exporters need of a run of a suite."""

from pathlib import Path

from whet.app.evals import EvalOutcome, LegOutcome
from whet.core.errors import WhetError
from whet.documents.benchmark import BenchmarkRun
from whet.documents.grading import Grading
from whet.documents.session import Session
from whet.evaluate.suite import Suite
from whet.evaluate.suite_runs import eval_folder
from whet.evaluate.verdict_words import in_words
from whet.ports.exporter import EvalReport, Leg, RunDetail

MOST_FILES = 20
MOST_BYTES = 20_000
"""Of a file that is shown."""


def report_of(outcome: EvalOutcome, *, detailed: bool = False) -> EvalReport:
    """The report; with details it holds what every run produced."""
    plan = outcome.plan
    return EvalReport(
        skill_name=plan.suite.document.skill_name,
        legs=tuple(_leg(outcome, leg, detailed=detailed) for leg in outcome.legs),
        evals=plan.suite.evals,
        warnings=plan.warnings,
    )


def _leg(outcome: EvalOutcome, leg: LegOutcome, *, detailed: bool) -> Leg:
    plan, found, verdict = outcome.plan, leg.benchmark, leg.verdict
    words = {code: in_words(verdict, code, plan.other) for code in ("en", "zh")} if verdict else {}
    details = {
        (str(run.eval_id), run.configuration, run.run_number): _detail(leg, plan.suite, run)
        for run in (found.runs if detailed else ())
    }
    return Leg(
        benchmark=found,
        folder=str(leg.iteration.folder),
        label=verdict.label if verdict else None,
        words=words,
        runs=details,
    )


def _detail(leg: LegOutcome, suite: Suite, run: BenchmarkRun) -> RunDetail:
    eval_ = suite.evals[str(run.eval_id)]
    parts = eval_folder(eval_), run.configuration, f"run-{run.run_number}"
    folder = leg.iteration.folder.joinpath(*parts)
    try:
        answer = Session.load(folder / "session.json").final_answer or ""
        grading = Grading.load(folder / "grading.json")
    except WhetError:
        return RunDetail()
    return RunDetail(grading=grading, answer=answer[:MOST_BYTES], files=_files(folder / "outputs"))


def _files(folder: Path) -> dict[str, str]:
    """The first of the produced files as text; what is no text is only named."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): _text(path) for path in found[:MOST_FILES]}


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if b"\0" in data:
        return f"({path.stat().st_size} bytes that are no text)"
    text = data[:MOST_BYTES].decode(errors="replace")
    return text if len(data) <= MOST_BYTES else f"{text}\n[…]"
