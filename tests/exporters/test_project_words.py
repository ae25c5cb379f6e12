"""Reports of projects speak two languages, and neither has gaps."""

import re
from typing import get_args

import pytest

from tests.exporters.project_reports import report
from whet.documents.verdict import Label
from whet.exporters.projects.figures import Trouble
from whet.exporters.projects.words import BY_LANGUAGE, ENGLISH, ProjectWords


def gaps(text: object) -> list[str]:
    return sorted(re.findall(r"\{\w+", str(text)))


@pytest.mark.parametrize("words", BY_LANGUAGE.values(), ids=BY_LANGUAGE)
def test_every_language_has_a_word_for_everything(words: ProjectWords) -> None:
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


def test_everything_a_project_may_say_has_a_word() -> None:
    assert set(get_args(Label)) <= set(ENGLISH.versus)
    assert set(get_args(Trouble)) <= set(ENGLISH.states)
    statuses = get_args(type(report().config).model_fields["status"].annotation)
    marks = {"failed_all", "failed_some"}
    assert set(ENGLISH.statuses) == {*statuses, *marks} - {"completed"}
