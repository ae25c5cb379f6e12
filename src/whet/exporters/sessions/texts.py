"""Texts of a session as people may see them: no terminal is steered, no direction is turned."""

import json
import re
from typing import NamedTuple

from pydantic import JsonValue

from whet.exporters.plain import page

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?"
)
_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000


class Shown(NamedTuple):
    """As much of a text as is shown."""

    text: str
    left_out: int
    """Characters."""


def shown(text: str, most: int) -> Shown:
    """The first *most* characters of a text, as a terminal would show them without colours."""
    kept = text[:most]
    if "\x1b" in kept or "\x9b" in kept:
        kept = _ESCAPES.sub("", kept)
    return Shown(page(kept, len(kept)), max(0, len(text) - most))


def written(value: JsonValue) -> str:
    """A value as text: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def length(milliseconds: float) -> str:
    """How long something took."""
    if milliseconds < _SECOND:
        return f"{milliseconds:.0f} ms"
    if milliseconds < _MINUTE - 50:
        return f"{milliseconds / _SECOND:.1f} s"
    whole = round(milliseconds / _SECOND) * _SECOND
    for unit, part, names in (
        (_DAY, _HOUR, ("d", "h")),
        (_HOUR, _MINUTE, ("h", "min")),
        (_MINUTE, _SECOND, ("min", "s")),
    ):
        if whole >= unit:
            return f"{whole // unit} {names[0]} {whole % unit // part:02} {names[1]}"
    return "60.0 s"


def clock(milliseconds: float) -> str:
    """A point in time since the beginning."""
    seconds = int(milliseconds // _SECOND)
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
