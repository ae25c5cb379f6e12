"""The report of a project, as exporters want it.

For doors: ``export_project`` is the text of a file, ``forms`` are the formats there are.
"""

from collections import defaultdict
from collections.abc import Sequence

from whet.app.app import App
from whet.app.projects.outcome import Outcome, outcome
from whet.documents.result import CaseResult, Summary
from whet.evaluate.project_places import arm_id
from whet.evaluate.project_results import ProjectResults
from whet.ports.project_exporter import ProjectReport, ReportedCase
from whet.rank.attempts import attempts


def forms(app: App) -> Sequence[str]:
    """The formats of reports: ``csv``, ``html``, ``json``, ``markdown``, and whatever is added."""
    return app.parts.project_exporters()


def export_project(app: App, reference: str, form: str, language: str = "en") -> str:
    """The report of a project as the text of a file, to be written in UTF-8 with its line ends as
    they are. *language* is ``en`` or ``zh``. Raises ``UnknownPart`` for a format that there is
    not, and ``NotFound`` for such a project."""
    exporter = app.parts.project_exporter(form)
    return exporter.export(project_report(app, reference), language)


def project_report(app: App, reference: str) -> ProjectReport:
    """Everything about a project as it is now; one that is not complete is told as far as it is.

    The ranking is computed from the results that are reported, so that both say the same.
    """
    found = outcome(app, reference)
    return ProjectReport(
        config=found.project.config,
        environment=found.environment(),
        summary=_summary(app, found),
        cases=_cases(found),
        warnings=found.problems,
    )


def _summary(app: App, found: Outcome) -> Summary | None:
    """None before there is any result."""
    results = ProjectResults(found.project)
    rows = [one.row for settled in found.settled.values() for one in settled]
    for row in rows:
        results.count(row)
    return results.summary(app.clock.now()) if rows else None


def _cases(found: Outcome) -> tuple[ReportedCase, ...]:
    config = found.project.config
    arms = [arm_id(skill.ref_id, skill.version) for skill in config.skills]
    baselines = {arm_id(one.ref_id, one.version): one for one in config.baselines}
    by_place: defaultdict[tuple[str, str, str], list[CaseResult]] = defaultdict(list)
    for arm, settled in found.settled.items():
        for one in settled:
            case = one.row.cell.case
            by_place[arm, case.set, case.id].append(one.result)
    reported: list[ReportedCase] = []
    for case in found.plan.cases:
        results = tuple(tuple(by_place[arm, case.set, case.id]) for arm in arms)
        standings = tuple(attempts(one, found.plan.repeats).standing() for one in results)
        reported.append(ReportedCase(baselines[case.set], case, standings, results))
    return tuple(reported)
