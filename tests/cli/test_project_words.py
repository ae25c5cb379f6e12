"""Both languages say the same things of projects."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest
from pydantic import JsonValue

from tests.cli.test_words import gaps
from whet.cli import (
    project_compare_words,
    project_file_words,
    project_find_words,
    project_make_words,
    project_work_words,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

EVERY: "dict[str, dict[str, DataclassInstance]]" = {
    "compare": {**project_compare_words.BY_LANGUAGE},
    "file": {**project_file_words.BY_LANGUAGE},
    "find": {**project_find_words.BY_LANGUAGE},
    "make": {**project_make_words.BY_LANGUAGE},
    "work": {**project_work_words.BY_LANGUAGE},
}


def texts(words: dict[str, JsonValue], above: str = "") -> dict[str, str]:
    """Every text by its name."""
    found: dict[str, str] = {}
    for name, value in words.items():
        if isinstance(value, dict):
            found |= texts(value, f"{above}{name}.")
        else:
            found[f"{above}{name}"] = str(value)
    return found


@pytest.mark.parametrize("name", EVERY)
def test_every_language_has_a_word_for_everything(name: str) -> None:
    english, chinese = (texts(asdict(EVERY[name][language])) for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert gaps(text) == gaps(chinese[key]), key
        assert bool(text) == bool(chinese[key]), key
