"""What every page is made of: the frame around its content, cards, and lists with an end."""

from collections.abc import Sequence

from whet.exporters.html.style import STYLE
from whet.exporters.html.tags import Html, Node, joined, tag

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
LANGUAGES = {"en": "en", "zh": "zh-CN"}
MOST_ITEMS = 100


def document(
    title: str, language: str, content: Sequence[Node], style: str = STYLE, policy: str = POLICY
) -> str:
    """A whole document that needs nothing else: no network, and no script but one that *policy*
    allows."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Html(style)),
    )
    body = tag("body", tag("main", *content))
    return f"<!doctype html>\n{tag('html', head, body, lang=LANGUAGES[language])}\n"


def card(*content: Node) -> Html:
    """A part of the page that stands by itself."""
    return tag("div", joined(content), cls="card")


def items(nodes: Sequence[Html], more: str) -> Html:
    """A list; *more* says of the rest how many there are."""
    rest = len(nodes) - MOST_ITEMS
    end = tag("li", more.format(count=rest)) if rest > 0 else None
    return tag("ul", *nodes[:MOST_ITEMS], end, cls="bare")


def facts(entries: Sequence[tuple[str, str]]) -> Html:
    """Names and what they stand for."""
    nodes = [node for name, text in entries for node in (tag("dt", name), tag("dd", text))]
    return tag("dl", *nodes, cls="facts")
