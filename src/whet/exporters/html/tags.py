"""HTML from values: every text and every attribute is escaped, unless it is HTML already."""

from collections.abc import Iterable
from html import escape


class Html(str):
    """Text that is HTML; made by ``tag`` and ``joined`` only."""

    __slots__ = ()


Node = Html | str | None

_VOID = {"meta", "input", "circle", "line", "rect"}
_PLAIN_VOID = {"meta", "input"}
"""Those of HTML; pictures end theirs with a slash."""


def tag(name: str, /, *content: Node, **attributes: str | bool | None) -> Html:
    """An element. ``cls`` is class; other names have a dash for each underline."""
    given = "".join(
        f" {_attribute(key)}" if value is True else f' {_attribute(key)}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{given}>" if name in _PLAIN_VOID else f"<{name}{given}/>")
    return Html(f"<{name}{given}>{joined(content)}</{name}>")


def joined(nodes: Iterable[Node]) -> Html:
    """Nodes one after the other."""
    return Html(
        "".join(
            node if isinstance(node, Html) else escape(node) for node in nodes if node is not None
        )
    )


def _attribute(key: str) -> str:
    return {"cls": "class", "view_box": "viewBox"}.get(key) or key.rstrip("_").replace("_", "-")
