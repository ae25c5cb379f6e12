"""What is said about sets of capability cases: findings of lint, and coverage."""

from typing import Literal

from whet.documents.base import Document, Items, Number
from whet.documents.capability import Dimension


class CaseFinding(Document):
    """One thing that is wrong with a set."""

    rule: str
    name: str
    level: Literal["error", "warning"]
    source: str
    """The file."""

    case_id: str | None
    place: str
    """Where in the file, as in ``cases[3].expected``."""

    message: str
    fix: str


class CaseLint(Document):
    """All that is wrong with some sets."""

    cases: int
    errors: int
    warnings: int
    findings: Items[CaseFinding]


class Share(Document):
    """How much of a set something has to do with."""

    cases: int
    weight: Number
    skippable: int | None = None
    """Cases among them that need more than every agent has, where that is not 0."""


class ToolCoverage(Document):
    """A tool, and the cases that look for it or need it."""

    tool: str
    """The name that all engines share."""

    cases: int
    weight: Number
    checked: int
    """Cases that check its use; the others only need it."""

    case_ids: Items[str]


class CaseCoverage(Document):
    """What a set touches."""

    case_set: str
    cases: int
    weight: Number
    languages: dict[str, Share]
    dimensions: dict[Dimension, Share]
    tags: dict[str, Share]
    checkers: dict[str, Share]
    tools: Items[ToolCoverage]
    planned: dict[str, int]
    """Cases for each tool that a set should touch, by the name it has there."""

    uncovered_tools: Items[str]
    uncovered_tags: Items[str]
    uncovered_checkers: Items[str]
    matrix: dict[str, dict[Dimension, int]]
    """Cases by language and dimension."""
