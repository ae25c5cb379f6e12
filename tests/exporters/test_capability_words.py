"""Reports of capability runs speak two languages, and neither has gaps."""

from typing import get_args

import pytest

from tests.exporters.test_project_words import gaps
from whet.documents.capability import Dimension, ItemStatus, RunStatus
from whet.exporters.capability.words import BY_LANGUAGE, ENGLISH, CapabilityWords


@pytest.mark.parametrize("words", BY_LANGUAGE.values(), ids=BY_LANGUAGE)
def test_every_language_has_a_word_for_everything(words: CapabilityWords) -> None:
    for name, text in vars(words).items():
        expected = getattr(ENGLISH, name)
        if name == "base":
            assert text.code == words.code
            continue
        assert text
        if isinstance(expected, str):
            assert gaps(text) == gaps(expected)
            continue
        assert list(text) == list(expected)
        assert [gaps(text[key]) for key in text] == [gaps(expected[key]) for key in text]
        assert all(text.values())


def test_everything_a_run_may_say_has_a_word() -> None:
    assert set(get_args(Dimension)) == set(ENGLISH.dimensions)
    assert set(get_args(ItemStatus)) == set(ENGLISH.statuses)
    assert set(get_args(RunStatus)) == set(ENGLISH.run_statuses)
    assert {*get_args(RunStatus)} - {"finished"} <= set(ENGLISH.banners)
