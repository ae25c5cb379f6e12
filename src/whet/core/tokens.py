"""How many tokens a text is about, without asking a model."""

import math
import re

_PER_HAN = 1.5
_PER_TOKEN = 4
_HAN = re.compile(
    "[\u2e80-\u30ff\u3100-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)


def estimated_tokens(*texts: str) -> int:
    """One for four characters, one for one and a half in scripts such as Chinese.

    For a threshold, not for a bill: real tokenizers differ from it, and from one another.
    """
    han = sum(len(_HAN.findall(text)) for text in texts)
    others = sum(map(len, texts)) - han
    return math.ceil(han / _PER_HAN + others / _PER_TOKEN)
