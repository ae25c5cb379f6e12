"""The parts of the page that need no script: head, timeline, phases, what was said."""

from collections.abc import Iterator

from whet.documents.session import ContextReference, Decision, PhaseAnnotation
from whet.documents.session_report import SessionBand, SessionReport
from whet.exporters.html.frame import MOST_ITEMS
from whet.exporters.html.tables import table
from whet.exporters.html.tags import Html, Node, tag
from whet.exporters.plain import line
from whet.exporters.sessions.html.axis import Axis
from whet.exporters.sessions.html.bilingual import Bilingual
from whet.exporters.sessions.html.drawing import timeline
from whet.exporters.sessions.telling import facts, redactions
from whet.exporters.sessions.texts import clock, length, shown
from whet.exporters.sessions.words import BY_LANGUAGE

LONGEST = 20_000
"""Characters of the task and the answer."""

CATEGORIES = ("perception", "action", "interaction", "planning", "task_management")


def head(report: SessionReport, words: Bilingual) -> Iterator[Node]:
    """The title, and the session in numbers."""
    session = report.session
    chips = [words.text(session.status, cls=f"chip s-{session.status}")]
    if session.simulated:
        chips.append(words.text("simulated", cls="chip s-simulated"))
    if report.redactions is not None:
        chips.append(words.text("redacted", cls="chip"))
    title = line(session.task_title, 200) or line(session.session_id, 200)
    name = tag("span", line(session.session_id, 120), cls="id")
    yield tag(
        "header",
        tag("div", words.text("title", "p", "kicker"), tag("h1", title), cls="names"),
        _switches(words),
        tag("p", *chips, name, cls="chips"),
        cls="top",
    )
    if session.simulated:
        yield words.text("simulated_long", "p", "banner")
    yield _numbers(report, words)
    if session.error:
        yield tag("section", words.text("error", "h2"), _long(session.error, words), cls="card bad")
    yield tag(
        "section", words.text("prompt", "h2"), _long(session.user_prompt, words), cls="card prompt"
    )


def _switches(words: Bilingual) -> Html:
    """The language is written in itself, for whoever reads no other."""
    return tag(
        "div",
        tag("button", "English", type="button", data_language="en"),
        tag("button", "中文", type="button", data_language="zh"),
        tag("button", words.text("theme_auto"), type="button", id="theme", **words.label("theme")),
        cls="switches",
    )


def _numbers(report: SessionReport, words: Bilingual) -> Html:
    by_language = {code: [*facts(report, BY_LANGUAGE[code])] for code in BY_LANGUAGE}
    tiles: list[Html] = []
    for place, fact in enumerate(by_language[words.language]):
        texts = {code: found[place].text for code, found in by_language.items()}
        more = {code: found[place].more for code, found in by_language.items()}
        tiles.append(
            tag(
                "div",
                words.text(fact.key, "dt"),
                tag("dd", words.told(texts, cls="big"), words.told(more, cls="more")),
            )
        )
    return tag("dl", *tiles, cls="numbers")


def time(report: SessionReport, axis: Axis, words: Bilingual) -> Iterator[Node]:
    """The timeline, what its colours mean, and the same as a table."""
    if not report.session.tool_calls:
        return
    seen = {call.tool_category for call in report.session.tool_calls}
    legend = [
        tag("span", tag("i", cls=f"dot c-{one}"), words.text(one))
        for one in CATEGORIES
        if one in seen
    ]
    legend.append(tag("span", tag("i", cls="dot c-failed"), words.text("failed")))
    quality = report.session.timing_quality
    notes = [
        "" if axis.is_timed else "order",
        "pauses" if any(axis.pauses) else "",
        quality if quality in ("self_reported", "guessed") else "",
    ]
    yield tag(
        "section",
        words.text("timeline", "h2"),
        timeline(report, axis, words),
        tag("p", *legend, cls="legend"),
        *(words.text(key, "p", "note") for key in notes if key),
        _as_table(report, words) if report.layout.bands else None,
        cls="card",
    )


