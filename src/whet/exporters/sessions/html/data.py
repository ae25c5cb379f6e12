"""What the script of the page draws from: an index of all calls, and their texts in blocks.

Nothing of it is ever HTML: it stands in elements that hold data, with every sign escaped that
could end them, and is read as JSON.
"""

import json
import zlib
from base64 import b64encode
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue

from whet.documents.session import ToolCall
from whet.documents.session_report import SessionReport
from whet.exporters.html.room import fair_share
from whet.exporters.html.tags import Html, tag
from whet.exporters.plain import line
from whet.exporters.sessions.html.axis import Axis
from whet.exporters.sessions.layout import parent_places, phase_places
from whet.exporters.sessions.telling import Part, call_line, outcome, parts
from whet.exporters.sessions.texts import shown
from whet.exporters.sessions.words import BY_LANGUAGE
from whet.ports.session_exporter import ExportWish

LONGEST = 40_000
"""Characters of one text, unless all are wished for."""

ROOM = 12_000_000
"""Characters of all texts together: short ones are whole, long ones share what is left."""

MANY = 2_000
"""Of more calls than that, the lines of the list are shorter."""

PLAIN = 1_500_000
"""Characters of texts from which on they are packed. Below that anybody can read the file."""

LEVEL = 4
"""How hard packing is tried: more takes twice as long and saves little."""

BLOCK = 100
"""Calls of one block."""

_ENDS = "<>&\u2028\u2029"
"""Signs that could end an element, or a line of a script."""


class Texts(NamedTuple):
    """The texts of all calls as elements of the page."""

    blocks: list[Html]
    packed: bool


def element(name: str, value: JsonValue) -> Html:
    """An element that holds data and cannot be left from inside."""
    return _element(name, value, packed=False)


def index(report: SessionReport, axis: Axis, wish: ExportWish, *, packed: bool) -> JsonValue:
    """All that the list, the timeline and the player need of the calls."""
    calls, laid_out = report.session.tool_calls, report.layout
    spans = [axis.span(laid_out, place) for place in range(len(calls))]
    most = 160 if len(calls) <= MANY else 90
    tools = sorted({call.tool_name for call in calls})
    number = {name: place for place, name in enumerate(tools)}
    categories = sorted({call.tool_category for call in calls})
    return {
        "language": wish.language,
        "words": {code: {**words} for code, words in BY_LANGUAGE.items()},
        "tools": [line(name, 80) for name in tools],
        "categories": [*categories],
        "block": BLOCK,
        "packed": packed,
        "phases": [_phase(report, at) for at in range(len(laid_out.bands))],
        "calls": {
            "tool": [number[call.tool_name] for call in calls],
            "category": [categories.index(call.tool_category) for call in calls],
            "failed": [int(call.output.status == "failed") for call in calls],
            "start": [round(at) for at in laid_out.starts_ms],
            "took": [_took(call) for call in calls],
            "from": [round(start, 5) for start, _ in spans],
            "to": [round(end, 5) for _, end in spans],
            "phase": [*phase_places(laid_out.bands, len(calls))],
            "parent": [*parent_places(calls)],
            "line": [call_line(call, most) for call in calls],
            "outcome": [outcome(call, most // 2) for call in calls],
        },
    }


def texts(report: SessionReport, wish: ExportWish) -> Texts:
    """Parameters, outputs and the like, in blocks that are read when they are looked at."""
    told = [[*parts(call)] for call in report.session.tool_calls]
    sizes = [min(len(part.text), LONGEST) for each in told for part in each]
    limit = fair_share(sizes, ROOM) if sizes and not wish.full else LONGEST
    if wish.full:
        limit = max((len(part.text) for each in told for part in each), default=0)
    packed = sum(min(size, limit) for size in sizes) > PLAIN
    details = [
        _detail(call, each, limit)
        for call, each in zip(report.session.tool_calls, told, strict=True)
    ]
    blocks = [
        _element(f"block-{start // BLOCK}", details[start : start + BLOCK], packed=packed)
        for start in range(0, len(details), BLOCK)
    ]
    return Texts(blocks, packed)


def _detail(call: ToolCall, told: Sequence[Part], limit: int) -> dict[str, JsonValue]:
    found: list[JsonValue] = []
    for part in told:
        text, left_out = shown(part.text, limit)
        found.append([part.kind, line(part.name, 80), text, left_out])
    detail: dict[str, JsonValue] = {"parts": found}
    if call.output.truncated:
        detail["truncated"] = True
    if (info := call.subagent_info) is not None:
        counts: list[JsonValue] = [
            [line(one.tool_name, 80), one.count] for one in info.tools_breakdown or ()
        ]
        uses, tokens = info.tool_uses, info.tokens_used
        kind = line(info.subagent_type, 80)
        detail["subagent"] = {"type": kind, "uses": uses, "tokens": tokens, "counts": counts}
    return detail


def _phase(report: SessionReport, place: int) -> JsonValue:
    band = report.layout.bands[place]
    return {"type": band.phase_type, "text": line(band.description or "", 200)}


def _took(call: ToolCall) -> int | float:
    return min(max(0, round(call.duration_ms)), 10**12)


def _element(name: str, value: object, *, packed: bool) -> Html:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if packed:
        data = b64encode(zlib.compress(text.encode(), LEVEL)).decode()
        return tag("script", Html(data), type="application/zlib", id=name)
    for sign in _ENDS:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return tag("script", Html(text), type="application/json", id=name)
