"""Questions to the index of the library, and the pages of its answers."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Item = TypeVar("Item")
Kind = Literal["skill", "baseline"]
Status = Literal["active", "archived"]


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
