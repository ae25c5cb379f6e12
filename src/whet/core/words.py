"""The words of a text that say what it is about, as far as a simple rule can tell.

For simulations only: the simulated agent finds a skill by them, and the simulated author of
descriptions writes with them. A real model needs no such thing.
"""

import re
from collections.abc import Mapping

from whet.core.sized_cache import sized_cache

WEAK = 0.34
"""What a word counts that half of all tasks have."""

_LONGEST = 8_000
"""Characters in which a text has said what it is about."""

_TOKEN = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")
_EMPTY = (
    "a about all also an and any are as ask asks at be by can could did do does eg etc for from "
    "had has have he help helps her here his how i ie if in into is it its like may me mention "
    "mentions might must my need needs no not of on one or our out please she should skill so some "
    "such task tasks than that the their them then there these they this those to up use used user "
    "users uses using via want wants we what when whenever where which who why will with would you "
    "your 一个 帮我 如何 使用 用于 适用 时使 我的 怎么 什么 技能 用户 任务 需要"
)
_COMMON = (
    "add build change code create data day file find generate get give go good hello list make new "
    "number other people person produce project read run show small text thing three two work "
    "write 文件 代码 生成 创建 编写 写一 数据 文本"
)
_STOP = frozenset(_EMPTY.split())


def subject_words(text: str) -> Mapping[str, float]:
    """What the text is about: stems, and pairs of Chinese characters, with their weight."""
    return _subject_words(text[:_LONGEST])


def spelled(text: str) -> Mapping[str, str]:
    """The same words as the text has them."""
    return _spelled(text[:_LONGEST])


@sized_cache(8 * 1024 * 1024, per_character=40)
def _subject_words(head: str) -> Mapping[str, float]:
    return {word: WEAK if word in _WEAK else 1.0 for word in _spelled(head)}


def _spelled(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for token in _TOKEN.findall(text.lower()):
        if token.isascii():
            words = [token] if len(token) > 1 else []
        else:
            words = [token[at : at + 2] for at in range(max(1, len(token) - 1))]
        for word in words:
            if word not in _STOP:
                found.setdefault(_stem(word), word)
    return found


def _stem(word: str) -> str:
    """Forms of one word are mostly alike after this; it need not be right."""
    for ending, instead in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            word = word.removesuffix(ending) + instead
            break
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


_WEAK = frozenset(_spelled(_COMMON))
