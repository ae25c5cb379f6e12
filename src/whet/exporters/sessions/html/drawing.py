"""The timeline: bands for phases, lanes for calls. As wide as its page, and never distorted."""

from collections.abc import Iterator, Mapping, Sequence

from whet.documents.session_report import SessionBand, SessionReport
from whet.exporters.html.tags import Html, joined, tag
from whet.exporters.plain import line
from whet.exporters.sessions.html.axis import Axis
from whet.exporters.sessions.html.bilingual import Bilingual
from whet.exporters.sessions.telling import failures
from whet.exporters.sessions.texts import clock, length

BAND, GAP, AXIS = 26, 6, 30
"""Heights: of a row of phases, between rows, and of the times below."""

MOST_BAND_ROWS = 3
MOST_PAUSES = 40
TICKS = 6
FINEST = 0.0008
"""What is narrower, as a share of the width, is drawn so wide, or together with its neighbour."""

NAME_STARTS, LETTER = 11, 8
"""Of the name of a phase, in pixels."""

ROOMS = (480, 700, 900, 1100, 1300)
"""Widths of pages from which on there is room for a name; the style sheet has the same."""

AROUND = 140
"""What lies left and right of the picture."""


def timeline(report: SessionReport, axis: Axis, words: Bilingual) -> Html:
    """The picture; what it says stands in a table, too."""
    laid_out = report.layout
    rows = _band_rows(laid_out.bands)
    lanes = max(laid_out.lanes, default=0) + 1
    tall = 16 if lanes <= 3 else 11 if lanes <= 6 else 8
    top = (max(rows, default=-1) + 1) * (BAND + GAP)
    bottom = top + lanes * (tall + 4) + GAP
    said = words.label(
        "timeline_label",
        calls=len(report.session.tool_calls),
        lanes=lanes,
        duration=length(laid_out.duration_ms),
        failed=failures(report),
    )
    bands = zip(range(len(rows)), laid_out.bands, rows, strict=True)
    return tag(
        "svg",
        *(_band(report, axis, band, number, row, words.words) for number, band, row in bands),
        *(_lane(report, axis, lane, top + lane * (tall + 4), tall) for lane in range(lanes)),
        _times(axis, bottom, words.words),
        tag("line", id="head", cls="playhead", x1="0%", x2="0%", y1="0", y2=str(bottom)),
        width="100%",
        height=str(bottom + AXIS),
        role="img",
        id="timeline",
        **said,
    )


def _time(axis: Axis, share: float) -> str:
    """What is written below the line; of a short session in tenths of a second."""
    if axis.time(1) < TICKS * 2_000:
        return f"{axis.time(share) / 1_000:.1f} s"
    return clock(axis.time(share))


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def _band_rows(bands: Sequence[SessionBand]) -> list[int]:
    """The row of each band; those that overlap have different ones, as far as there are rows."""
    ends: list[int] = []
    rows: list[int] = []
    for band in bands:
        free = (row for row, end in enumerate(ends) if end < band.first)
        row = min(next(free, len(ends)), MOST_BAND_ROWS - 1)
        if row == len(ends):
            ends.append(band.last)
        ends[row] = max(ends[row], band.last)
        rows.append(row)
    return rows


def _band(
    report: SessionReport,
    axis: Axis,
    band: SessionBand,
    number: int,
    row: int,
    words: Mapping[str, str],
) -> Html:
    ends = max(report.layout.ends_ms[band.first : band.last + 1], default=0)
    start, _ = axis.span(report.layout, band.first)
    end = axis.at(ends) if axis.is_timed else axis.span(report.layout, band.last)[1]
    wide, top = max(end - start, 3 * FINEST), row * (BAND + GAP)
    kind = band.phase_type
    told = line(band.description or "", 200)
    title = f"{words[kind]}: {told}" if told else words[kind]
    return tag(
        "svg",
        tag("title", title),
        tag("rect", cls=f"band p-{kind}", width="100%", height=str(BAND), rx="5"),
        tag("rect", cls=f"edge p-{kind}", width="4", height=str(BAND), rx="2"),
        _name(kind, wide, words),
        x=_percent(start),
        y=str(top),
        width=_percent(wide),
        height=str(BAND),
        cls="clip",
        data_band=str(number),
    )


