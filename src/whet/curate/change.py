"""What an edit is to change; what it does not name stays as it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from whet.documents.cases import BaselineCase
from whet.documents.rubrics import QualityRubric


class Keep(Enum):
    """Stands where None is a value of its own."""

    KEEP = "keep"


KEEP = Keep.KEEP


@dataclass(frozen=True, kw_only=True)
class AboutChange:
    """Those fields of the metadata that a person may set; None leaves a field as it is."""

    name: str | None = None
    purpose: str | None = None
    provider: str | None = None
    description: str | None = None
    author: str | None = None
    source: str | None = None


@dataclass(frozen=True, kw_only=True)
class SkillChange(AboutChange):
    """Of a skill or an agent."""

    type: Literal["skill", "agent"] | None = None
    content: str | None = None
    """The text; of a package that of its SKILL.md, whose other files stay."""

    package: Mapping[str, bytes] | None = None
    """All files of the package, SKILL.md among them; a text becomes a package by it."""

    executables: frozenset[str] | None = None
    """Files of the package that may be executed; None leaves it to each file that stays."""

    package_id: str | None = None
    package_version: str | None = None
    """What an installed job package says of itself."""


@dataclass(frozen=True, kw_only=True)
class BaselineChange(AboutChange):
    """Of a set of cases."""

    cases: tuple[BaselineCase, ...] | None = None
    """All of them, in their order. An empty id asks for a new one."""

    rubric: str | QualityRubric | Keep | None = KEEP
