"""The exporter port."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from whet.documents.benchmark import Benchmark
from whet.documents.evals import Eval
from whet.documents.grading import Grading
from whet.documents.verdict import Label, Verdict


@dataclass(frozen=True, slots=True)
class RunDetail:
    """What is kept of one run beside its numbers."""

    grading: Grading | None = None
    answer: str = ""
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """Produced files as text by path; what is too long or no text is the caller's to shorten."""


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

    runs: Mapping[tuple[str, str, int], RunDetail] = field(
        default_factory=dict[tuple[str, str, int], RunDetail]
    )
    """Details by eval, configuration and number of the run, for reports that show them."""


@dataclass(frozen=True, slots=True)
class EvalReport:
    """What is reported of a skill: everything in it may come from suites, models or logs."""

    skill_name: str
    legs: tuple[Leg, ...]
    evals: Mapping[str, Eval] = field(default_factory=dict[str, Eval])
    """The evals by their id as a string, for reports that show the task."""

    warnings: tuple[str, ...] = ()


class Exporter(Protocol):
    """Writes a report in a format of its own. Made without arguments."""

    name: str
    suffix: str
    """Of its files, with the dot."""

    def export(self, report: EvalReport, language: str) -> str:
        """The report as the text of a file; *language* is ``en`` or ``zh``."""
        ...
