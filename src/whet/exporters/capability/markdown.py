"""The report of a capability run in Markdown, to read and to comment on."""

from collections.abc import Iterator

from whet.exporters.amounts import NONE, amount
from whet.exporters.capability.figures import covered, rows
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
from whet.exporters.markdown import escaped, listed, table, within
from whet.ports.capability_exporter import CapabilityReport

MOST_CASES = 500
BAR = 20
"""Characters of a full bar."""


class MarkdownExporter:
    """``ports.capability_exporter.CapabilityExporter``. Tasks and answers are shortened."""

    name = "markdown"
    suffix = ".md"

    def export(self, report: CapabilityReport, language: str) -> str:
        """See the port."""
        words = BY_LANGUAGE[language]
        return within("\n\n".join(_blocks(report, words)) + "\n", words.cut)


def _blocks(report: CapabilityReport, words: CapabilityWords) -> Iterator[str]:
    yield f"# {escaped(name(report, words), 200)}: {headline(report, words)}"
    for banner in banners(report, words):
        yield f"> ⚠ {escaped(banner, 600)}"
    yield " ".join(escaped(said) for said in sentences(report, words))
    if report.detail.items:
        yield f"## {words.headings['dimensions']}"
        yield _dimensions(report, words)
        yield f"{words.notes['score']} {words.notes['skipped']}"
    yield from _troubles(report, words)
    if report.detail.items:
        yield f"## {words.headings['cases']}"
        yield _cases(report, words)
        further = len(report.detail.items) - MOST_CASES
        if further > 0:
            yield words.notes["left_out"].format(count=further)
    yield from _coverage(report, words)
    yield f"## {words.headings['environment']}"
    told = (f"{title}: {escaped(text, 1000)}" for title, text in facts(report, words))
    yield listed(told, words.base.more)


def _dimensions(report: CapabilityReport, words: CapabilityWords) -> str:
    columns = words.columns
    head = [columns["dimension"], "", columns["score"], *dimension_heads(words)]
    found = [
        [words.dimensions[row.dimension], bar(row.score), points(row.score), *dimension_cells(row)]
        for row in rows(report.detail)
    ]
    return table(head, found, left=2)


def bar(score: float | None) -> str:
    """A score of 0 to 100 as a bar of characters."""
    filled = 0 if score is None else round(min(100.0, max(0.0, score)) / 100 * BAR)
    return "█" * filled + "░" * (BAR - filled)


def _troubles(report: CapabilityReport, words: CapabilityWords) -> Iterator[str]:
    found = [
        f"{words.statuses[status]}: {item.case_id}: {reason(item, words)}"
        for status in ("error", "failed", "skipped", "cancelled")
        for item in report.detail.items
        if item.status == status
    ]
    if found:
        yield f"## {words.headings['troubles']}"
        yield listed(map(escaped, found), words.base.more)


def _cases(report: CapabilityReport, words: CapabilityWords) -> str:
    names = ("case", "dimension", "status", "calls", "answer", "score", "weight", "time")
    found = [
        [
            escaped(item.case_id, 100),
            words.dimensions[item.dimension],
            words.statuses[item.status],
            escaped(calls(item)) or NONE,
            escaped(item.final_answer or "", 120) or NONE,
            NONE if item.score is None else f"{item.score:.3g}",
            f"{item.weight:g}",
            amount(None if item.elapsed_s is None else float(item.elapsed_s), "seconds"),
        ]
        for item in report.detail.items[:MOST_CASES]
    ]
    return table([words.columns[one] for one in names], found, left=5)


def _coverage(report: CapabilityReport, words: CapabilityWords) -> Iterator[str]:
    found = [
        [
            words.kinds[one.kind],
            ", ".join(f"{escaped(name, 60)} ({count})" for name, count in one.cases) or NONE,
            ", ".join(one.missing) or NONE,
        ]
        for one in covered(report)
    ]
    if found:
        yield f"## {words.headings['coverage']}"
        head = [words.columns[name] for name in ("kind", "covered", "uncovered")]
        yield table(head, found, left=3)
        yield words.notes["coverage"]
