"""Questions to the index of the library, and the pages of its answers."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Item = TypeVar("Item")
Kind = Literal["skill", "baseline"]
Status = Literal["active", "archived"]

LARGEST_PAGE = 200
LAST_PAGE = 1_000_000


@dataclass(frozen=True, slots=True)
class AssetQuery:
    """Which assets, and which page of them; None does not narrow."""

    purpose: str | None = None
    provider: str | None = None
    type: Literal["skill", "agent"] | None = None
    """Of a skill; a baseline has none."""

    status: Status | None = "active"
    tags: tuple[str, ...] = ()
    """All of them, in whatever case."""

    package: str | None = None
    """What an installed job package calls itself."""

    packages_only: bool = False

    keyword: str = ""
    """A part of the name or of the description, in whatever case."""

    sort: Literal["created_at", "updated_at", "name"] = "updated_at"
    descending: bool = True
    page: int = 1
    page_size: int = 20


@dataclass(frozen=True, slots=True)
class TextQuery:
    """What to look for, where, and which page of it; None does not narrow."""

    text: str
    kinds: tuple[Kind, ...] = ("skill", "baseline")
    status: Status | None = "active"
    page: int = 1
    page_size: int = 20


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some of *total* items, in order; pages begin with 1."""

    items: tuple[Item, ...]
    total: int
    page: int
    page_size: int
