"""A session as one page of HTML that needs nothing else, to look through and to play."""

from collections.abc import Iterator

from pydantic import JsonValue

from whet.documents.session_report import SessionReport
from whet.exporters.html.frame import document
from whet.exporters.html.room import fair_share
from whet.exporters.html.tags import Html, Node, tag
from whet.exporters.plain import line
from whet.exporters.sessions.conversation import said_in
from whet.exporters.sessions.html import parts
from whet.exporters.sessions.html.axis import Axis
from whet.exporters.sessions.html.bilingual import Bilingual
from whet.exporters.sessions.html.data import element, index, texts
from whet.exporters.sessions.html.script import SCRIPT, policy
from whet.exporters.sessions.html.style import STYLE
from whet.exporters.sessions.texts import shown
from whet.ports.session_exporter import ExportWish

LONGEST_SAID = 10_000
ROOM_SAID = 2_000_000
"""Characters of one thing that was said, and of all together."""

SPEEDS = ("0.5", "1", "2", "4", "8", "16", "32")


class HtmlExporter:
    """``ports.session_exporter.SessionExporter``."""

    name = "html"
    suffix = ".html"
    media_type = "text/html; charset=utf-8"

    def export(self, report: SessionReport, wish: ExportWish) -> str:
        """See the port."""
        words = Bilingual(wish.language)
        title = line(report.session.task_title, 120) or line(report.session.session_id, 120)
        content = [*_content(report, wish, words)]
        name = f"{title} – {words.words['title']}"
        return document(name, wish.language, content, STYLE, policy(STYLE))


def _content(report: SessionReport, wish: ExportWish, words: Bilingual) -> Iterator[Node]:
    axis = Axis(report.layout)
    told = texts(report, wish)
    yield from parts.head(report, words)
    yield from parts.time(report, axis, words)
    yield _explorer(words)
    yield from parts.phases(report, words)
    yield from parts.answer(report, words)
    said = _said(report, wish)
    if said:
        yield tag("section", words.text("messages", "h2"), tag("div", id="said-list"), cls="card")
    yield parts.end(report, words)
    yield _player(words)
    yield element("index", index(report, axis, wish, packed=told.packed))
    yield element("said", said)
    yield from told.blocks
    yield tag("script", Html(SCRIPT))


def _explorer(words: Bilingual) -> Html:
    """The list of calls and what one of them is, both of which the script fills."""
    search = words.both("search")
    return tag(
        "section",
        tag(
            "div",
            words.text("all_calls", "h2"),
            tag(
                "input",
                type="search",
                id="search",
                placeholder=search[words.language],
                **words.label("search"),
            ),
            tag("label", tag("input", type="checkbox", id="deep"), words.text("in_outputs")),
            tag("select", _option("", words, "all_tools"), id="tool", **words.label("tool")),
            tag(
                "select",
                _option("", words, "all_statuses"),
                _option("1", words, "only_failed"),
                _option("0", words, "only_success"),
                id="status",
                **words.label("status"),
            ),
            tag("span", id="count", role="status"),
            cls="filters",
        ),
        tag(
            "div",
            tag(
                "div",
                tag("p", id="empty"),
                tag("div", id="rows", role="presentation"),
                id="list",
                role="listbox",
                tabindex="0",
                **words.label("list"),
            ),
            tag("div", id="detail", role="region", tabindex="-1", **words.label("details")),
            cls="panes",
        ),
        tag("noscript", words.text("no_script", "p", "note")),
        cls="card explorer",
    )


def _option(value: str, words: Bilingual, key: str) -> Html:
    both = words.both(key)
    shown_now = both[words.language]
    return tag("option", shown_now, value=value, data_en=both["en"], data_zh=both["zh"])


def _player(words: Bilingual) -> Html:
    speeds = (tag("option", f"{one}×", value=one, selected=one == "1") for one in SPEEDS)
    return tag(
        "div",
        tag("button", "◀", type="button", id="back", **words.label("previous")),
        tag("button", "▶", type="button", id="play", aria_label=words.words["play"]),
        tag("button", "▶▎", type="button", id="next", **words.label("next")),
        tag(
            "input",
            type="range",
            id="scrub",
            min="0",
            max="0",
            value="0",
            **words.label("position"),
        ),
        tag("span", id="where"),
        tag("select", *speeds, id="speed", **words.label("speed")),
        id="player",
        cls="player",
        role="group",
        title=words.words["keys"],
        **words.label("player"),
    )


def _said(report: SessionReport, wish: ExportWish) -> list[JsonValue]:
    found = said_in(report.session)
    sizes = [min(len(one.text), LONGEST_SAID) for one in found]
    limit = fair_share(sizes, ROOM_SAID)
    if wish.full:
        limit = max((len(one.text) for one in found), default=0)
    entries: list[JsonValue] = []
    for one in found:
        text, left_out = shown(one.text, limit)
        entries.append([one.by, line(one.at or "", 40), text, left_out])
    return entries
