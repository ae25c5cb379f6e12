"""Values as people write them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.cli.job.inputs import files, typed, values, variables
from whet.core.errors import NotFound, UsageError

TEXTS = st.text(max_size=8)
JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=4,
)


@given(JSON)
def test_json_is_taken_as_it_is(value: JsonValue) -> None:
    assert typed(json.dumps(value), None) == value
    assert typed(json.dumps(value), {"type": "integer"}) == value


@given(st.text())
def test_what_has_to_be_a_text_is_one(text: str) -> None:
    found = typed(text, {"type": "string"})
    assert isinstance(found, str)
    assert found == text or json.dumps(found) == text or json.loads(text) == found


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("2024", "string", "2024"),
        ("2024", "integer", 2024),
        ("null", "string", "null"),
        ('"2024"', "string", "2024"),
        ("true", None, True),
        ("hello", "integer", "hello"),
        ("NaN", "number", "NaN"),
        ("[1, 2]", "string", "[1, 2]"),
        ("", "string", ""),
        ("\udcff", "string", "\udcff"),
        ("\udcff", None, "\udcff"),
    ],
)
def test_the_schema_says_what_looks_like_json(
    text: str, kind: str | None, value: JsonValue
) -> None:
    assert typed(text, {"type": kind} if kind else None) == value


def test_a_file_has_a_whole_object_and_what_comes_later_counts(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    path.write_text('{"a": 1, "b": {"c": [2]}}')
    found = values(["a=0", f"@{path}", "d=x=y"], {}, "--input")
    assert found == {"a": 1, "b": {"c": [2]}, "d": "x=y"}


def test_what_is_no_pair_is_refused(tmp_path: Path) -> None:
    for wrong in ("a", "=a", ""):
        with pytest.raises(UsageError, match=r"--input .*: write NAME=VALUE"):
            values([wrong], {}, "--input")
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(UsageError, match="must be an object"):
        values([f"@{tmp_path}/list.json"], {}, "--input")
    with pytest.raises(NotFound):
        values([f"@{tmp_path}/gone.json"], {}, "--input")


def test_files_are_named_once() -> None:
    assert files(["a=x=y", "b=-"]) == {"a": Path("x=y"), "b": Path("/dev/stdin")}
    for wrong in (["a"], ["a="], ["=x"], ["a=x", "a=y"], ["a=-", "b=-"]):
        with pytest.raises(UsageError, match="--file"):
            files(wrong)


def test_a_variable_has_the_value_that_it_has_here() -> None:
    assert variables(["A", "B=x=y", "C="], {"A": "1", "B": "2"}) == {"A": "1", "B": "x=y", "C": ""}
    with pytest.raises(UsageError, match="--env D: it is not set here"):
        variables(["D"], {"A": "1"})
