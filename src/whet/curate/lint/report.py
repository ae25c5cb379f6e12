"""What was found, for machines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from whet.curate.lint.finding import Finding, Level


class Repair(NamedTuple):
    """Something that was put right."""

    path: str
    rule: str
    message: str


@dataclass(frozen=True)
class Report:
    """The findings about one skill, and what was put right before."""

    folder: Path
    name: str
    findings: tuple[Finding, ...]
    repairs: tuple[Repair, ...] = ()

    def count(self, level: Level) -> int:
        """How many findings there are of a level."""
        return sum(finding.rule.level == level for finding in self.findings)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make it no valid skill."""
        return tuple(finding for finding in self.findings if finding.rule.level == "error")


def total(reports: Iterable[Report], level: Level) -> int:
    """How many findings of a level there are in all."""
    return sum(report.count(level) for report in reports)


def as_json(reports: Sequence[Report]) -> dict[str, JsonValue]:
    """The reports as one JSON object; paths of findings are relative to their skill."""
    return {
        "skills": [_skill(report) for report in reports],
        "errors": total(reports, "error"),
        "warnings": total(reports, "warning"),
        "infos": total(reports, "info"),
    }


def _skill(report: Report) -> JsonValue:
    findings: list[JsonValue] = [_finding(finding) for finding in report.findings]
    fixed: list[JsonValue] = [repair._asdict() for repair in report.repairs]
    return {
        "name": report.name,
        "path": str(report.folder),
        "findings": findings,
        "fixed": fixed,
    }


def _finding(finding: Finding) -> JsonValue:
    return {
        "rule": finding.rule.id,
        "name": finding.rule.name,
        "level": finding.rule.level,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "fix": finding.rule.fix,
        "fixable": finding.is_fixable,
    }
