"""Text from suites, models and logs, as text and nothing else.

Control characters would steer a terminal or break XML; characters that turn the direction of
writing would show something else than what is there.
"""

import re

_STEERING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufffe\uffff]"
)
_ENDS = re.compile("\r\n?")
_SPACE = re.compile(r"\s+")

LINE = 400
PAGE = 20_000
"""Characters that are shown of a text, unless somebody says otherwise."""


def line(text: str, most: int = LINE) -> str:
    """*text* on one line, shortened to *most* characters."""
    whole = _STEERING.sub("\ufffd", _SPACE.sub(" ", text[: 4 * most])).strip()
    cut = len(whole) > most or len(text) > 4 * most
    return f"{whole[: most - 1].rstrip()}…" if cut else whole


def start(text: str, most: int = PAGE) -> str:
    """The first *most* characters of *text*, with its line ends."""
    return _STEERING.sub("\ufffd", _ENDS.sub("\n", text[:most]))


def page(text: str, most: int = PAGE) -> str:
    """*text* with its line ends, shortened to *most* characters."""
    shown = start(text, most)
    return shown if len(text) <= most else f"{shown}\n[… {len(text) - most}]"
