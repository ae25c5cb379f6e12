"""Both languages say the same things."""

import re

from whet.cli.words import BY_LANGUAGE, ENGLISH


def gaps(text: object) -> list[str]:
    """The names to be filled in."""
    return sorted(re.findall(r"\{\w+", str(text)))


def test_every_language_has_a_word_for_everything() -> None:
    for words in BY_LANGUAGE.values():
        assert words.verdicts.keys() == ENGLISH.verdicts.keys()
        for name, text in vars(words).items():
            assert text
            assert gaps(text) == gaps(getattr(ENGLISH, name))
