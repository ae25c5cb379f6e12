"""The report of a capability run, as exporters want it.

For doors: ``export_run`` is the text of a file, ``forms`` are the formats there are.
"""

from collections import Counter
from collections.abc import Sequence

from whet.app.app import App
from whet.app.capability.runs import Evaluations
from whet.core.tools import canonical
from whet.documents.capability import CapabilityCase, CapabilityCaseSet, EvaluationDetail
from whet.evaluate.capability.cases import rules, tools_of
from whet.evaluate.capability.select import pick
from whet.ports.capability_exporter import CapabilityReport, Covered


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
    cases = _chosen(detail, case_set) if case_set else []
    return CapabilityReport(detail, _coverage(cases), case_set)


def _chosen(detail: EvaluationDetail, case_set: CapabilityCaseSet) -> list[CapabilityCase]:
    """The cases of a set that a run has, in its language."""
    ids = {item.case_id for item in detail.items}
    return [case for case, _ in pick((case_set,), detail.run.language) if case.id in ids]


def _coverage(cases: Sequence[CapabilityCase]) -> tuple[Covered, ...]:
    found: Counter[tuple[str, str]] = Counter()
    for case in cases:
        found["dimension", case.dimension] += 1
        found["language", case.language or "-"] += 1
        found.update(("tag", tag) for tag in case.tags)
        found.update({("checker", str(rule["type"])) for rule in rules(case)})
        found.update({("tool", canonical(tool)) for tool in tools_of(case)})
    return tuple(Covered(kind, name, count) for (kind, name), count in found.items())
