"""A report in Markdown: ``benchmark.md``, a job's summary, a comment."""

import re
from collections.abc import Iterable, Iterator, Sequence

from whet.exporters.amounts import amount, signed, signed_range, spread
from whet.exporters.figures import configurations, eval_rows, measures, other, simulated
from whet.exporters.plain import line
from whet.exporters.telling import (
    configuration,
    facts,
    findings,
    headline,
    missing,
    name_of,
    pairwise,
    pooled,
    power,
    reliability,
    sentence,
    unscored,
)
from whet.exporters.words import BY_LANGUAGE, ReportWords
from whet.ports.exporter import EvalReport, Leg

MOST_BYTES = 1_000_000
"""A summary of a job on GitHub may have 1 MiB, and is not shown at all beyond."""

MOST_ROWS = 100

_ACTIVE = re.compile(r"[\\`*_\[\]|~$]")
_LEADING = re.compile(r"^(?:(?P<sign>[-+#=])|(?P<number>\d+)(?P<end>[.)])(?= |$))")


def escaped(text: str, most: int = 400) -> str:
    """*text* on one line as it reads: no markup, no link and nobody's name is called."""
    safe = _ACTIVE.sub(r"\\\g<0>", line(text, most))
    safe = safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    safe = safe.replace("://", r":\//").replace("@", "@\u200b")
    safe = re.sub(r"www\.", r"www\\.", safe, flags=re.IGNORECASE)
    return _LEADING.sub(_led, safe)


def _led(found: re.Match[str]) -> str:
    """No list and no heading begins here."""
    return f"{found['number'] or ''}\\{found['sign'] or found['end']}"


class MarkdownExporter:
    """``ports.exporter.Exporter``."""

    name = "markdown"
    suffix = ".md"

    def export(self, report: EvalReport, language: str) -> str:
        """See the port."""
        words = BY_LANGUAGE[language]
        text = "\n\n".join(_blocks(report, words)) + "\n"
        return within(text, words.cut.format(name="benchmark.json"))


def _blocks(report: EvalReport, words: ReportWords) -> Iterator[str]:
    name = escaped(report.skill_name, 120)
    if len(report.legs) == 1:
        only = report.legs[0]
        yield f"# {name}: {headline(only, words)}"
        yield escaped(sentence(only, words), 600)
    else:
        yield f"# {words.title}: {name}"
    if simulated(report):
        yield f"> ⚠ {words.simulated}"
    if report.warnings:
        yield f"## {words.headings['warnings']}"
        yield listed(map(escaped, report.warnings), words.more)
    if len(report.legs) > 1:
        yield f"## {words.headings['legs']}"
        yield _legs(report, words)
        yield words.family
    for leg in report.legs:
        yield from _leg(report, leg, words)


def _legs(report: EvalReport, words: ReportWords) -> str:
    head = [words.columns[name] for name in ("engine", "model", "verdict", "delta", "interval")]
    rows: list[list[str]] = []
    for leg in report.legs:
        metadata, verdict = leg.benchmark.metadata, leg.benchmark.verdict
        rows.append(
            [
                escaped(metadata.engine or "", 60),
                escaped(metadata.executor_model, 60),
                headline(leg, words),
                signed(verdict.delta if verdict else None),
                signed_range(verdict.interval if verdict else None),
            ]
        )
    return table(head, rows, left=3)


def _leg(report: EvalReport, leg: Leg, words: ReportWords) -> Iterator[str]:
    deeper = "##"
    if len(report.legs) > 1:
        yield f"## {escaped(name_of(leg))}: {headline(leg, words)}"
        yield escaped(sentence(leg, words), 600)
        deeper = "###"

    def heading(name: str) -> str:
        return f"{deeper} {words.headings[name]}"

    if leg.benchmark.metadata.status == "partial":
        yield words.partial
    yield heading("configurations")
    yield _configurations(leg, words)
    yield " ".join([*pooled(leg, words), *map(escaped, unscored(leg, words))])
    yield heading("evals")
    yield _evals(report, leg, words)
    yield heading("findings")
    seen = [f"**{kind}**: {escaped(text)}" for kind, text in findings(report, leg, words)]
    yield listed(seen, words.more) if seen else words.none_found
    if gone := missing(report, leg, words):
        yield heading("missing")
        yield listed(map(escaped, gone), words.more)
    yield from _dependable(leg, words, heading("reliability"))
    if rows := power(leg):
        columns = [
            words.columns[name] for name in ("evals", "runs", "trials", "effect", "effect_on_these")
        ]
        yield heading("power")
        yield words.power
        yield table(columns, rows, left=0)
    yield heading("method")
    yield listed((f"{name}: {escaped(text)}" for name, text in facts(leg, words)), words.more)


def _configurations(leg: Leg, words: ReportWords) -> str:
    names = list(configurations(leg.benchmark))
    compared = other(leg.benchmark) is not None
    head = ["", *(configuration(name, words) for name in names)]
    rows: list[list[str]] = []
    for row in measures(leg.benchmark):
        cells = [spread(row.by_configuration[name], row.unit) for name in names]
        delta = [signed(row.delta, row.unit)] if compared else []
        rows.append([words.measures[row.name], *cells, *delta])
    return table([*head, words.columns["delta"]] if compared else head, rows)


def _evals(report: EvalReport, leg: Leg, words: ReportWords) -> str:
    against = other(leg.benchmark)
    head = [words.columns["eval"], configuration("with_skill", words)]
    if against:
        head += [configuration(against, words), words.columns["delta"], words.columns["pairs"]]
    rows: list[list[str]] = []
    for row in eval_rows(report, leg.benchmark):
        pairs = "–" if row.pairs is None else str(row.pairs)
        compared = [amount(row.other), signed(row.delta), pairs] if against else []
        rows.append([escaped(row.name, 120), amount(row.with_skill), *compared])
    return table(head, rows)


def _dependable(leg: Leg, words: ReportWords, heading: str) -> Iterator[str]:
    rows, compared = reliability(leg, words), pairwise(leg, words)
    if not rows and compared is None:
        return
    yield heading
    if rows:
        columns = [words.columns["configuration"], words.columns["spread"], "pass@k, pass^k"]
        told = [[escaped(name), escaped(width), passes] for name, width, passes in rows]
        yield table(columns, told, left=3)
    if compared is not None:
        yield compared


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table whose first *left* columns are texts; cells have been escaped."""
    rule = ["---" if place < left else "---:" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def listed(items: Iterable[str], more: str) -> str:
    """A list; *more* says of the rest how many there are."""
    known = list(items)
    rest = [more.format(count=len(known) - MOST_ROWS)] if len(known) > MOST_ROWS else []
    return "\n".join(f"- {item}" for item in [*known[:MOST_ROWS], *rest])


def within(text: str, cut: str) -> str:
    """At most ``MOST_BYTES``, cut at the end of a line; *cut* says where the rest is."""
    data = text.encode()
    if len(data) <= MOST_BYTES:
        return text
    note = f"\n{cut}\n"
    whole, _, _ = data[: MOST_BYTES - len(note.encode())].rpartition(b"\n")
    return f"{whole.decode()}\n{note}"
