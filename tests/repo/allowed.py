"""The one list of exceptions, and what it makes of findings."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, cast


class Finding(NamedTuple):
    """A rule broken in a file."""

    rule: str
    path: str
    detail: str


class Exemption(NamedTuple):
    """A rule that a file may break, and why."""

    rule: str
    path: str
    reason: str


def exemptions(source: Path) -> list[Exemption]:
    """Read the list; an entry without a reason is an error."""
    entries = cast("list[dict[str, str]]", tomllib.loads(source.read_text()).get("exception", []))
    found = [Exemption(entry["rule"], entry["path"], entry["reason"]) for entry in entries]
    if empty := [entry for entry in found if not entry.reason.strip()]:
        raise ValueError(f"no reason given: {empty[0]}")
    return found


def unexcused(findings: Iterable[Finding], allowed: Iterable[Exemption]) -> list[Finding]:
    """Findings that no exemption covers."""
    excused = {(entry.rule, entry.path) for entry in allowed}
    return [finding for finding in findings if (finding.rule, finding.path) not in excused]


def stale(findings: Iterable[Finding], allowed: Iterable[Exemption]) -> list[Exemption]:
    """Exemptions that cover nothing any more."""
    needed = {(finding.rule, finding.path) for finding in findings}
    return [entry for entry in allowed if (entry.rule, entry.path) not in needed]
