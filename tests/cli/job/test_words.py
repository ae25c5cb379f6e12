"""Both languages say the same things."""

import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from pydantic import JsonValue

from whet.app.jobs.telling import lines
from whet.cli.job.words import CHINESE, ENGLISH
from whet.core.event import Event
from whet.core.job import MOVES


def said(words: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text with its place; of lists of words only that they are there."""
    if isinstance(words, dict):
        parts: dict[str, Any] = dict(words)  # pyright: ignore[reportUnknownArgumentType]
        for key, value in parts.items():
            yield from said(value, f"{name}.{key}")
    else:
        yield name, words if isinstance(words, str) else "words"


def gaps(text: str) -> list[str]:
    """The names to be filled in."""
    return sorted(re.findall(r"\{[^}]*\}", text))


def test_every_language_has_a_word_for_everything() -> None:
    english, chinese = dict(said(asdict(ENGLISH))), dict(said(asdict(CHINESE)))
    assert english.keys() == chinese.keys()
    for name, text in english.items():
        assert gaps(text) == gaps(chinese[name]), name
        assert bool(text) == bool(chinese[name]), name


def test_every_state_has_a_word() -> None:
    for words in (ENGLISH, CHINESE):
        assert MOVES.keys() <= words.find.states.keys()


def test_a_state_is_a_line_of_the_log_and_so_is_each_step() -> None:
    moved = Event(cursor=1, at="2026-01-01T00:00:00Z", kind="job.queued", subject="x")
    assert lines(moved) == [{"at": moved.at, "kind": "queued", "text": ""}]
    steps: list[JsonValue] = [{"kind": "said", "text": "hello"}, "no step", {"kind": "ended"}]
    told = Event(cursor=2, at="", kind="job.steps", subject="x", data={"steps": steps})
    assert [each["kind"] for each in lines(told)] == ["said", "ended"]
