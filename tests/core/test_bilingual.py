"""Every vocabulary of the program: both languages say as much, with the same names to fill in."""

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from string import Formatter
from typing import Any

import pytest

import whet
from whet.core.bilingual import Both, Words

CHINESE = re.compile(r"[\u3400-\u9fff]")


def vocabularies() -> list[type[Words]]:
    for module in pkgutil.walk_packages(whet.__path__, "whet."):
        if any(part in module.name for part in (".cli", ".exporters", ".evaluate", ".replay")):
            import_module(module.name)
    found: list[type[Words]] = []
    waiting = [Words]
    while waiting:
        below = waiting.pop().__subclasses__()
        found += below
        waiting += below
    return [one for one in found if one.__module__.startswith("whet.")]


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from texts(one)


def filled_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def pairs() -> list[tuple[str, Both[Any]]]:
    return [
        (f"{owner.__module__}.{owner.__name__}.{name}", value)
        for owner in vocabularies()
        for name, value in vars(owner).items()
        if isinstance(value, Both)
    ]


def test_both_languages_have_the_same_shape_and_the_same_names_to_fill_in() -> None:
    found = pairs()
    assert len(found) > 5
    for where, both in found:
        assert type(both.english) is type(both.chinese), where
        if isinstance(both.english, dict):
            assert list(both.english) == list(both.chinese), where
        english, chinese = list(texts(both.english)), list(texts(both.chinese))
        assert len(english) == len(chinese), where
        for one, other in zip(english, chinese, strict=True):
            assert bool(one) == bool(other), where
            assert filled_in(one) == filled_in(other), where
            assert not CHINESE.search(one), where


@pytest.mark.parametrize(("language", "said"), [("en", "yes"), ("zh", "是")])
def test_a_vocabulary_speaks_one_language(language: str, said: str) -> None:
    class Answer(Words):
        yes = Both("yes", "是")

    assert Answer(language).yes == said
