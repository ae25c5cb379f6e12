"""The exporter port."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from whet.documents.benchmark import Benchmark
from whet.documents.evals import Eval
from whet.documents.trial_view import ReportView
from whet.documents.verdict import Label, Verdict


@dataclass(frozen=True, slots=True)
class Leg:
    """A suite as one engine and model did it."""

    benchmark: Benchmark
    folder: str = ""
    """Of the iteration."""

    label: Label | None = None
    """The verdict that still stands when all legs are one family; None: as the benchmark has it."""

    verdict: Verdict | None = None
    """The same with its numbers."""

    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """The verdict for people, by language; without one the exporter has its own."""


@dataclass(frozen=True, slots=True)
class EvalReport:
    """What is reported of a skill: everything in it may come from suites, models or logs."""

    skill_name: str
    legs: tuple[Leg, ...]
    evals: Mapping[str, Eval] = field(default_factory=dict[str, Eval])
    """The evals by their id as a string, for reports that show the task."""

    warnings: tuple[str, ...] = ()
    page: "ReportPage | None" = None
    """For reports that show every run; None where nobody asked for one."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page that shows reports, and what it is to show."""

    template: str
    view: ReportView


class Exporter(Protocol):
    """Writes a report in a format of its own. Made without arguments."""

    name: str
    suffix: str
    """Of its files, with the dot."""

    def export(self, report: EvalReport, language: str) -> str:
        """The report as the text of a file; *language* is ``en`` or ``zh``."""
        ...
