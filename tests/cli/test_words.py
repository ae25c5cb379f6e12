"""Names to be filled in, for tests of vocabularies that ``tests/core/test_bilingual.py`` does not
know yet."""

import re


def gaps(text: object) -> list[str]:
    """The names to be filled in."""
    return sorted(re.findall(r"\{\w+", str(text)))
