"""A session as it is, in the session log format."""

from whet.documents.session_report import SessionReport
from whet.ports.session_exporter import ExportWish


class JsonExporter:
    """``ports.session_exporter.SessionExporter``. Nothing is cut, and nothing is added."""

    name = "json"
    suffix = ".json"
    media_type = "application/json"

    def export(self, report: SessionReport, wish: ExportWish) -> str:  # noqa: ARG002 - for machines
        """See the port."""
        return report.session.to_json()
