"""Texts whose own quotes were not escaped, as in logs that a model wrote by hand."""

import re

from pydantic import JsonValue
from pydantic_core import from_json

from whet.documents.session_import import Repairs

_LINE = re.compile(rb'^([ \t]*"(?:[^"\\\n]++|\\.)*+"[ \t]*:[ \t]*)"(.*)"([ \t]*,?[ \t\r]*)$', re.M)
_QUOTE = re.compile(rb'\\.|"', re.DOTALL)
_TO_LINE_END = re.compile(rb'([^\n]*)"[ \t]*,?[ \t\r]*(?=\n|\Z)')


def mended(data: bytes, repairs: Repairs) -> JsonValue:
    """A value with such texts, each on a line of its own; None if it is broken otherwise."""
    try:
        value: JsonValue = from_json(_LINE.sub(_escaped_line, data), allow_inf_nan=False)
    except ValueError:
        return None
    _note(repairs)
    return value


def rest_of_text(data: bytes, at: int, end: int) -> int | None:
    """Where the last quote of a line stands, if the line is the rest of such a text."""
    found = _TO_LINE_END.match(data, at, end)
    return found.end(1) if found else None


def text_of(data: bytes, repairs: Repairs) -> str | None:
    """Such a text from its first quote to its last."""
    try:
        value: JsonValue = from_json(b'"' + _escaped(data[1:-1]) + b'"')
    except ValueError:
        return None
    _note(repairs)
    return value if isinstance(value, str) else None


def _escaped_line(found: re.Match[bytes]) -> bytes:
    return found[1] + b'"' + _escaped(found[2]) + b'"' + found[3]


def _escaped(text: bytes) -> bytes:
    return _QUOTE.sub(lambda found: b'\\"' if found[0] == b'"' else found[0], text)


def _note(repairs: Repairs) -> None:
    repairs.note("guessed", "torn_text", "quotes within a text are not escaped")
