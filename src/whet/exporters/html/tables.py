"""The tables of the page; a colour never says anything that no number says."""

from collections.abc import Sequence

from whet.exporters.amounts import amount, signed, signed_range, spread
from whet.exporters.figures import (
    WITH,
    Measure,
    configurations,
    eval_rows,
    label,
    measures,
    other,
)
from whet.exporters.html.drawing import bar
from whet.exporters.html.tags import Html, Node, tag
from whet.exporters.plain import line
from whet.exporters.telling import configuration, power, reliability
from whet.exporters.words import ReportWords
from whet.ports.exporter import EvalReport, Leg

STEPS = 5


def table(head: Sequence[Node], rows: Sequence[Html], cls: str | None = None) -> Html:
    """A table that scrolls by itself where it is too wide."""
    top = tag("thead", tag("tr", *(tag("th", cell, scope="col") for cell in head)))
    return tag("div", tag("table", top, tag("tbody", *rows), cls=cls), cls="wide")


def legs_table(report: EvalReport, words: ReportWords) -> Html:
    """Engines and models side by side."""
    head = [words.columns[name] for name in ("engine", "model", "verdict", "delta", "interval")]
    rows: list[Html] = []
    for number, leg in enumerate(report.legs, 1):
        metadata, verdict = leg.benchmark.metadata, leg.benchmark.verdict
        tone = label(leg) or "none"
        cells = (
            tag("a", line(metadata.engine or "–", 60), href=f"#leg-{number}"),
            line(metadata.executor_model, 60),
            tag("span", words.labels[tone], cls=f"word {tone}"),
            signed(verdict.delta if verdict else None),
            signed_range(verdict.interval if verdict else None),
        )
        rows.append(tag("tr", *(tag("td", cell) for cell in cells)))
    return table(head, rows, "left")


def configurations_table(leg: Leg, words: ReportWords) -> Html:
    """What the configurations reached and cost, with bars."""
    names = list(configurations(leg.benchmark))
    compared = other(leg.benchmark) is not None
    head: list[Node] = ["", *(configuration(name, words) for name in names)]
    if compared:
        head.append(words.columns["delta"])
    rows: list[Html] = []
    for row in measures(leg.benchmark):
        cells = [_measured(row, name) for name in names]
        if compared:
            cells.append(tag("td", signed(row.delta, row.unit)))
        rows.append(tag("tr", tag("th", words.measures[row.name], scope="row"), *cells))
    return table(head, rows)


def _measured(row: Measure, name: str) -> Html:
    value = row.by_configuration[name]
    most = max((one.mean for one in row.by_configuration.values() if one), default=0.0)
    whole = 1.0 if row.unit == "points" else most
    drawn = bar(value.mean / whole, "ours" if name == WITH else "") if value and whole else None
    return tag("td", spread(value, row.unit), drawn)


def evals_table(report: EvalReport, leg: Leg, number: int, words: ReportWords) -> Html:
    """Evals by configurations, each score with its colour."""
    against = other(leg.benchmark)
    head = [words.columns["eval"], configuration(WITH, words)]
    if against:
        head += [configuration(against, words), words.columns["delta"], words.columns["pairs"]]
    rows: list[Html] = []
    for place, row in enumerate(eval_rows(report, leg.benchmark), 1):
        link = tag("a", row.name, href=f"#leg-{number}-eval-{place}")
        cells = [tag("td", link), scored(row.with_skill)]
        if against:
            pairs = "–" if row.pairs is None else str(row.pairs)
            cells += [scored(row.other), _change(row.delta), tag("td", pairs)]
        rows.append(tag("tr", *cells))
    return table(head, rows)


def scored(score: float | None) -> Html:
    """A cell with a score; darker is not better, greener is."""
    if score is None:
        return tag("td", amount(None))
    step = min(STEPS - 1, max(0, int(score * STEPS)))
    return tag("td", amount(score), cls=f"s{step}")


def _change(delta: float | None) -> Html:
    text = signed(delta)
    if text.startswith("+"):
        return tag("td", f"▲ {text}", cls="up")
    if text.startswith("−"):
        return tag("td", f"▼ {text}", cls="down")
    return tag("td", text)


def reliability_table(leg: Leg, words: ReportWords) -> Html | None:
    """How dependable each configuration is."""
    rows = reliability(leg, words)
    if not rows:
        return None
    head = [words.columns["configuration"], words.columns["spread"], "pass@k, pass^k"]
    return table(head, [tag("tr", *(tag("td", cell) for cell in row)) for row in rows], "left")


def power_table(leg: Leg, words: ReportWords) -> Html | None:
    """What other numbers of evals and runs would show."""
    rows = power(leg)
    if not rows:
        return None
    head = [words.columns[name] for name in ("evals", "runs", "trials", "effect")]
    return table(head, [tag("tr", *(tag("td", cell) for cell in row)) for row in rows])
