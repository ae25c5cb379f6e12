"""A session in Markdown: to read in a pull request, with the details of each call folded away."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby

from whet.documents.session_report import SessionReport
from whet.exporters.html.room import fair_share
from whet.exporters.markdown import MOST_BYTES, escaped, table
from whet.exporters.plain import line
from whet.exporters.sessions.conversation import said_in
from whet.exporters.sessions.layout import parent_places, phase_places
from whet.exporters.sessions.telling import Part, call_line, facts, outcome, parts, redactions
from whet.exporters.sessions.texts import length, shown
from whet.exporters.sessions.words import BY_LANGUAGE
from whet.ports.session_exporter import ExportWish

LONGEST = 4_000
ROOM = 400_000
"""Characters of one text, and of all together."""

SHORT = 100
"""Characters of a text that stands beside its name."""

MOST_CALLS = MOST_BYTES - 100_000
"""Bytes of all calls; the rest is for what stands around them."""

MOST_SAID = 50
DEEPEST = 5
"""Subagents within subagents."""

_TICKS = re.compile("`{3,}")


class MarkdownExporter:
    """``ports.session_exporter.SessionExporter``. Below 1 MB, unless all is wished for."""

    name = "markdown"
    suffix = ".md"
    media_type = "text/markdown; charset=utf-8"

    def export(self, report: SessionReport, wish: ExportWish) -> str:
        """See the port."""
        return "\n\n".join(_Telling(report, wish).blocks()) + "\n"


def fenced(text: str) -> str:
    """A block that shows *text* as it is, by a fence that nothing in it can close."""
    fence = "`" * (max((len(run) for run in _TICKS.findall(text)), default=2) + 1)
    return f"{fence}\n{text}\n{fence}"


def quoted(text: str) -> str:
    """*text* as code within a line."""
    if not text:
        return ""
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{ticks} {text} {ticks}" if "`" in text else f"{ticks}{text}{ticks}"


class _Telling:
    """One session, in one language, within its room."""

    def __init__(self, report: SessionReport, wish: ExportWish) -> None:
        self._report = report
        self._full = wish.full
        self._words: Mapping[str, str] = BY_LANGUAGE[wish.language]
        self._parts = [[*parts(call)] for call in report.session.tool_calls]
        sizes = [len(part.text) for each in self._parts for part in each]
        self._limit = max(sizes, default=0)
        if not wish.full:
            self._limit = fair_share([min(size, LONGEST) for size in sizes], ROOM)
        self._inner: dict[int, list[int]] = {}
        self._outer: list[int] = []
        for place, parent in enumerate(parent_places(report.session.tool_calls)):
            if parent is None:
                self._outer.append(place)
            else:
                self._inner.setdefault(parent, []).append(place)

    def blocks(self) -> Iterator[str]:
        session, words = self._report.session, self._words
        yield f"# {escaped(session.task_title, 200) or escaped(session.session_id, 200)}"
        if session.simulated:
            yield f"> ⚠ {words['simulated_long']}"
        yield self._head()
        yield redactions(self._report, words)
        if session.error:
            yield f"**{words['error']}**\n\n{self._text(session.error)}"
        yield f"## {words['prompt']}\n\n{self._text(session.user_prompt)}"
        yield from self._calls()
        if session.final_answer:
            yield f"## {words['answer']}\n\n{self._text(session.final_answer)}"
        yield from self._said()

    def _head(self) -> str:
        words = self._words
        told = [*facts(self._report, words)]
        names = [words["status"], *(words[fact.key] for fact in told)]
        cells = [f"**{words[self._report.session.status]}**"]
        for fact in told:
            more = f" ({escaped(fact.more, 100)})" if fact.more else ""
            cells.append(escaped(fact.text, 100) + more)
        return table(names, [cells], left=len(names))

    def _calls(self) -> Iterator[str]:
        """Phase by phase, as many as there is room for."""
        bands = self._report.layout.bands
        phase_of = phase_places(bands, len(self._parts))
        left = MOST_CALLS
        done = 0
        for place, group in groupby(self._outer, key=phase_of.__getitem__):
            calls = [*group]
            yield self._heading(place, calls)
            for call in calls:
                block = self._call(call, 0)
                left -= len(block.encode())
                if left < 0 and not self._full:
                    yield self._words["lines_left_out"].format(n=f"{len(self._outer) - done:,}")
                    return
                done += 1
                yield block

    def _heading(self, place: int | None, calls: Sequence[int]) -> str:
        words, bands = self._words, self._report.layout.bands
        if not bands:
            return f"## {words['all_calls']}"
        kind = "unclassified" if place is None else bands[place].phase_type
        told = "" if place is None else escaped(bands[place].description or "", 200)
        count = words["n_calls"].format(n=f"{len(calls):,}")
        return f"## {words[kind]} · {count}" + (f"\n\n{told}" if told else "")

    def _call(self, place: int, depth: int) -> str:
        """One line, and all that is behind it; those of a subagent within."""
        call = self._report.session.tool_calls[place]
        sign = "❌" if call.output.status == "failed" else "✅"
        told = [f"<code>{escape(text)}</code>" for text in (call_line(call, 120),) if text]
        came = f" → <code>{escape(short)}</code>" if (short := outcome(call, 60)) else ""
        name = f"<b><code>{escape(line(call.tool_name, 60))}</code></b>"
        head = f"{sign} {place + 1}. {name} {' '.join(told)}{came} · {length(call.duration_ms)}"
        inside = [*self._inside(self._parts[place])]
        if call.output.truncated:
            inside.append(f"*{self._words['truncated']}*")
        if depth < DEEPEST:
            inside += (self._call(child, depth + 1) for child in self._inner.get(place, ()))
        summary = f"<summary>{head}</summary>"
        return "\n\n".join((f"<details>{summary}", *filter(None, inside), "</details>"))

    def _inside(self, told: Sequence[Part]) -> Iterator[str]:
        """The texts of a call; short ones stand beside their name."""
        for kind, group in groupby(told, key=lambda part: part.kind):
            yield f"**{self._words[kind]}**"
            for part in group:
                name = f"{escaped(part.name, 80)}: " if part.name else ""
                if len(part.text) <= SHORT and len(part.text.strip().splitlines()) <= 1:
                    yield f"- {name}{quoted(shown(part.text.strip(), SHORT).text)}"
                else:
                    yield f"- {name}" if name else ""
                    yield self._text(part.text)

    def _text(self, text: str) -> str:
        kept, left_out = shown(text, max(self._limit, LONGEST if self._full else 0) or LONGEST)
        cut = f"\n\n*{self._words['cut'].format(n=f'{left_out:,}')}*" if left_out else ""
        return fenced(kept) + cut

    def _said(self) -> Iterator[str]:
        found = said_in(self._report.session)
        if not found:
            return
        yield f"## {self._words['messages']}"
        most = len(found) if self._full else MOST_SAID
        yield from (self._text(one.text) for one in found[:most])
        if len(found) > most:
            yield self._words["more"].format(n=f"{len(found) - most:,}")
