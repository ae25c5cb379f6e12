"""A rough count of tokens, without any model's own dictionary."""

import math
import re

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]+")
_BYTES = 4
"""Of UTF-8 that make a token, in English and in Chinese alike."""


def estimate(text: str) -> int:
    """Estimate tokens: about 1.5 CJK characters or 4 others make one."""
    wide = 0 if text.isascii() else sum(map(len, _CJK.findall(text)))
    return math.ceil(wide / 1.5 + (len(text) - wide) / 4)


def estimate_bytes(size: int) -> int:
    """Estimate the tokens of a text of which only the size is known."""
    return math.ceil(size / _BYTES)
