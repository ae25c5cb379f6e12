"""A rough count of tokens."""

import math
import re

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]+")


def estimate(text: str) -> int:
    """Estimate tokens: about 1.5 CJK characters or 4 others make one."""
    wide = 0 if text.isascii() else sum(map(len, _CJK.findall(text)))
    return math.ceil(wide / 1.5 + (len(text) - wide) / 4)


def is_chinese(text: str) -> bool:
    """Whether a person who wrote *text* would like an answer in Chinese."""
    return not text.isascii() and re.search(r"[\u4e00-\u9fff]", text) is not None
