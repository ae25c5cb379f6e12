"""All rules, and a skill held against them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from whet.curate.lint import (
    body,
    contents,
    front_matter,
    identity,
    links,
    scripts,
    secrets,
    texts,
)
from whet.curate.lint.finding import Finding
from whet.curate.lint.folder import ENTRY, Skill, skill_in
from whet.curate.lint.report import Report

FAMILIES = (front_matter, identity, body, links, scripts, contents, secrets, texts)
RULES = tuple(rule for family in FAMILIES for rule in family.RULES)

MOST = 20
"""Findings of one rule in one file that are listed; the last one says how many more there are."""


def lint(folder: Path) -> Report:
    """What is wrong with the skill in *folder*."""
    return looked_at(skill_in(folder))


def looked_at(skill: Skill) -> Report:
    """What is wrong with a skill that was read already."""
    found = [finding for family in FAMILIES for finding in family.check(skill)]
    return Report(skill.root, skill.name, tuple(_listed(sorted(found, key=_order))))


def _order(finding: Finding) -> tuple[bool, str, int, int, str]:
    # The file that everybody reads comes first.
    is_other = finding.path != ENTRY
    return is_other, finding.path, finding.line, finding.column, finding.rule.id


def _listed(findings: Iterable[Finding]) -> list[Finding]:
    kept: dict[tuple[str, str, int], Finding] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for one in findings:
        about = (one.path, one.rule.id)
        counts[about] += 1
        if counts[about] <= MOST:
            kept[*about, counts[about]] = one
    for about, count in counts.items():
        if count > MOST:
            last = kept[*about, MOST]
            more = f"{last.message} (and {count - MOST} more like it in this file)"
            kept[*about, MOST] = replace(last, message=more)
    return list(kept.values())
