"""Suites from strangers: whatever is in them, they are read or refused."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.evaluate.suites import (
    PYTHON,
    Fields,
    checkers,
    eval_,
    mistakes,
    skill_at,
    suite_at,
    suite_of,
)
from whet.core.errors import InvalidSuite, WhetError
from whet.evaluate.suite import parse_suite, read_suite


@pytest.mark.parametrize("identity", ["../x", "a/b", "磨刀", "é" * 300, "-1", 10**300, "a\nb"])
def test_strange_ids_are_only_names(tmp_path: Path, identity: int | str) -> None:
    [case] = suite_at(tmp_path, suite_of(eval_(identity))).cases
    assert case.id == str(identity)


def test_an_id_steers_no_terminal(tmp_path: Path) -> None:
    [told] = mistakes(tmp_path, suite_of(eval_("\x1b[2J", prompt="")))
    assert told == r"eval '\x1b[2J': prompt: must not be empty"


def test_a_number_too_long_to_be_written(tmp_path: Path) -> None:
    skill_at(tmp_path, suite_of(eval_(7777)))
    path = tmp_path / "evals/evals.json"
    path.write_text(path.read_text().replace("7777", "7" * 5000, 1))
    with pytest.raises(WhetError):
        read_suite(tmp_path, checkers())


def nested(folder: Path, depth: int) -> Path:
    """A skill whose suite has lists in lists."""
    skill_at(folder, suite_of(eval_(), more="@"))
    path = folder / "evals/evals.json"
    path.write_text(path.read_text().replace('"@"', "[" * depth + "]" * depth))
    return path


def test_what_is_read_can_be_written(tmp_path: Path) -> None:
    path = nested(tmp_path, 98)
    suite = read_suite(tmp_path, checkers())
    assert json.loads(suite.document.to_json()) == json.loads(path.read_text())


@pytest.mark.parametrize("depth", [105, 250, 253, 600, 5000])
def test_what_could_not_be_written_is_not_read(tmp_path: Path, depth: int) -> None:
    """A run keeps a copy of its suite."""
    nested(tmp_path, depth)
    with pytest.raises(WhetError, match=r"nested more than|broken JSON"):
        read_suite(tmp_path, checkers())


@pytest.mark.slow
def test_ten_thousand_evals(tmp_path: Path) -> None:
    """Twice as long as ten times fewer would be fine; a hundred times would not."""
    plain: list[JsonValue] = [
        {"id": n, "prompt": "p", "structural_expectations": [PYTHON]} for n in range(9_999)
    ]
    skill_at(tmp_path, suite_of(*plain, *plain[:1]))
    begun = time.process_time()
    with pytest.raises(InvalidSuite) as caught:
        read_suite(tmp_path, checkers())
    assert caught.value.problems == ("eval 0: id: another eval has the same id",)
    assert time.process_time() - begun < 15


Anything = st.SearchStrategy[Any]


def anything() -> Anything:
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    return st.recursive(scalars, grown, max_leaves=6)


def grown(inner: Anything) -> Anything:
    return st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)


def objects(values: Anything, *names: str) -> Anything:
    return st.dictionaries(st.sampled_from(names), values, max_size=3)


def evals() -> Anything:
    """Sound evals with a few fields spoilt, and things with fields of evals."""
    words = st.sampled_from(["file_exists", "file_contains", "file_count", "(", "*"])
    of_check = ("id", "type", "pattern", "match", "match_regex", "count", "weight")
    of_dimension = ("name", "weight", "minimum", "maximum", "scoring", "anchors")
    dimensions = st.lists(objects(anything(), *of_dimension), max_size=3)
    changes = objects(
        anything()
        | st.lists(objects(words | anything(), *of_check), max_size=3)
        | st.fixed_dictionaries({"dimensions": dimensions}),
        *("id", "name", "prompt", "expected_output", "files", "expectations", "cluster"),
        *("structural_expectations", "quality_rubric", "timeout_seconds", "assertions", "rubric"),
    )
    return st.builds(spoilt, st.sampled_from([eval_(), {}]), changes)


def spoilt(sound: Fields, changes: Fields) -> Fields:
    return {**sound, **changes}


def suite_with(given: list[JsonValue]) -> Fields:
    return suite_of(*given)


def suites() -> Anything:
    sound = st.builds(suite_with, st.lists(evals() | anything(), max_size=3))
    top = objects(anything(), "skill_name", "eval_config", "evals")
    return anything() | st.builds(spoilt, sound, top)


@pytest.mark.slow
@given(suites())
@settings(max_examples=300, deadline=None)
def test_whatever_is_in_it_it_is_read_or_refused(data: JsonValue) -> None:
    try:
        suite = parse_suite(data, Path("nowhere"), checkers())
    except InvalidSuite:
        return
    assert [case.id for case in suite.cases] == list(suite.evals)
    for case in suite.cases:
        assert case.stimulus.digest != case.standard.digest
    assert json.loads(suite.document.to_json()) == data
