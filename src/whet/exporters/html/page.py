"""The page: verdict, tables, findings, and every run to look into."""

from collections.abc import Iterator

from whet.documents.verdict import Verdict
from whet.exporters.figures import label, simulated
from whet.exporters.html.details import Room, eval_details
from whet.exporters.html.drawing import interval
from whet.exporters.html.style import STYLE
from whet.exporters.html.tables import (
    configurations_table,
    evals_table,
    legs_table,
    power_table,
    reliability_table,
)
from whet.exporters.html.tags import Html, Node, joined, tag
from whet.exporters.plain import line
from whet.exporters.telling import (
    facts,
    findings,
    headline,
    missing,
    name_of,
    pairwise,
    pooled,
    sentence,
    unscored,
)
from whet.exporters.words import ReportWords
from whet.ports.exporter import EvalReport, Leg

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
LANGUAGES = {"en": "en", "zh": "zh-CN"}
MOST_ITEMS = 100


def page(report: EvalReport, words: ReportWords) -> str:
    """The whole document."""
    name = line(report.skill_name, 120)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", f"{name} – {words.title}"),
        tag("style", Html(STYLE)),
    )
    body = tag("body", tag("main", *_content(report, name, words)))
    return f"<!doctype html>\n{tag('html', head, body, lang=LANGUAGES[words.code])}\n"


def _content(report: EvalReport, name: str, words: ReportWords) -> Iterator[Node]:
    yield tag("header", tag("p", words.title, cls="kicker"), tag("h1", name))
    if simulated(report):
        yield tag("p", "⚠ ", words.simulated, cls="banner", role="note")
    if report.warnings:
        warnings = [tag("li", line(warning)) for warning in report.warnings]
        yield tag("h2", words.headings["warnings"])
        yield _items(warnings, words)
    if len(report.legs) > 1:
        yield tag("h2", words.headings["legs"])
        yield _card(legs_table(report, words), tag("p", words.family, cls="note"))
    room = Room()
    for number, leg in enumerate(report.legs, 1):
        yield tag("section", *_leg(report, leg, number, words, room), id=f"leg-{number}")


def _leg(
    report: EvalReport, leg: Leg, number: int, words: ReportWords, room: Room
) -> Iterator[Node]:
    if len(report.legs) > 1:
        yield tag("h2", name_of(leg))
    yield _verdict(leg, words)
    if leg.benchmark.metadata.status == "partial":
        yield tag("p", "⚠ ", words.partial, cls="banner", role="note")
    yield tag("h3", words.headings["configurations"])
    notes = (tag("p", text, cls="note") for text in (*pooled(leg, words), *unscored(leg, words)))
    yield _card(configurations_table(leg, words), *notes)
    yield tag("h3", words.headings["evals"])
    yield _card(evals_table(report, leg, number, words))
    yield tag("h3", words.headings["findings"])
    yield _findings(report, leg, words)
    if gone := missing(report, leg, words):
        yield tag("h3", words.headings["missing"])
        yield _card(_items([tag("li", text) for text in gone], words))
    yield from _dependable(leg, words)
    yield tag("h3", words.headings["method"])
    entries = [(tag("dt", name), tag("dd", text)) for name, text in facts(leg, words)]
    yield _card(tag("dl", *(node for entry in entries for node in entry), cls="facts"))
    yield tag("h3", words.headings["details"])
    yield _card(*eval_details(report, leg, number, words, room))


def _verdict(leg: Leg, words: ReportWords) -> Html:
    verdict: Verdict | None = leg.benchmark.verdict
    tone = label(leg) or "none"
    return tag(
        "div",
        tag("p", name_of(leg), cls="kicker"),
        tag("p", headline(leg, words), cls="word"),
        tag("p", sentence(leg, words), cls="said"),
        tag("div", interval(verdict, tone, words), cls="wide") if verdict else None,
        cls=f"card verdict {tone}",
    )


def _findings(report: EvalReport, leg: Leg, words: ReportWords) -> Html:
    found = [
        tag("li", tag("span", kind, cls="tagged"), text)
        for kind, text in findings(report, leg, words)
    ]
    return _card(_items(found, words) if found else tag("p", words.none_found, cls="note"))


def _dependable(leg: Leg, words: ReportWords) -> Iterator[Node]:
    table, compared = reliability_table(leg, words), pairwise(leg, words)
    if table is not None or compared is not None:
        yield tag("h3", words.headings["reliability"])
        yield _card(table, tag("p", compared) if compared else None)
    if (table := power_table(leg, words)) is not None:
        yield tag("h3", words.headings["power"])
        yield _card(table, tag("p", words.power, cls="note"))


def _items(items: list[Html], words: ReportWords) -> Html:
    rest = len(items) - MOST_ITEMS
    more = tag("li", words.more.format(count=rest)) if rest > 0 else None
    return tag("ul", *items[:MOST_ITEMS], more, cls="bare")


def _card(*content: Node) -> Html:
    return tag("div", joined(content), cls="card")
