"""Every vocabulary of the program: both languages say as much, with the same names to fill in."""

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import zip_longest
from string import Formatter
from typing import Any, cast

import pytest

import whet
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText

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
        yield from texts([*cast("dict[str, Any]", value).values()])
    elif isinstance(value, tuple | list):
        for one in cast("list[Any]", value):
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
    assert [where for where, both in found if not is_alike(both)] == []


def kind(value: object) -> type[object]:
    """Chinese has no plural, so only one side may be a text that chooses its noun."""
    return str if isinstance(value, str) else type(value)


def is_alike(both: Both[Any]) -> bool:
    english, chinese = both.english, both.chinese
    keys = {
        str([*cast("dict[str, Any]", each)]) if isinstance(each, dict) else ""
        for each in (english, chinese)
    }
    if kind(english) is not kind(chinese) or len(keys) > 1:
        return False
    pairs = list(zip_longest(texts(english), texts(chinese), fillvalue=""))
    return all(
        bool(one) == bool(other) and filled_in(one) == filled_in(other) and not CHINESE.search(one)
        for one, other in pairs
    )


@pytest.mark.parametrize(
    ("english", "chinese", "expected"),
    [
        ("{a} of", "{a} 的", True),
        ("{a} of", "{b} 的", False),
        (CountedText("{a:case|cases}"), "{a} 个", True),
        (CountedText("{a:case|cases}"), "{b} 个", False),
        ("one", ("一",), False),
        ({"x": "one"}, {"x": "一"}, True),
        ({"x": "one"}, {"y": "一"}, False),
        ("one", "", False),
        ("一", "一", False),
        (("a", "b"), ("一",), False),
    ],
)
def test_a_difference_is_seen(english: Any, chinese: Any, *, expected: bool) -> None:
    assert is_alike(Both(english, chinese)) is expected


@pytest.mark.parametrize(("language", "said"), [("en", "yes"), ("zh", "是")])
def test_a_vocabulary_speaks_one_language(language: str, said: str) -> None:
    class Answer(Words):
        yes = Both("yes", "是")

    assert Answer(language).yes == said
