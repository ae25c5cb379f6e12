"""Pictures inside the page: an interval around zero, and bars."""

from whet.documents.verdict import Verdict
from whet.exporters.amounts import signed, signed_range
from whet.exporters.html.tags import Html, Node, joined, tag
from whet.exporters.words import ReportWords

WIDTH = 640
EDGE = 40
MIDDLE = 46
_ENDS = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0)


def interval(verdict: Verdict, tone: str, words: ReportWords) -> Html | None:
    """The difference and its interval on a line that has zero in its middle."""
    if verdict.delta is None:
        return None
    low = verdict.interval.low if verdict.interval else verdict.delta
    high = verdict.interval.high if verdict.interval else verdict.delta
    end = _end(max(abs(low), abs(high), abs(verdict.delta)))

    def at(value: float) -> str:
        share = min(1.0, max(-1.0, value / end))
        return f"{WIDTH / 2 + share * (WIDTH / 2 - EDGE):.1f}"

    ticks = [_tick(at(value), signed(value)) for value in (-end, -end / 2, 0.0, end / 2, end)]
    wide = max(2.0, float(at(high)) - float(at(low)))
    bar = tag(
        "rect", cls="range", x=at(low), y=str(MIDDLE - 9), height="18", rx="9", width=f"{wide:.1f}"
    )
    said = f"{signed(verdict.delta)} ({signed_range(verdict.interval)})"
    return tag(
        "svg",
        tag("line", cls="axis", x1=at(-end), x2=at(end), y1=str(MIDDLE), y2=str(MIDDLE)),
        *ticks,
        tag("line", cls="zero", x1=at(0), x2=at(0), y1="18", y2=str(MIDDLE + 20)),
        bar if verdict.interval else None,
        tag("circle", cls="point", cx=at(verdict.delta), cy=str(MIDDLE), r="6"),
        _text("8", f"← {words.details['worse_side']}", x=at(-end), anchor="start"),
        _text("8", f"{words.details['better_side']} →", x=at(end), anchor="end"),
        view_box=f"0 0 {WIDTH} 94",
        role="img",
        aria_label=said,
        cls=f"interval {tone}",
    )


def _end(farthest: float) -> float:
    """Where the line ends: a round number beyond everything that is on it."""
    return next((end for end in _ENDS if end >= farthest), 1.0)


def _tick(x: str, text: str) -> Html:
    mark = tag("line", cls="axis", x1=x, x2=x, y1=str(MIDDLE - 4), y2=str(MIDDLE + 4))
    return joined((mark, _text(str(MIDDLE + 36), text, x=x, anchor="middle")))


def _text(y: str, content: Node, *, x: str, anchor: str) -> Html:
    return tag("text", content, x=x, y=y, text_anchor=anchor, dominant_baseline="middle")


def bar(share: float, tone: str = "") -> Html:
    """A thin bar that is *share* of its cell; the number stands beside it."""
    width = 100 * min(1.0, max(0.0, share))
    filled = tag("span", style=f"width:{width:.1f}%")
    return tag("span", filled, cls=f"bar {tone}".strip(), aria_hidden="true")
