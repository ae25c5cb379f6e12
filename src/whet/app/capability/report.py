"""The report of a capability run, as exporters want it.

For doors: ``export_run`` is the text of a file, ``forms`` are the formats there are.
"""

from collections.abc import Sequence

from whet.app.app import App
from whet.app.capability.coverage import run_coverage
from whet.app.capability.runs import Evaluations
from whet.ports.capability_exporter import CapabilityReport


def forms(app: App) -> Sequence[str]:
    """The formats of reports: ``csv``, ``html``, ``json``, ``markdown``, and whatever is added."""
    return app.parts.capability_exporters()


def export_run(app: App, run_id: str, form: str, language: str = "en") -> str:
    """The report of a run as the text of a file, to be written in UTF-8 with its line ends as
    they are. *language* is ``en`` or ``zh``. Raises ``UnknownPart`` for a format that there is
    not, and ``NotFound`` for such a run."""
    exporter = app.parts.capability_exporter(form)
    return exporter.export(run_report(app, run_id), language)


def run_report(app: App, run_id: str) -> CapabilityReport:
    """Everything about a run as it is now; one that is not over is told as far as it is."""
    detail = Evaluations(app).get(run_id)
    case_set = app.store.evaluations.get_case_set(detail.run.case_set_digest or "")
    return CapabilityReport(detail, run_coverage(app, detail), case_set)
