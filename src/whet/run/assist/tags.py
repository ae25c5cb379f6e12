"""Tags: which words can be ones, and some without any model."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.core.front_matter import without_front_matter
from whet.core.words import spelled, subject_words

LONGEST = 40
MOST_TAGS = 10
_SIMULATED_TAGS = 5

_LONGEST_TEXT = 8_000
_SHORTEST, _LONGEST_PHRASE = 2, 8
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_JOINING = re.compile(
    # Characters that join words, unless they are a part of a word themselves.
    r"(?<!目)的(?!确|士)|地(?=进行|生成|处理)|了(?!解|结)|(?<!总|饱|温|平|柔|缓|随)和(?!平|谐|解|气|蔼)"
    r"|(?<!参|给|赋|授)与(?!否|会|众|其)|(?<!普|涉|以|提)及(?!时|格|早)|(?<!即|麻)将(?!来|军|近|要)"
    r"|(?<!合)并(?!且|行|发|列|入|购)|或(?!许|然)|把(?!握|手|关)|被(?!动|子)"
    r"|(?<!申|邀|聘)请(?!求|假|教|柬)|(?<!应|适|相|正)当(?!前|地|时|天|作|中|年|然|事)|时使用|使用|用于|用来"
    r"|适用于|以及|并且|或者|如果|如何|怎么|什么|一个|一份|一种|帮我|帮助|需要|可以|能够|根据|按照|通过|对于|关于"
    r"|进行|这个|那个|我的|用户|技能|任务"
)


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
    body = without_front_matter(target.text)
    for weight, part in ((4, target.name), (2, target.description), (1, body)):
        for word, strength in subject_words(part).items():
            if strength == 1 and word.isascii():
                weights[word] = weights.get(word, 0) + weight
        spelling = {**spelled(part), **spelling}
        for phrase in dict.fromkeys(chinese_phrases(part)):
            weights[phrase] = weights.get(phrase, 0) + weight
            spelling[phrase] = phrase
    # A phrase that also stands inside of others is a word that the text is about.
    total = {
        word: weight + sum(weights[one] for one in weights if word != one and word in one)
        for word, weight in weights.items()
        if not word.isascii()
    }
    ordered = sorted(weights, key=lambda word: -total.get(word, weights[word]))
    found = [spelling[word] for word in ordered]
    fresh = new_tags(found, target.present)
    return fresh[:_SIMULATED_TAGS] or usable([target.name]) or [target.kind]


def chinese_phrases(text: str) -> list[str]:
    """Chinese words and groups of words as they stand in a text: what lies between punctuation and
    the words that only join others. Nobody here knows where inside of it a word ends, so it is
    never cut; what is too long for a tag is left out."""
    runs = _CHINESE.findall(text[:_LONGEST_TEXT])
    pieces = (piece for run in runs for piece in _JOINING.split(run))
    return [piece for piece in pieces if _SHORTEST <= len(piece) <= _LONGEST_PHRASE]


def _key(tag: str) -> str:
    return unicodedata.normalize("NFKC", tag).casefold()
