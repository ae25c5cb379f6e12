"""A run of a suite in one file: all of its evals, and every run."""

from dataclasses import replace
from pathlib import Path

from whet import __version__
from whet.app.app import App
from whet.app.evals import EvalState
from whet.app.ui import report_template
from whet.app.views.eval_trial import RunPlaces
from whet.app.views.evals import EvalViews
from whet.app.views.page import Cases
from whet.app.views.texts import Room
from whet.core.instant import iso_seconds
from whet.documents.trial_view import ReportView, TrialView
from whet.ports.exporter import EvalReport, ReportPage

MOST_CHARACTERS = 6_000_000
"""Of tasks, answers, files and outputs in one file."""

MOST_RUNS = 2_000


def with_page(app: App, state: EvalState, report: EvalReport) -> EvalReport:
    """The report with every run to look into; raises ``EnvironmentProblem`` where the page that
    shows it is not built."""
    template = report_template()
    view = EvalViews(app).view(state, Cases(size=None), report)
    room = Room(MOST_CHARACTERS)
    trials: list[TrialView] = []
    runs = 0
    for number, leg in enumerate(report.legs):
        places = RunPlaces(number, Path(leg.folder), leg.benchmark, report.evals)
        runs += len(leg.benchmark.runs)
        left = leg.benchmark.runs[: max(0, MOST_RUNS - len(trials))]
        trials += [places.trial(run, room) for run in left]
    shown = ReportView(
        language="en",
        version=__version__,
        generated_at=iso_seconds(app.clock.now()),
        view=view,
        trials=tuple(trials),
        left_out=runs - len(trials),
    )
    return replace(report, page=ReportPage(template, shown))
