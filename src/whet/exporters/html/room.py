"""Room on a page for long texts, shared fairly: short ones are whole, long ones are cut."""

from collections.abc import Iterable, Sequence
from html import escape

from whet.exporters.html.tags import Html, tag
from whet.exporters.plain import PAGE, page


class SharedRoom:
    """Shows texts so that all of *texts* together take *most* bytes of a page at most."""

    def __init__(self, texts: Iterable[str], most: int) -> None:
        self.limit = fair_share([_size(page(text, PAGE)) for text in texts], most)
        """Bytes of one text."""

    def text(self, text: str) -> Html:
        """As much of a text as there is room for; what is cut says so."""
        return tag("pre", _cut(text, self.limit), tabindex="0")


def fair_share(sizes: Sequence[int], room: int) -> int:
    """The most that each may take so that all fit; as much as the largest where there is room."""
    left = room
    ordered = sorted(sizes)
    for place, size in enumerate(ordered):
        share = left // (len(ordered) - place)
        if size > share:
            return share
        left -= size
    return ordered[-1] if ordered else room


def fitting(nodes: Iterable[Html], most: int) -> list[Html]:
    """The first of *nodes* that take *most* bytes together, at least one of them."""
    found: list[Html] = []
    left = most
    for node in nodes:
        left -= len(node.encode())
        if left < 0 and found:
            break
        found.append(node)
    return found


def _cut(text: str, limit: int) -> str:
    keep = min(PAGE, limit)  # no character takes less than a byte
    while (size := _size(shown := page(text, keep))) > limit and keep:
        # Signs that are escaped are larger than others, so one step may not be enough.
        keep = min(keep - 1, keep * limit // size)
    return shown


def _size(shown: str) -> int:
    return len(escape(shown).encode())
