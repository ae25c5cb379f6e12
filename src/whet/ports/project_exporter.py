"""The exporter port for projects."""

from dataclasses import dataclass
from typing import Protocol

from whet.core.case import Case
from whet.documents.comparison import CaseStanding
from whet.documents.environment import ProjectEnvironment
from whet.documents.project import BaselineRef, ProjectConfig
from whet.documents.result import CaseResult, Summary


@dataclass(frozen=True, slots=True)
class ReportedCase:
    """One case and what every skill made of it, skills in the order of the configuration."""

    baseline: BaselineRef
    case: Case
    standings: tuple[CaseStanding, ...]
    results: tuple[tuple[CaseResult, ...], ...]
    """The attempts of each skill."""


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """What is reported of a project: everything in it may come from skills, cases or models.

    Scores are points of 100. Results have been looked at: what they say fits the cases.
    """

    config: ProjectConfig
    environment: ProjectEnvironment
    summary: Summary | None
    """None where there is none that follows from the results."""

    cases: tuple[ReportedCase, ...]
    warnings: tuple[str, ...] = ()


class ProjectExporter(Protocol):
    """Writes the report of a project in a format of its own. Made without arguments."""

    name: str
    suffix: str
    """Of its files, with the dot."""

    def export(self, report: ProjectReport, language: str) -> str:
        """The report as the text of a file in UTF-8, line ends as they are; *language* is ``en``
        or ``zh``, for whoever reads it. What is for machines does not depend on it."""
        ...
