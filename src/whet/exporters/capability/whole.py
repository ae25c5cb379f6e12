"""All that is known of a capability run as JSON."""

from whet.documents.capability_export import CapabilityExport
from whet.ports.capability_exporter import CapabilityReport


class JsonExporter:
    """``ports.capability_exporter.CapabilityExporter``. Nothing is cut."""

    name = "json"
    suffix = ".json"

    def export(self, report: CapabilityReport, language: str) -> str:  # noqa: ARG002 - for machines
        """See the port."""
        return CapabilityExport(
            run=report.detail.run,
            items=report.detail.items,
            coverage=report.coverage,
            case_set=report.case_set,
        ).to_json()
