"""Assets before they are in the library: what an import read, or a person wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from whet.documents.cases import BaselineCase
from whet.documents.rubrics import QualityRubric


@dataclass(frozen=True)
class About:
    """What the metadata of an asset says that a person may set; the rest is the library's."""

    name: str
    purpose: str
    provider: str
    description: str = ""
    author: str = ""
    source: str = ""


@dataclass(frozen=True)
class SkillDraft:
    """A skill or an agent: one text, or a whole folder with a SKILL.md."""

    about: About
    type: Literal["skill", "agent"] = "skill"
    content: str = ""
    """The text; of a package the text of its SKILL.md."""

    package: Mapping[str, bytes] | None = None
    """The files of a package by path, SKILL.md among them; None for a text."""

    executables: frozenset[str] = field(default_factory=frozenset[str])
    """Files of the package that may be executed."""

    package_id: str | None = None
    package_version: str | None = None
    """What an installed job package says of itself; None for any other skill."""


@dataclass(frozen=True)
class BaselineDraft:
    """A set of cases."""

    about: About
    cases: tuple[BaselineCase, ...] = ()
    rubric: str | QualityRubric | None = None
