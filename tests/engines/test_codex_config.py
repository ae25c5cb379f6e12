"""The configuration in TOML, whatever is in it."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.engines.codex_config import document, toml

texts = st.text() | st.sampled_from(['"', "\\", "\x7f", "\n[x]\n", "\u2028", "é", "", "'''"])
scalars = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)
)


@settings(deadline=None)
@given(st.dictionaries(texts, values, max_size=4))
def test_a_configuration_says_what_it_is_given(config: dict[str, JsonValue]) -> None:
    assert tomllib.loads(document(config)) == config


def test_what_toml_has_no_word_for_is_left_out() -> None:
    assert tomllib.loads(document({"a": {"b": None, "c": [1, None]}})) == {"a": {"c": [1]}}
    with pytest.raises(ValueError, match="no null"):
        toml(None)


def test_half_a_character_becomes_a_question_mark() -> None:
    assert tomllib.loads(document({"a": "x\ud83d"})) == {"a": "x?"}
