"""The page: verdict, tables, findings, and every run to look into."""

from collections.abc import Iterator

from whet.documents.verdict import Verdict
from whet.exporters.figures import label, simulated
from whet.exporters.html.details import Room, eval_details
from whet.exporters.html.drawing import interval
from whet.exporters.html.frame import card, document, items
from whet.exporters.html.frame import facts as named
from whet.exporters.html.tables import (
    configurations_table,
    evals_table,
    legs_table,
    power_table,
    reliability_table,
)
from whet.exporters.html.tags import Html, Node, tag
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


def page(report: EvalReport, words: ReportWords) -> str:
    """The whole document."""
    name = line(report.skill_name, 120)
    content = [*_content(report, name, words)]
    return document(f"{name} – {words.title}", words.code, content)


def _content(report: EvalReport, name: str, words: ReportWords) -> Iterator[Node]:
    yield tag("header", tag("p", words.title, cls="kicker"), tag("h1", name))
    if simulated(report):
        yield tag("p", "⚠ ", words.simulated, cls="banner", role="note")
    if report.warnings:
        warnings = [tag("li", line(warning)) for warning in report.warnings]
        yield tag("h2", words.headings["warnings"])
        yield items(warnings, words.more)
    if len(report.legs) > 1:
        yield tag("h2", words.headings["legs"])
        yield card(legs_table(report, words), tag("p", words.family, cls="note"))
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
    yield card(configurations_table(leg, words), *notes)
    yield tag("h3", words.headings["evals"])
    yield card(evals_table(report, leg, number, words))
    yield tag("h3", words.headings["findings"])
    yield _findings(report, leg, words)
    if gone := missing(report, leg, words):
        yield tag("h3", words.headings["missing"])
        yield card(items([tag("li", text) for text in gone], words.more))
    yield from _dependable(leg, words)
    yield tag("h3", words.headings["method"])
    yield card(named(facts(leg, words)))
    yield tag("h3", words.headings["details"])
    yield card(*eval_details(report, leg, number, words, room))


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
    return card(items(found, words.more) if found else tag("p", words.none_found, cls="note"))


def _dependable(leg: Leg, words: ReportWords) -> Iterator[Node]:
    table, compared = reliability_table(leg, words), pairwise(leg, words)
    if table is not None or compared is not None:
        yield tag("h3", words.headings["reliability"])
        yield card(table, tag("p", compared) if compared else None)
    if (table := power_table(leg, words)) is not None:
        yield tag("h3", words.headings["power"])
        yield card(table, tag("p", words.power, cls="note"))
