"""A capability run with everything that is known of it, in one file."""

from whet.documents.base import Document, Items
from whet.documents.capability import CapabilityCaseSet, EvaluationItem, EvaluationRun


class CoveredPart(Document):
    """Something that cases of a set touch, and how many do."""

    kind: str
    name: str
    cases: int


class CapabilityExport(Document):
    """A report of a capability run in JSON: what the API tells of it, and the set that it used."""

    run: EvaluationRun
    items: Items[EvaluationItem]
    coverage: Items[CoveredPart]
    case_set: CapabilityCaseSet | None
