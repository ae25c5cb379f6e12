"""What the assets of the library can be chosen by."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facet:
    """A value that assets are chosen by, and how many of them have it."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """What can be chosen by, the most frequent first, then by name; at most 500 of each."""

    purposes: tuple[Facet, ...]
    providers: tuple[Facet, ...]
    tags: tuple[Facet, ...]
    """Those in force; of several ways to write one, the most frequent."""
