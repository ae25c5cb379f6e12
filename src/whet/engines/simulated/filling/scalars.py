"""Texts and numbers to try, by what a schema says of them."""

import math
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from whet.engines.simulated.filling.pattern import Unknown, example

_LONGEST = 20_000
_LARGEST = 1e300
_FORMATS = {
    "date-time": "2000-01-01T00:00:00Z",
    "date": "2000-01-01",
    "time": "00:00:00Z",
    "duration": "PT0S",
    "email": "nobody@example.org",
    "uri": "https://example.org/",
    "uri-reference": "https://example.org/",
    "hostname": "example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def texts(node: Mapping[str, JsonValue], name: str, turn: int) -> Iterator[str]:
    """By format and pattern, then the name of the place in a length that is asked for."""
    given = node.get("format")
    if isinstance(given, str) and given in _FORMATS and turn == 0:
        yield _FORMATS[given]
    least = min(_whole(node.get("minLength"), 0), _LONGEST)
    pattern = node.get("pattern")
    if isinstance(pattern, str):
        yield from _by_pattern(pattern, least, turn)
        return
    word = name.strip("[]") or "text"
    text = f"{word} {turn + 1}" if turn else word
    most = _whole(node.get("maxLength"), _LONGEST)
    if turn and len(text) > most:
        yield _in_letters(turn).rjust(least, "a")
    yield (text if len(text) >= least else f"{text}{' .' * least}"[:least])[:most]


def _by_pattern(pattern: str, least: int, turn: int) -> Iterator[str]:
    for more in (turn, turn + 1, turn + 2, least + turn):
        try:
            made = example(pattern, more)
        except Unknown:
            return
        yield made
        yield made.ljust(least, "a")


def _in_letters(turn: int) -> str:
    """A short text that no other turn gives."""
    letters = ""
    while turn:
        turn, at = divmod(turn, 26)
        letters += chr(ord("a") + at)
    return letters


def numbers(node: Mapping[str, JsonValue], turn: int) -> Iterator[int | float]:
    """Small ones, then those about the limits that there are."""
    low = max(_numbers(node, "minimum", "exclusiveMinimum"), default=None)
    high = min(_numbers(node, "maximum", "exclusiveMaximum"), default=None)
    step = next((unit for unit in _numbers(node, "multipleOf") if unit > 0), 1)
    for number in _about(low, high):
        yield from (times * step for times in _multiples(number, step, turn))
        yield number
    yield turn + 0.5


def _about(low: float | None, high: float | None) -> Iterator[int | float]:
    yield 0
    for end in (low, high):
        if end is not None:
            yield from (math.floor(end) + 1, math.ceil(end) - 1, end)
    if low is not None and high is not None:
        yield low / 2 + high / 2


def _multiples(number: float, step: float, turn: int) -> Iterator[int]:
    """How many steps lead near a number, or a little beyond it."""
    quotient = number / step
    if math.isfinite(quotient):
        for near in (math.ceil(quotient), math.floor(quotient)):
            yield from (near + turn, near - turn)


def _numbers(node: Mapping[str, JsonValue], *names: str) -> list[int | float]:
    """What is said under these names, as far as it can be reckoned with."""
    given = (node.get(name) for name in names)
    found = [each for each in given if isinstance(each, int | float) and not isinstance(each, bool)]
    return [each for each in found if abs(each) < _LARGEST]


def _whole(value: JsonValue, default: int) -> int:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return default
    return int(value) if 0 <= value < _LARGEST else default
