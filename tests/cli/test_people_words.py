"""Both languages say the same things where people draft, review and improve evals."""

from tests.cli.test_words import gaps
from whet.cli.eval_people_words import BY_LANGUAGE, ENGLISH


def test_every_language_has_a_word_for_everything() -> None:
    for words in BY_LANGUAGE.values():
        assert words.kinds.keys() == ENGLISH.kinds.keys()
        assert len(words.cells) == len(ENGLISH.cells)
        assert len(words.list_heads) == len(ENGLISH.list_heads)
        for name, text in vars(words).items():
            assert text
            assert gaps(text) == gaps(getattr(ENGLISH, name)), name
