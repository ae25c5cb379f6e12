"""Tables of pages; a colour never says anything that no number says."""

from collections.abc import Sequence

from whet.exporters.html.tags import Html, Node, tag

STEPS = 5


def table(head: Sequence[Node], rows: Sequence[Html], cls: str | None = None) -> Html:
    """A table that scrolls by itself where it is too wide."""
    top = tag("thead", tag("tr", *(tag("th", cell, scope="col") for cell in head)))
    return tag("div", tag("table", top, tag("tbody", *rows), cls=cls), cls="wide")
