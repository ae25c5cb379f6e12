"""The language that a text is in."""

import re


def is_chinese(text: str) -> bool:
    """Whether a person who wrote *text* would like an answer in Chinese."""
    return not text.isascii() and re.search(r"[\u4e00-\u9fff]", text) is not None
