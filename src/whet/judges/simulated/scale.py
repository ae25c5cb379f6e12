"""From shares to scores: which side a dimension asks about, and where on its scale that is."""

import random
import re

from whet.core.rubric import Dimension
from whet.core.sized_cache import sized_cache

_WORDS = {
    "correctness": r"correct|function|accura|complete|require|goal|正确|功能|准确|完整|需求",
    "robustness": r"robust|error|exception|edge|input|safe|secur|健壮|鲁棒|异常|边界|安全",
    "conciseness": r"concis|brief|length|brevity|verbos|简洁|精简|冗",
    "complexity": r"complex|efficien|performan|speed|memory|复杂|效率|性能",
    "form": r"format|style|complian|convention|lint|格式|规范|风格",
    "readability": r"readab|clar|naming|\bnames?\b|document|comment|maintain"
    r"|可读|清晰|命名|注释|维护",
}
_SIDES = {side: re.compile(words, re.IGNORECASE) for side, words in _WORDS.items()}
_WEIGHTS = {
    "correctness": 30,
    "robustness": 20,
    "readability": 15,
    "conciseness": 15,
    "complexity": 10,
    "form": 10,
}
_NOISE_RATE = 0.35
_FINE_SCALE = 10


def side_of(dimension: Dimension) -> str | None:
    """The side that *dimension* asks about, by its name and then its description."""
    return _side_of(dimension.name, dimension.description[:400])


@sized_cache(1024 * 1024)
def _side_of(*texts: str) -> str | None:
    for text in texts:
        for side, words in _SIDES.items():
            if words.search(text):
                return side
    return None


def overall(shares: dict[str, float]) -> float:
    """The weighted mean of all sides."""
    return sum(weight * shares[side] for side, weight in _WEIGHTS.items()) / sum(_WEIGHTS.values())


def on_scale(dimension: Dimension, share: float, chance: random.Random) -> float:
    """Place *share* on the dimension's scale, off by a little now and then as judges are."""
    low, high = dimension.minimum, dimension.maximum
    span = high - low
    off = chance.choice((-1, 1)) if chance.random() < _NOISE_RATE else 0
    exact = low + share * span + off * (1 if span >= _FINE_SCALE else 0.04 * span)
    whole = float(low).is_integer() and float(high).is_integer()
    score = round(exact) if whole else round(exact, 2)
    return min(max(score, low), high)
