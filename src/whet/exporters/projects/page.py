"""The report of a project as one page of HTML that needs nothing else: no network, no script."""

from collections.abc import Iterator, Sequence

from whet.documents.result import RankingEntry
from whet.exporters.amounts import amount
from whet.exporters.html import drawing
from whet.exporters.html.frame import card, document, items
from whet.exporters.html.frame import facts as named
from whet.exporters.html.room import fitting
from whet.exporters.html.tables import STEPS, table
from whet.exporters.html.tags import Html, Node, tag
from whet.exporters.plain import line, page
from whet.exporters.projects.details import Details
from whet.exporters.projects.drawing import ranking as drawn
from whet.exporters.projects.figures import (
    FULL,
    MOST_SKILLS,
    Column,
    case_title,
    dimensions,
    lost,
    resources,
    simulated,
)
from whet.exporters.projects.telling import (
    banners,
    breakdown,
    facts,
    headline,
    in_shares,
    marks,
    ranking_notes,
    ranking_table,
    sentence,
    shown_columns,
)
from whet.exporters.projects.words import BY_LANGUAGE, ProjectWords
from whet.ports.project_exporter import ProjectReport, ReportedCase

MOST_MATRIX = 800_000
"""Bytes of the table of cases by skills."""

MOST_BASELINES = 10


class HtmlExporter:
    """``ports.project_exporter.ProjectExporter``. Stays below 5 MB, whatever it is given."""

    name = "html"
    suffix = ".html"

    def export(self, report: ProjectReport, language: str) -> str:
        """See the port."""
        words = BY_LANGUAGE[language]
        name = line(report.config.name, 120)
        return document(f"{name} – {words.title}", words.code, [*_content(report, name, words)])


def _content(report: ProjectReport, name: str, words: ProjectWords) -> Iterator[Node]:
    shown, rest = shown_columns(report, MOST_SKILLS)
    yield tag("header", tag("p", words.title, cls="kicker"), tag("h1", name))
    for banner in banners(report, words, is_simulated=simulated(report)):
        yield tag("p", "⚠ ", banner, cls="banner", role="note")
    if report.config.description:
        yield tag("p", page(report.config.description, 2000), cls="about")
    if report.warnings:
        said = words.notes["warnings"].format(count=len(report.warnings))
        yield tag("p", "⚠ ", tag("a", said, href="#warnings"), cls="banner", role="note")
    yield _verdict(report, words)
    yield from _rankings(report, words)
    yield from _dimensions(shown, words)
    yield tag("h2", words.headings["resources"])
    yield card(_resources(report, shown, words), tag("p", words.notes["resources"], cls="note"))
    details = Details(report, shown, words)
    yield from _matrix(report, shown, rest, len(details.cases), words)
    yield from _troubles(report, words)
    if report.warnings:
        warnings = [tag("li", line(one)) for one in report.warnings]
        yield tag("h2", words.headings["warnings"], id="warnings")
        yield card(items(warnings, words.base.more))
    yield tag("h2", words.headings["environment"])
    yield card(named(facts(report, words)))
    yield from _details(report, details, words)


def _verdict(report: ProjectReport, words: ProjectWords) -> Html:
    word, tone = headline(report, words)
    said = sentence(report, words)
    ranking = report.summary.ranking if report.summary else ()
    against = ranking[0].versus_next if ranking else None
    label = against.label if against else tone
    picture = drawing.interval(in_shares(against), label, words.base) if against else None
    return tag(
        "div",
        tag("p", word, cls="word"),
        tag("p", said, cls="said") if said else None,
        tag("div", picture, cls="wide") if picture else None,
        cls=f"card verdict {tone}",
    )


def _rankings(report: ProjectReport, words: ProjectWords) -> Iterator[Node]:
    if report.summary is None:
        return
    entries = report.summary.ranking[:MOST_SKILLS]
    picture = drawn(entries)
    yield tag("h2", words.headings["ranking"])
    yield card(
        tag("div", picture, cls="wide") if picture else None,
        _ranking(entries, words),
        *(tag("p", note, cls="note") for note in ranking_notes(entries, words)),
    )
    for part in (report.summary.by_baseline or ())[:MOST_BASELINES]:
        name = line(f"{part.baseline_name or part.baseline_id} {part.baseline_version}", 120)
        yield tag("h3", words.headings["baseline"].format(baseline=name))
        yield card(_ranking(part.ranking[:MOST_SKILLS], words))


