"""Text as the words that search knows.

Text is brought to one form (NFKC, case folded) and falls into *runs*: of Chinese, Japanese and
Korean characters, or of other letters and digits. Whatever lies between is left out. A run of the
first kind is kept as its overlapping pairs and its last character, so that every part of it can be
found: a pair as it is, one character as the beginning of a pair. A run of the second kind is a
word. ``中文代码 is_ok`` becomes ``中文 文代 代码 码 is ok``.

What is looked for falls into parts at its spaces, and all parts have to be there. The runs of a
part follow one another in the text. A word has to be there as it is, only the very last one may
be a beginning; Chinese may be any piece of a run.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from whet.core.text import folded

BARRIER = "\ue000"
"""Put between texts: no part of a query is found across it."""

_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u3099-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7a3\ud7b0-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W_{_CJK}]"
_RUN = re.compile(rf"([{_CJK}]+)|{_LETTER}+")
_TO_CHANGE = re.compile(rf"([{_CJK}]+)|[^\x00-\x7f\w{BARRIER}]+|{BARRIER}+")


class Part(NamedTuple):
    """A piece of a query between spaces."""

    tokens: tuple[str, ...]
    """As they follow one another in a text."""

    is_prefix: bool
    """Whether the last token may be the beginning of one."""

    needle: re.Pattern[str]
    """Its first run, as it stands in a folded text."""


def tokens(text: str) -> str:
    """A text as it is given to FTS5. Its ``ascii`` tokenizer divides what is ASCII as we want it
    and takes every other character for a letter, so only those are seen to here."""
    form = folded(text)
    return form if form.isascii() else _TO_CHANGE.sub(_divided, form)


def parts(query: str) -> list[Part]:
    """What all has to be in a text; empty where there is no word in *query*."""
    pieces = [runs for piece in folded(query).split() if (runs := _runs(piece))]
    return [_part(runs, is_last=runs is pieces[-1]) for runs in pieces]


def expression(wanted: Sequence[Part]) -> str:
    """The parts in the language of FTS5. Tokens are letters and digits, so nothing in them can
    be taken for an operator or end a quotation."""
    return " AND ".join(
        f'"{" ".join(part.tokens)}"{" *" if part.is_prefix else ""}' for part in wanted
    )


def _runs(piece: str) -> list[tuple[str, bool]]:
    """Each run and whether it is of Chinese characters."""
    return [(run[0], bool(run[1])) for run in _RUN.finditer(piece)]


def _divided(found: re.Match[str]) -> str:
    run: str | None = found[1]
    if run:
        return f" {' '.join(_pairs(run))} {run[-1]} "
    return f" {BARRIER} " if found[0][0] == BARRIER else " "


def _part(runs: list[tuple[str, bool]], *, is_last: bool) -> Part:
    found: list[str] = []
    for text, is_cjk in runs[:-1]:
        found.extend([*_pairs(text), text[-1]] if is_cjk else [text])
    text, is_cjk = runs[-1]
    found.extend(_pairs(text) or [text] if is_cjk else [text])
    is_prefix = len(text) == 1 if is_cjk else is_last
    return Part(tuple(found), is_prefix, _needle(runs, is_prefix=is_prefix))


def _pairs(run: str) -> list[str]:
    return [first + second for first, second in pairwise(run)]


def _needle(runs: list[tuple[str, bool]], *, is_prefix: bool) -> re.Pattern[str]:
    text, is_cjk = runs[0]
    if is_cjk:
        return re.compile(re.escape(text))
    ends = "" if is_prefix and len(runs) == 1 else rf"(?!{_LETTER})"
    return re.compile(rf"(?<!{_LETTER}){re.escape(text)}{ends}")
