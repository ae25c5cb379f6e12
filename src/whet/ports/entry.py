"""What the index knows of an asset of the library."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from whet.documents.assets import BaselineMeta, SkillMeta

Meta = TypeVar("Meta", SkillMeta, BaselineMeta, covariant=True)
Place = Literal["name", "description", "tags", "content", "cases"]


@dataclass(frozen=True, slots=True)
class VersionEntry:
    """One version of an asset; *folder* is relative to the workspace."""

    version: str
    folder: str
    updated_at: str
    edited_outside: bool
    """Whether its content, which never changes, is not what it was."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[Meta]):
    """An asset as a list shows it: its newest version that can be read."""

    meta: Meta
    folder: str
    """Relative to the workspace."""

    tags: tuple[str, ...]
    """Those in force: given by a person, or proposed and approved."""

    pending_tag_count: int
    content_preview: str
    """The first 200 characters, of a baseline those of the names of its cases."""

    case_count: int | None
    """None for a skill."""

    is_package: bool
    edited_outside: bool
    versions: tuple[VersionEntry, ...]
    """The oldest first."""


SkillEntry = Entry[SkillMeta]
BaselineEntry = Entry[BaselineMeta]


@dataclass(frozen=True, slots=True)
class Hit:
    """An asset in which something was found."""

    entry: SkillEntry | BaselineEntry
    matched_in: tuple[Place, ...]
    snippet: str
    """Plain text around the first place, on one line."""