def _ranking(entries: Sequence[RankingEntry], words: ProjectWords) -> Html:
    """Where the columns have no room each skill is a block, and every cell says what it is."""
    head, told_rows = ranking_table(entries, words)
    rows: list[Html] = []
    for entry, (*cells, against) in zip(entries, told_rows, strict=True):
        tone = entry.versus_next.label if entry.versus_next else "none"
        told = (*cells, tag("span", against, cls=f"word {tone}"))
        named_cells = zip(told, head, strict=True)
        rows.append(tag("tr", *(tag("td", cell, data_name=name) for cell, name in named_cells)))
    return table(head, rows, "ranking")


def _dimensions(shown: Sequence[Column], words: ProjectWords) -> Iterator[Node]:
    names = dimensions([column.entry for column in shown if column.entry])
    if not names:
        return
    rows = [
        tag(
            "tr",
            tag("th", line(name, 80), scope="row"),
            *(tag("td", breakdown(column, name)) for column in shown),
        )
        for name in names
    ]
    yield tag("h2", words.headings["dimensions"])
    yield card(
        table([words.columns["dimension"], *(column.title for column in shown)], rows, "named"),
        tag("p", words.notes["dimensions"], cls="note"),
    )


def _resources(report: ProjectReport, shown: Sequence[Column], words: ProjectWords) -> Html:
    rows: list[Html] = []
    for column in shown:
        taken = resources(report, column.place)
        cells = (
            amount(taken.seconds, "seconds"),
            amount(taken.tokens, "tokens"),
            amount(taken.cost, "usd"),
        )
        rows.append(
            tag("tr", tag("th", column.title, scope="row"), *(tag("td", cell) for cell in cells))
        )
    head = [words.columns[name] for name in ("skill", "time", "tokens", "cost")]
    return table(head, rows, "named")


def _matrix(
    report: ProjectReport, shown: Sequence[Column], rest: int, linked: int, words: ProjectWords
) -> Iterator[Node]:
    """Cases by skills; the first *linked* cases have their details below."""
    rows = fitting(_rows(report, shown, linked), MOST_MATRIX)
    further = len(report.cases) - len(rows)
    notes = [words.notes["legend"]]
    notes += [words.notes["left_out"].format(count=further)] if further > 0 else []
    notes += [words.notes["skills"].format(count=rest)] if rest else []
    yield tag("h2", words.headings["matrix"])
    yield card(
        table([words.columns["case"], *(column.title for column in shown)], rows, "matrix"),
        *(tag("p", note, cls="note") for note in notes),
    )


def _rows(report: ProjectReport, shown: Sequence[Column], linked: int) -> Iterator[Html]:
    for number, one in enumerate(report.cases, 1):
        name = case_title(report, one)
        link = tag("a", name, href=f"#case-{number}") if number <= linked else name
        yield tag("tr", tag("td", link), *(_cell(one, column) for column in shown))


def _cell(one: ReportedCase, column: Column) -> Html:
    standing = one.standings[column.place]
    if standing.average is None:
        return tag("td", marks(standing), cls="no" if standing.failed else "open")
    step = min(STEPS - 1, max(0, int(standing.average / FULL * STEPS)))
    return tag("td", marks(standing), cls=f"s{step}")


def _troubles(report: ProjectReport, words: ProjectWords) -> Iterator[Node]:
    found = [
        tag(
            "li",
            tag("span", words.states[one.kind], cls="tagged"),
            f"{one.case} · {one.skill} · {words.details['attempt'].format(number=one.attempt)}"
            f"{f': {one.reason}' if one.reason else ''}",
        )
        for one in lost(report)
    ]
    if found:
        yield tag("h2", words.headings["troubles"])
        yield card(items(found, words.base.more))


def _details(report: ProjectReport, details: Details, words: ProjectWords) -> Iterator[Node]:
    further = len(report.cases) - len(details.cases)
    yield tag("h2", words.headings["details"])
    yield card(
        tag("p", words.notes["cut"], cls="note"),
        *details.parts(),
        tag("p", words.notes["left_out"].format(count=further), cls="note") if further else None,
    )
