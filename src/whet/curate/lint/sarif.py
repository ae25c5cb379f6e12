"""Findings in SARIF 2.1.0, the format in which code hosts and editors take them."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from pydantic import JsonValue

from whet.core.address import digest
from whet.curate.lint.finding import Finding, Rule
from whet.curate.lint.registry import RULES
from whet.curate.lint.report import Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_INDEX = {rule.id: index for index, rule in enumerate(RULES)}


def as_sarif(reports: Sequence[Report], root: Path, version: str) -> dict[str, JsonValue]:
    """The reports as one run. Addresses of files are relative to *root*, which is not named; those
    of a skill outside of it begin with the name of its folder."""
    results: list[JsonValue] = []
    seen: Counter[str] = Counter()
    for report in reports:
        base = _base(report, root)
        for finding in report.findings:
            address = quote(f"{base}{finding.path}", errors="surrogateescape")
            mark = digest([finding.rule.id, address, finding.message])
            seen[mark] += 1
            results.append(_result(finding, address, f"{mark[:32]}:{seen[mark]}"))
    rules: list[JsonValue] = [_rule(rule) for rule in RULES]
    driver: JsonValue = {"name": "whet", "semanticVersion": version, "rules": rules}
    run: JsonValue = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _base(report: Report, root: Path) -> str:
    folder = report.folder.resolve()
    inside = folder.is_relative_to(root.resolve())
    path = folder.relative_to(root.resolve()).as_posix() if inside else report.name
    return "" if path == "." else f"{path}/"


def _result(finding: Finding, address: str, mark: str) -> JsonValue:
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": _INDEX[finding.rule.id],
        "level": _LEVELS[finding.rule.level],
        "message": {"text": f"{finding.message}. {finding.rule.fix}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": address, "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": finding.line, "startColumn": finding.column},
                }
            }
        ],
        "partialFingerprints": {"whet/v1": mark},
    }


def _rule(rule: Rule) -> JsonValue:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.what} {rule.why}"},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
    }