def _name(kind: str, wide: float, words: Mapping[str, str]) -> Html | None:
    """The name of a phase, where there is room for all of it: half a word says nothing, and the
    title has it. Which width that takes is known, and style sheets know the width of the page."""
    longest = max(len(kind), 2 * len(words[kind]) if not words[kind].isascii() else 0)
    needed = (NAME_STARTS + LETTER * longest) / wide
    page = next((each for each in ROOMS if needed <= each - AROUND), None)
    if page is None:
        return None
    place = {"x": str(NAME_STARTS), "y": "17", "cls": f"bandname r{page}"}
    return tag("text", words[kind], **place, data_word=kind)


def _lane(report: SessionReport, axis: Axis, lane: int, top: int, tall: int) -> Html:
    marks = (
        tag(
            "rect",
            cls=f"call {kind}",
            x=_percent(start),
            y=str(top),
            width=_percent(end - start),
            height=str(tall),
            rx="2",
        )
        for start, end, kind in _marks(report, axis, lane)
    )
    ground = tag("rect", cls="lane", x="0", y=str(top), width="100%", height=str(tall), rx="3")
    return tag("g", ground, *marks)


def _marks(report: SessionReport, axis: Axis, lane: int) -> Iterator[tuple[float, float, str]]:
    """What is drawn in a lane: calls that lie closer than can be seen are one."""
    lanes, calls = report.layout.lanes, report.session.tool_calls
    begun: tuple[float, float, str] | None = None
    for place in sorted(
        (place for place in range(len(calls)) if lanes[place] == lane),
        key=lambda place: report.layout.starts_ms[place],
    ):
        start, end = axis.span(report.layout, place)
        end = min(1.0, max(end, start + FINEST))
        start = min(start, end - FINEST)
        call = calls[place]
        kind = "c-failed" if call.output.status == "failed" else f"c-{call.tool_category}"
        if begun is None:
            begun = start, end, kind
        elif start <= begun[1] + FINEST / 2 and kind == begun[2]:
            begun = begun[0], max(begun[1], end), kind
        elif start > begun[0] + FINEST / 2 or kind == "c-failed":
            yield begun[0], min(begun[1], max(start, begun[0] + FINEST)), begun[2]
            begun = start, end, kind
        else:
            begun = begun[0], max(begun[1], end), begun[2]
    if begun is not None:
        yield begun


def _times(axis: Axis, top: int, words: Mapping[str, str]) -> Html:
    if not axis.is_timed:
        return tag("g", tag("line", cls="axis", x1="0", x2="100%", y1=str(top), y2=str(top)))
    marks: list[Html] = [tag("line", cls="axis", x1="0", x2="100%", y1=str(top), y2=str(top))]
    for number in range(TICKS + 1):
        share = number / TICKS
        anchor = "start" if number == 0 else "end" if number == TICKS else "middle"
        x = _percent(share)
        marks += (
            tag("line", cls="axis", x1=x, x2=x, y1=str(top), y2=str(top + 5)),
            tag("text", _time(axis, share), x=x, y=str(top + 20), text_anchor=anchor),
        )
    for pause in sorted(axis.pauses, key=lambda pause: -pause.length)[:MOST_PAUSES]:
        told = words["pause"].format(length=length(pause.length))
        broken = tag("line", cls="broken", x1="-4", x2="4", y1=str(top + 6), y2=str(top - 6))
        again = tag("line", cls="broken", x1="0", x2="8", y1=str(top + 6), y2=str(top - 6))
        marks.append(
            tag("svg", tag("title", told), broken, again, x=_percent(pause.at), cls="pause")
        )
    return tag("g", joined(marks))
