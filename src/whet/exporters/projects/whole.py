"""All that is known of a project as JSON."""

from whet.documents.project_export import ProjectExport
from whet.exporters.projects.figures import results
from whet.ports.project_exporter import ProjectReport


class JsonExporter:
    """``ports.project_exporter.ProjectExporter``. Nothing is cut."""

    name = "json"
    suffix = ".json"

    def export(self, report: ProjectReport, language: str) -> str:  # noqa: ARG002 - for machines
        """See the port."""
        return ProjectExport(
            project=report.config,
            environment=report.environment,
            summary=report.summary,
            results=tuple(results(report)),
            warnings=report.warnings,
        ).to_json()
