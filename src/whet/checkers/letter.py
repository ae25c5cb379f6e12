"""Which of the options an answer chooses."""

import re

LETTERS = "ABCDEFGH"

_MOST = 20_000
"""Characters at the end of an answer that are looked at."""

_SHORT = 32
_LABEL = r"(?i:final answer|answer|choice|最终答案|答案|选择|选项)"
_SIGN = r"(?:[\s*_`]{0,4}(?i:is|[:：为是])){1,2}"
_OPEN = r"[\s(\[{<\"'`*_~（【「]{0,8}"
_END = r"(?=[\s.,;:!?)\]}>\"'`*_~。，；：！？）】」]|\Z)"
_HEDGE = rf"(?![\s)\].*]{{0,4}}(?:/|\||,|、|(?i:or|and)\b|或|和)\s{{0,4}}\(?[{LETTERS}]\b)"
_LABELLED = re.compile(rf"{_LABEL}{_SIGN}{_OPEN}([{LETTERS}]){_HEDGE}{_END}")
_ALONE = re.compile(
    rf"[\s\-*>`(\[{{<\"'_~（【「]{{0,8}}([{LETTERS}{LETTERS.lower()}])"
    r"[\s.):\]}>\"'`*_~。）】」]{0,8}"
)
_LOOSE = re.compile(rf"(?<![A-Za-z0-9])[{LETTERS}](?![A-Za-z0-9])")


def chosen(answer: str) -> str | None:
    """The letter, or None if there is none or no single one.

    The last one with a label ("Answer: B") counts. Else there must be one that stands alone on
    a line, or, in a short answer of one line, one that stands alone among words.
    """
    tail = answer[-_MOST:].strip()
    if labelled := _LABELLED.findall(tail):
        return labelled[-1]
    lines = tail.splitlines()
    alone = {found[1].upper() for line in lines if (found := _ALONE.fullmatch(line))}
    if alone:
        return alone.pop() if len(alone) == 1 else None
    loose = _LOOSE.findall(tail)
    return loose[0] if len(lines) == 1 and len(tail) <= _SHORT and len(loose) == 1 else None
