"""Which of the options an answer chooses."""

import re
from collections.abc import Iterable

LETTERS = "ABCDEFGH"

_MOST = 20_000
"""Characters at the end of an answer that are looked at."""

_SHORT = 32
_BOTH = f"{LETTERS}{LETTERS.lower()}"
_OPEN = r"[\s(\[{<\"'`*_~（【「“‘]{0,8}"
_CLOSE = r"[)\]}>\"'`*_~）】」”’]{0,8}"
_PAST = r"(?![A-Za-z0-9_'’-])"
"""What follows a letter that is no part of a word."""

_HEDGE = (
    rf"(?!{_CLOSE}[\s.]{{0,4}}(?:/|\||,|、|(?i:or|and)\b|或|和|与){_OPEN}[{LETTERS}](?![A-Za-z0-9]))"
    rf"(?!(?:[ \t]{{1,4}}[{LETTERS}]){{1,7}}[ \t.]{{0,4}}(?:\n|\Z))"
)
"""Several letters are no choice."""

_NAMED = (
    r"(?i:final answer|answer|choice|(?:correct|right) option|最终答案|正确答案|答案|选择|选项)"
)
_SIGN = r"(?:[\s*_`]{0,4}(?i:is|[:=为是])){1,2}"
_AFTER_NAME = rf"{_NAMED}(?:{_SIGN}|(?<=答案)[\s*_`]{{0,4}})"
_LABELLED = re.compile(
    rf"{_AFTER_NAME}{_OPEN}(?:(?i:option)\s{{1,3}}|选项\s{{0,3}})?{_OPEN}"
    rf"(?:([{LETTERS}]){_HEDGE}{_PAST}|([{LETTERS.lower()}]){_CLOSE}[.。]?[ \t]{{0,4}}(?:\n|\Z))"
    r"|\\boxed\{(?:\\(?:text|mathrm|mathbf)\{)?"
    rf"\s{{0,3}}([{_BOTH}])\s{{0,3}}\}}"
)

_VERB = r"(?<!not )(?<!n't )(?<!never )\b(?i:choose|pick|select|go with)\s{1,3}(?i:option\s{1,3})?"
_ZH_VERB = r"(?<![不勿别])(?<!不[应能会可要该])选(?!项)择?\s{0,3}"
_STATED = re.compile(
    rf"(?:{_VERB}|{_ZH_VERB}){_OPEN}([{LETTERS}]){_HEDGE}{_PAST}"
    rf"|(?<![A-Za-z0-9])([{LETTERS}]){_CLOSE}\s{{0,3}}"
    r"(?:(?i:is (?:the )?(?:correct|right)\b)|(?:选项)?(?:是|为)?(?:正确|对)的)"
)

_ALONE = re.compile(
    rf"[\s\-*>`(\[{{<\"'_~（【「“‘]{{0,8}}([{_BOTH}])[\s.,;:!)\]}}>\"'`*_~。，；：！）】」”’]{{0,8}}"
)
_ITEM = re.compile(rf"[\s\-*>(\[（【]{{0,8}}([{LETTERS}])[*_]{{0,2}}[.):、）】\]][*_]{{0,2}}\s*\S")
_LOOSE = re.compile(rf"(?<![A-Za-z0-9])[{LETTERS}](?![A-Za-z0-9'])")
_ARTICLE = re.compile(r"(?<![A-Za-z0-9])A(?= (?!(?:or|and|is|was)\b)[a-z])")
_NEGATED = re.compile(r"\b(?:not|never|neither|nor)\b|n't\b|不|非|错", re.IGNORECASE)
_FIRST_OF_LIST = re.compile(
    r"(?<![A-Za-z0-9])A[).:、](?=[^\n]{1,60}?(?<![A-Za-z0-9])B[).:、][^\n]{1,60}?(?<![A-Za-z0-9])C[).:、])"
)
_OPTION = re.compile(rf"(?<![A-Za-z0-9])([{LETTERS}])[.):、]")

_ANSWER_TAG = re.compile(r"<\s{0,3}(?:final[_ ]?)?(?:answer|choice)\s{0,3}>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9_:-]{1,40}(?:\s[^<>]{0,200})?/?>")
_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: " "}


def narrow(text: str) -> str:
    """*text* with full-width letters, digits and signs as plain ones."""
    return text.translate(_WIDE)


def chosen(answer: str) -> str | None:
    """The letter, or None if there is none or no single one.

    The last one with a label ("Answer: B") counts. Else all that stand alone on a line must agree,
    else all that are stated ("B is correct"), else all that begin a line ("B) 42"). In a short
    answer of one line it is enough that a single one stands alone among words.
    """
    tail = _ANSWER_TAG.sub("\nAnswer: ", narrow(answer[-_MOST:]))
    # "选项：A) 2 B) 3 C) 4" is no label of A.
    tail = _FIRST_OF_LIST.sub("", _TAG.sub(" ", tail)).strip()
    if labelled := _letters(_LABELLED.finditer(tail)):
        return labelled[-1]
    lines = tail.splitlines()
    for found in (
        _letters(filter(None, map(_ALONE.fullmatch, lines))),
        _letters(_STATED.finditer(tail)),
        _letters(filter(None, map(_ITEM.match, lines))),
    ):
        if found and not _lists(tail, found):
            return found[0] if len(set(found)) == 1 else None
    return _loose(tail) if len(lines) == 1 and len(tail) <= _SHORT else None


def _letters(found: Iterable[re.Match[str]]) -> list[str]:
    return [next(filter(None, one.groups())).upper() for one in found]


def _lists(tail: str, found: list[str]) -> bool:
    """Whether several options stand on one line, as in an echo: then its first is no choice."""
    return len(found) == 1 and len(set(_OPTION.findall(tail))) > 1 and "\n" not in tail


def _loose(tail: str) -> str | None:
    letters = [] if _NEGATED.search(tail) else _LOOSE.findall(_ARTICLE.sub("", tail))
    return letters[0] if len(letters) == 1 else None
