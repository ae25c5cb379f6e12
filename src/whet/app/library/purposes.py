"""The purposes that the library has, of skills and baselines alike: one thing, one name."""

from whet.app.library.library import Library
from whet.ports.listing import Kind
from whet.run.assist.suggest import by_rule

KINDS: tuple[Kind, ...] = ("skill", "baseline")


def purposes(library: Library) -> tuple[str, ...]:
    """Every purpose of active assets, each once."""
    found = (one.value for kind in KINDS for one in library.index.facets(kind).purposes)
    return tuple(dict.fromkeys(found))


def similar(library: Library, purpose: str) -> str | None:
    """A purpose that is there and that a new one probably means; no model is asked."""
    suggestion = by_rule(purpose, purposes(library))
    return suggestion.purpose if suggestion else None
