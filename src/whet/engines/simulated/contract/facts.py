"""What can be said of a text by counting and by quoting it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

_HAN = "\u3400-\u9fff"
_MARKS = "\u3000-\u303f\uff00-\uffef"
_WORD = re.compile(rf"[{_HAN}]|[^\s{_HAN}{_MARKS}]+")
_TERM = re.compile(rf"[a-z][a-z'-]{{2,30}}|[{_HAN}]{{2,200}}")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_MARKUP = re.compile(r"^\s*(?:[#>*+-]+|\d+[.)])\s+")
_SMALL = (
    "about after all also and any are because been but can could did does for from had has have "
    "her here him his how into its just may more most not now one our out over she should some "
    "such than that the their them then there these they this those through too two very was were "
    "what when where which while who will with would you your 一个 我们 他们 这个 可以 没有"
)
_EMPTY = frozenset(_SMALL.split())
_TITLE = 80
_SUMMARY = 280
_SAMPLE = 20_000
"""Characters of a text from which it is quoted."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts, and what the text itself says first and most."""

    words: int
    lines: int
    characters: int
    sentences: int
    paragraphs: int
    title: str
    summary: str
    terms: tuple[tuple[str, int], ...]
    """The words that it has most often, with how often."""


def facts_of(text: str, top: int = 5) -> Facts:
    """Look at a text."""
    sample = text[:_SAMPLE]
    sentences = _sentences(sample)
    return Facts(
        words=count_words(text),
        lines=text.count("\n") + (not text.endswith("\n") and text != ""),
        characters=len(text),
        sentences=len(sentences if sample == text else _sentences(text)),
        paragraphs=sum(1 for part in re.split(r"\n\s*\n", text) if part.strip()),
        title=_title(sample),
        summary=_summary(sentences),
        terms=_terms(text, top),
    )


def together(parts: Sequence[Facts], joined: Facts) -> Facts:
    """Several texts as one: what is counted is added up, the rest is that of all *joined*."""
    return replace(
        joined,
        words=sum(part.words for part in parts),
        lines=sum(part.lines for part in parts),
        characters=sum(part.characters for part in parts),
        sentences=sum(part.sentences for part in parts),
        paragraphs=sum(part.paragraphs for part in parts),
    )


def count_words(text: str) -> int:
    """What blanks separate; of Chinese every character."""
    return len(text.split()) if text.isascii() else sum(1 for _ in _WORD.finditer(text))


def first_words(text: str, most: int) -> str:
    """The beginning of a text, up to that many words."""
    end = 0
    for number, word in enumerate(_WORD.finditer(text)):
        if number == most:
            return text[:end]
        end = word.end()
    return text


def _sentences(text: str) -> list[str]:
    lines = (_MARKUP.sub("", line) for line in text.splitlines() if not line.startswith("#"))
    found = _SENTENCE_END.split("\n".join(lines))
    return [sentence.strip() for sentence in found if sentence.strip(" \t*_|-=`")]


def _summary(sentences: Sequence[str]) -> str:
    """The first sentences, as many as there is room for; the first one at any rate."""
    summary = sentences[0][:_SUMMARY] if sentences else ""
    for sentence in sentences[1:3]:
        longer = f"{summary} {sentence}" if summary.isascii() else f"{summary}{sentence}"
        if len(longer) > _SUMMARY:
            break
        summary = longer
    return summary


def _title(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()[:50]]
    headings = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return next((line for line in (*headings, *lines) if line), "")[:_TITLE]


def _terms(text: str, top: int) -> tuple[tuple[str, int], ...]:
    counter: Counter[str] = Counter()
    for term in _TERM.findall(text.lower()):
        if term.isascii():
            counter[term] += term not in _EMPTY
        else:
            pairs = (term[at : at + 2] for at in range(len(term) - 1))
            counter.update(pair for pair in pairs if pair not in _EMPTY)
    ranked = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return tuple((term, count) for term, count in ranked[:top] if count)
