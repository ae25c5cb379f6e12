"""The exporter port for capability runs."""

from dataclasses import dataclass
from typing import Protocol

from whet.documents.capability import CapabilityCaseSet, EvaluationDetail
from whet.documents.capability_report import CaseCoverage


@dataclass(frozen=True, slots=True)
class CapabilityReport:
    """What is reported of a capability run: everything in it may come from cases or models."""

    detail: EvaluationDetail
    coverage: CaseCoverage | None = None
    """Of the cases that the run chose; None where they are not known any more."""

    case_set: CapabilityCaseSet | None = None
    """The set as it was when the run was started."""


class CapabilityExporter(Protocol):
    """Writes the report of a capability run in a format of its own. Made without arguments."""

    name: str
    suffix: str
    """Of its files, with the dot."""

    def export(self, report: CapabilityReport, language: str) -> str:
        """The report as the text of a file in UTF-8, line ends as they are; *language* is ``en``
        or ``zh``, for whoever reads it. What is for machines does not depend on it."""
        ...
