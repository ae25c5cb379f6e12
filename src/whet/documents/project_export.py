"""The JSON report of a project: all that is known of it in one file."""

from whet.documents.base import Document, Items
from whet.documents.environment import ProjectEnvironment
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult, Summary


class ProjectExport(Document):
    """A project with its summary and every result."""

    project: ProjectConfig
    environment: ProjectEnvironment
    summary: Summary | None
    """Null before a project has been carried out to its end."""

    results: Items[CaseResult]
    warnings: Items[str]
