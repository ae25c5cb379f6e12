"""Tags: which words can be ones, and some without any model."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.core.words import spelled, subject_words

LONGEST = 40
MOST_TAGS = 10
_SIMULATED_TAGS = 5


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be tagged."""

    kind: Literal["skill", "baseline"]
    id: str
    name: str
    description: str = ""
    text: str = ""
    """Its content, or its cases as text."""

    present: tuple[str, ...] = ()
    """Tags that it has, whatever a person said to them."""


def usable(values: Iterable[JsonValue]) -> list[str]:
    """The tags that can be ones, each once, in their order."""
    found: dict[str, str] = {}
    for value in values:
        if isinstance(value, str) and len(value) <= 10 * LONGEST:
            plain = " ".join(unicodedata.normalize("NFC", value).split())
            if 1 <= len(plain) <= LONGEST and plain.isprintable():
                found.setdefault(_key(plain), plain)
    return [*found.values()]


def new_tags(values: Iterable[JsonValue], present: Iterable[str]) -> list[str]:
    """The usable ones that are not there yet, at most ten."""
    known = {_key(" ".join(tag.split())) for tag in present}
    return [value for value in usable(values) if _key(value) not in known][:MOST_TAGS]


def word_tags(target: Target) -> list[str]:
    """Tags without a model: words that say what the text is about, those of its name first."""
    weights: dict[str, float] = {}
    spelling: dict[str, str] = {}
    for weight, part in ((4, target.name), (2, target.description), (1, target.text)):
        for word, strength in subject_words(part).items():
            if strength == 1 or not word.isascii():
                weights[word] = weights.get(word, 0) + weight
        spelling = {**spelled(part), **spelling}
    found: list[str] = []
    for word in sorted(weights, key=lambda word: -weights[word]):
        # Pairs of Chinese characters overlap; every character is taken once.
        if word.isascii() or not any(set(word) & set(other) for other in found):
            found.append(spelling[word])
    fresh = new_tags(found, target.present)
    return fresh[:_SIMULATED_TAGS] or usable([target.name]) or [target.kind]


def _key(tag: str) -> str:
    return unicodedata.normalize("NFKC", tag).casefold()
