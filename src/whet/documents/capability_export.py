"""A capability run with everything that is known of it, in one file."""

from whet.documents.base import Document, Items
from whet.documents.capability import CapabilityCaseSet, EvaluationItem, EvaluationRun
from whet.documents.capability_report import CaseCoverage


class CapabilityExport(Document):
    """A report of a capability run in JSON: what the API tells of it, and the set that it used."""

    run: EvaluationRun
    items: Items[EvaluationItem]
    coverage: CaseCoverage | None
    case_set: CapabilityCaseSet | None