def _as_table(report: SessionReport, words: Bilingual) -> Html:
    names = ("phase", "from_to", "begins", "lasts", "failures", "noted", "description")
    rows = [_row(report, band, words) for band in report.layout.bands[:MOST_ITEMS]]
    rest = len(report.layout.bands) - MOST_ITEMS
    return tag(
        "details",
        words.text("timeline_table", "summary"),
        table([words.text(name) for name in names], rows, "left bands"),
        words.text("more", "p", "note", n=rest) if rest > 0 else None,
    )


def _row(report: SessionReport, band: SessionBand, words: Bilingual) -> Html:
    laid_out, inside = report.layout, slice(band.first, band.last + 1)
    calls = report.session.tool_calls[inside]
    begins = min(laid_out.starts_ms[inside])
    failed = sum(call.output.status == "failed" for call in calls)
    keys = [key for key in (band.annotated_by, band.confidence) if key]
    by = {code: ", ".join(told[key] for key in keys) for code, told in BY_LANGUAGE.items()}
    return tag(
        "tr",
        tag("th", tag("i", cls=f"dot p-{band.phase_type}"), words.text(band.phase_type)),
        tag("td", f"{band.first + 1}–{band.last + 1}"),
        tag("td", clock(begins)),
        tag("td", length(max(laid_out.ends_ms[inside]) - begins)),
        tag("td", str(failed)),
        tag("td", words.told(by)),
        tag("td", line(band.description or "", 300)),
    )


def phases(report: SessionReport, words: Bilingual) -> Iterator[Node]:
    """What was decided in each phase, and what was drawn upon."""
    notes = [
        note
        for note in report.session.phase_annotations or ()
        if note.decisions or note.context_used
    ]
    if notes:
        yield tag(
            "section",
            words.text("phases", "h2"),
            *(_note(note, words) for note in notes[:MOST_ITEMS]),
            cls="card phases",
        )


def _note(note: PhaseAnnotation, words: Bilingual) -> Html:
    decided = [_decision(one) for one in (note.decisions or ())[:MOST_ITEMS]]
    used = [_reference(one) for one in (note.context_used or ())[:MOST_ITEMS]]
    return tag(
        "div",
        tag("h3", tag("i", cls=f"dot p-{note.phase_type}"), words.text(note.phase_type)),
        tag("p", line(note.description, 600)) if note.description else None,
        words.text("decisions", "h4") if decided else None,
        tag("ul", *decided) if decided else None,
        words.text("context_used", "h4") if used else None,
        tag("ul", *used, cls="bare") if used else None,
        cls="noted",
    )


def _decision(one: Decision) -> Html:
    why = tag("span", f" – {line(one.reasoning, 600)}", cls="why") if one.reasoning else None
    return tag("li", line(one.description, 600), why)


def _reference(one: ContextReference) -> Html:
    told = f" – {line(one.summary, 300)}" if one.summary else ""
    return tag(
        "li", tag("i", cls=f"dot x-{one.type}"), line(one.source, 200), tag("span", told, cls="why")
    )


def answer(report: SessionReport, words: Bilingual) -> Iterator[Node]:
    """What the agent came to."""
    if report.session.final_answer:
        yield tag(
            "section",
            words.text("answer", "h2"),
            _long(report.session.final_answer, words),
            cls="card",
        )


def end(report: SessionReport, words: Bilingual) -> Html:
    """What was done to the session before it was written."""
    told = {code: redactions(report, BY_LANGUAGE[code]) for code in BY_LANGUAGE}
    return tag("footer", words.told(told, "p", "note"), words.text("made", "p", "note"))


def _long(text: str, words: Bilingual) -> Html:
    kept, left_out = shown(text, LONGEST)
    note = words.text("cut", "p", "note", n=f"{left_out:,}") if left_out else None
    return tag("div", tag("div", kept, cls="prose", tabindex="0"), note)
