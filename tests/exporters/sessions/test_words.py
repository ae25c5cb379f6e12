"""Sessions are exported in two languages, and neither has gaps."""

import re
from typing import get_args

import pytest

from tests.exporters.test_project_words import gaps
from whet.documents.session import PhaseType, ToolCategory
from whet.exporters.sessions.html import script_base, script_detail, script_list, script_player
from whet.exporters.sessions.html.style import CATEGORIES, CONTEXTS, PHASES, STYLE
from whet.exporters.sessions.words import CHINESE, ENGLISH


def test_every_language_has_a_word_for_everything() -> None:
    assert list(ENGLISH) == list(CHINESE)
    assert all(ENGLISH.values())
    assert all(CHINESE.values())
    assert [gaps(text) for text in ENGLISH.values()] == [gaps(text) for text in CHINESE.values()]


@pytest.mark.parametrize("part", [script_base, script_list, script_detail, script_player])
def test_the_script_asks_for_words_that_there_are(part: object) -> None:
    script = str(vars(part)["SCRIPT"])
    asked = set(re.findall(r'word\("(\w+)"[,)]', script)) | set(
        re.findall(r'section\(\w+, "(\w+)"', script)
    )
    assert asked <= set(ENGLISH)


def test_everything_has_its_word_and_its_colour() -> None:
    assert set(get_args(PhaseType)) == set(PHASES) <= set(ENGLISH)
    assert {*get_args(ToolCategory), "failed"} == set(CATEGORIES) <= set(ENGLISH)
    for name in (*PHASES, *CATEGORIES, *CONTEXTS):
        assert re.search(rf"\.[pcx]-{name}{{--c:#[0-9a-f]{{6}}}}", STYLE)
