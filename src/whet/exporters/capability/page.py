"""The report of a capability run as one page of HTML that needs nothing else."""

from collections.abc import Iterator

from whet.documents.capability import EvaluationItem
from whet.exporters.amounts import NONE, amount
from whet.exporters.capability.details import Details
from whet.exporters.capability.figures import FULL, covered, rows, simulated
from whet.exporters.capability.telling import (
    banners,
    calls,
    dimension_cells,
    dimension_heads,
    facts,
    headline,
    name,
    points,
    reason,
    sentences,
)
from whet.exporters.capability.words import BY_LANGUAGE, CapabilityWords
from whet.exporters.html.drawing import bar
from whet.exporters.html.frame import card, document, items
from whet.exporters.html.frame import facts as named
from whet.exporters.html.room import fitting
from whet.exporters.html.tables import table
from whet.exporters.html.tags import Html, Node, tag
from whet.exporters.plain import line
from whet.ports.capability_exporter import CapabilityReport

MOST_TABLE = 800_000
"""Bytes of the table of cases."""

MOST_COVERED = 60
"""Of one kind."""

TONES = {"passed": "yes", "failed": "no", "error": "no"}


class HtmlExporter:
    """``ports.capability_exporter.CapabilityExporter``. Below 5 MB, whatever it is given."""

    name = "html"
    suffix = ".html"

    def export(self, report: CapabilityReport, language: str) -> str:
        """See the port."""
        words = BY_LANGUAGE[language]
        title = f"{name(report, words)} – {words.title}"
        return document(title, words.code, [*_content(report, words)])


def _content(report: CapabilityReport, words: CapabilityWords) -> Iterator[Node]:
    yield tag("header", tag("p", words.title, cls="kicker"), tag("h1", name(report, words)))
    for banner in banners(report, words):
        yield tag("p", "⚠ ", banner, cls="banner", role="note")
    yield tag(
        "div",
        tag("p", headline(report, words), cls="word"),
        *(tag("p", said, cls="said") for said in sentences(report, words)),
        cls="card verdict",
    )
    if report.detail.items:
        yield tag("h2", words.headings["dimensions"])
        yield card(
            _dimensions(report, words),
            tag("p", words.notes["score"], cls="note"),
            tag("p", words.notes["skipped"], cls="note"),
        )
    details = Details(report, words)
    yield from _troubles(report, len(details.items), words)
    if report.detail.items:
        yield from _cases(report, len(details.items), words)
    yield from _coverage(report, words)
    yield tag("h2", words.headings["environment"])
    yield card(named(facts(report, words)))
    yield from _details(report, details, words)


def _dimensions(report: CapabilityReport, words: CapabilityWords) -> Html:
    found: list[Html] = []
    for row in rows(report.detail):
        drawn = None if row.score is None else bar(row.score / FULL, "ours thick")
        score = tag("td", tag("b", points(row.score)), drawn, cls="drawn")
        cells = (tag("td", cell) for cell in dimension_cells(row))
        head = tag("th", words.dimensions[row.dimension], scope="row")
        found.append(tag("tr", head, score, *cells))
    head = [words.columns["dimension"], words.columns["score"], *dimension_heads(words)]
    return table(head, found, "dimensions")


def _troubles(report: CapabilityReport, linked: int, words: CapabilityWords) -> Iterator[Node]:
    found: list[Html] = []
    for status in ("error", "failed", "skipped", "cancelled"):
        mark = tag("span", words.statuses[status], cls="tagged")
        for number, item in enumerate(report.detail.items, 1):
            if item.status == status:
                told = f": {reason(item, words)}"
                found.append(tag("li", mark, _linked(number, item, linked), told))
    if found:
        yield tag("h2", words.headings["troubles"])
        yield card(items(found, words.base.more))


def _cases(report: CapabilityReport, linked: int, words: CapabilityWords) -> Iterator[Node]:
    """One row for each; the first *linked* have their details below."""
    every = report.detail.items
    found = fitting(
        (_case(number, item, linked, words) for number, item in enumerate(every, 1)), MOST_TABLE
    )
    names = ("case", "dimension", "status", "score", "weight", "time", "calls", "answer")
    further = len(every) - len(found)
    yield tag("h2", words.headings["cases"])
    yield card(
        table([words.columns[one] for one in names], found, "left cases"),
        tag("p", words.notes["left_out"].format(count=further), cls="note") if further else None,
    )


def _case(number: int, item: EvaluationItem, linked: int, words: CapabilityWords) -> Html:
    score = NONE if item.score is None else f"{item.score / (item.max_score or 1):.3g}"
    taken = None if item.elapsed_s is None else float(item.elapsed_s)
    return tag(
        "tr",
        tag("td", _linked(number, item, linked)),
        tag("td", words.dimensions[item.dimension]),
        tag("td", words.statuses[item.status], cls=TONES.get(item.status, "open")),
        tag("td", score, cls="number"),
        tag("td", f"{item.weight:g}", cls="number"),
        tag("td", amount(taken, "seconds"), cls="number"),
        tag("td", calls(item) or NONE),
        tag("td", line(item.final_answer or "", 80) or NONE),
    )


def _linked(number: int, item: EvaluationItem, linked: int) -> Node:
    """The name of a case, which leads to its details where it has them."""
    title = line(item.case_id, 100)
    return tag("a", title, href=f"#case-{number}") if number <= linked else title


def _coverage(report: CapabilityReport, words: CapabilityWords) -> Iterator[Node]:
    found: list[Html] = []
    for one in covered(report):
        shown = [f"{line(name, 60) or NONE} {count}" for name, count in one.cases[:MOST_COVERED]]
        rest = len(one.cases) - MOST_COVERED
        shown += [words.base.more.format(count=rest)] if rest > 0 else []
        chips = [tag("span", each, cls="chip") for each in shown]
        missing = ", ".join(one.missing)
        told = words.notes["uncovered"].format(names=missing) if missing else None
        note = tag("p", told, cls="note") if told else None
        head = tag("th", words.kinds[one.kind], scope="row")
        found.append(tag("tr", head, tag("td", *chips, note)))
    if found:
        yield tag("h2", words.headings["coverage"])
        head = [words.columns["kind"], words.columns["covered"]]
        yield card(
            table(head, found, "left covered"), tag("p", words.notes["coverage"], cls="note")
        )


def _details(report: CapabilityReport, details: Details, words: CapabilityWords) -> Iterator[Node]:
    if not details.items:
        return
    further = len(report.detail.items) - len(details.items)
    yield tag("h2", words.headings["details"])
    yield card(
        tag("p", words.base.simulated, cls="note") if simulated(report) else None,
        tag("p", words.notes["cut"], cls="note"),
        *details.parts(),
        tag("p", words.notes["left_out"].format(count=further), cls="note") if further else None,
    )
