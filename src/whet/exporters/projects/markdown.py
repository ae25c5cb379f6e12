"""The report of a project in Markdown, to read and to comment on."""

from collections.abc import Iterator, Sequence

from whet.documents.result import RankingEntry
from whet.exporters.amounts import amount
from whet.exporters.markdown import escaped, listed, table, within
from whet.exporters.projects.figures import (
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
    marks,
    ranking_notes,
    ranking_table,
    sentence,
    shown_columns,
)
from whet.exporters.projects.words import BY_LANGUAGE, ProjectWords
from whet.ports.project_exporter import ProjectReport

MOST_CASES = 500


class MarkdownExporter:
    """``ports.project_exporter.ProjectExporter``. Without the answers themselves."""

    name = "markdown"
    suffix = ".md"

    def export(self, report: ProjectReport, language: str) -> str:
        """See the port."""
        words = BY_LANGUAGE[language]
        return within("\n\n".join(_blocks(report, words)) + "\n", words.cut)


def _blocks(report: ProjectReport, words: ProjectWords) -> Iterator[str]:
    shown, rest = shown_columns(report, MOST_SKILLS)
    yield f"# {escaped(report.config.name, 120)}: {escaped(headline(report, words)[0])}"
    if said := sentence(report, words):
        yield escaped(said, 600)
    for banner in banners(report, words, is_simulated=simulated(report)):
        yield f"> ⚠ {banner}"
    if report.config.description:
        yield escaped(report.config.description, 2000)
    if report.warnings:
        yield f"## {words.headings['warnings']}"
        yield listed(map(escaped, report.warnings), words.base.more)
    yield from _rankings(report, words)
    yield from _dimensions(shown, words)
    yield f"## {words.headings['resources']}"
    yield _resources(report, shown, words)
    yield words.notes["resources"]
    yield f"## {words.headings['matrix']}"
    yield _matrix(report, shown, words)
    yield words.notes["legend"]
    yield from _left_out(report, rest, words)
    yield from _troubles(report, words)
    yield f"## {words.headings['environment']}"
    yield listed(
        (f"{name}: {escaped(text, 1000)}" for name, text in facts(report, words)), words.base.more
    )


def _rankings(report: ProjectReport, words: ProjectWords) -> Iterator[str]:
    if report.summary is None:
        return
    yield f"## {words.headings['ranking']}"
    yield _ranking(report.summary.ranking, words)
    yield " ".join(ranking_notes(report.summary.ranking, words)).replace("* ", r"\* ")
    for part in report.summary.by_baseline or ():
        name = escaped(f"{part.baseline_name or part.baseline_id} {part.baseline_version}", 120)
        yield f"## {words.headings['baseline'].format(baseline=name)}"
        yield _ranking(part.ranking, words)


def _ranking(entries: Sequence[RankingEntry], words: ProjectWords) -> str:
    head, rows = ranking_table(entries[:MOST_SKILLS], words)
    return table(head, [[escaped(cell) for cell in row] for row in rows], left=2)


def _dimensions(shown: Sequence[Column], words: ProjectWords) -> Iterator[str]:
    names = dimensions([column.entry for column in shown if column.entry])
    if not names:
        return
    yield f"## {words.headings['dimensions']}"
    head = [words.columns["dimension"], *(escaped(column.title, 80) for column in shown)]
    rows = [[escaped(name, 80), *(breakdown(column, name) for column in shown)] for name in names]
    yield table(head, rows)
    yield words.notes["dimensions"]


def _resources(report: ProjectReport, shown: Sequence[Column], words: ProjectWords) -> str:
    head = [words.columns[name] for name in ("skill", "time", "tokens", "cost")]
    rows: list[list[str]] = []
    for column in shown:
        taken = resources(report, column.place)
        rows.append(
            [
                escaped(column.title, 80),
                amount(taken.seconds, "seconds"),
                amount(taken.tokens, "tokens"),
                amount(taken.cost, "usd"),
            ]
        )
    return table(head, rows)


def _matrix(report: ProjectReport, shown: Sequence[Column], words: ProjectWords) -> str:
    head = [words.columns["case"], *(escaped(column.title, 80) for column in shown)]
    rows = [
        [escaped(case_title(report, one), 200), *(marks(one.standings[c.place]) for c in shown)]
        for one in report.cases[:MOST_CASES]
    ]
    return table(head, rows)


def _left_out(report: ProjectReport, rest: int, words: ProjectWords) -> Iterator[str]:
    if len(report.cases) > MOST_CASES:
        yield words.notes["left_out"].format(count=len(report.cases) - MOST_CASES)
    if rest:
        yield words.notes["skills"].format(count=rest)


def _troubles(report: ProjectReport, words: ProjectWords) -> Iterator[str]:
    found = [
        f"{one.case} · {one.skill} · {words.details['attempt'].format(number=one.attempt)}: "
        f"{words.states[one.kind]}{f' – {one.reason}' if one.reason else ''}"
        for one in lost(report)
    ]
    if found:
        yield f"## {words.headings['troubles']}"
        yield listed(map(escaped, found), words.base.more)
