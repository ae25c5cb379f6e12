"""The ranking as a picture: every score with its interval on one scale from 0 to 100."""

from collections.abc import Sequence

from whet.documents.result import RankingEntry
from whet.exporters.amounts import plain_range
from whet.exporters.html.tags import Html, Node, tag
from whet.exporters.projects.figures import FULL, entry_title
from whet.exporters.projects.telling import points, shares

WIDTH = 640
EDGE = 24
ROW = 46
TOP = 8
TICKS = (0, 25, 50, 75, 100)


def ranking(entries: Sequence[RankingEntry]) -> Html | None:
    """One row for each skill that has a score; None where none has."""
    scored = [entry for entry in entries if entry.avg_score is not None]
    if not scored:
        return None
    bottom = TOP + ROW * len(scored)
    rules = [_rule(value, bottom) for value in TICKS]
    rows = [node for number, entry in enumerate(scored) for node in _row(entry, TOP + ROW * number)]
    said = "; ".join(
        f"{entry_title(one)}: {points(one.avg_score)} ({plain_range(shares(one.interval))})"
        for one in scored
    )
    return tag(
        "svg",
        *(node for rule in rules for node in rule),
        *rows,
        view_box=f"0 0 {WIDTH} {bottom + 26}",
        role="img",
        aria_label=said,
        cls="interval",
    )


def _at(value: float) -> float:
    share = min(1.0, max(0.0, value / FULL))
    return EDGE + share * (WIDTH - 2 * EDGE)


def _rule(value: float, bottom: int) -> tuple[Node, ...]:
    x = f"{_at(value):.1f}"
    return (
        tag("line", cls="axis", x1=x, x2=x, y1=str(TOP), y2=str(bottom)),
        tag("text", f"{value:g}", x=x, y=str(bottom + 16), text_anchor="middle"),
    )


def _row(entry: RankingEntry, top: int) -> tuple[Node, ...]:
    middle = str(top + 32)
    interval = entry.interval
    score = float(entry.avg_score or 0)
    bar = None
    if interval is not None:
        left, right = _at(interval.low), _at(interval.high)
        bar = tag(
            "rect",
            cls="range",
            x=f"{left:.1f}",
            y=str(top + 25),
            height="14",
            rx="7",
            width=f"{max(2.0, right - left):.1f}",
        )
    name = f"{entry.rank}. {entry_title(entry)}"
    return (
        tag("text", name, cls="name", x=str(EDGE + 4), y=str(top + 16)),
        bar,
        tag("circle", cls="point", cx=f"{_at(score):.1f}", cy=middle, r="5.5"),
    )
