"""A changed JSON text keeps the look of what did not change."""

import json

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.evaluate.suite_text import rewritten

TEXT = """\
{
    "skill_name": "x",   "files": ["a",  "b"],

    "rate": 1.0e2,
    "checks": [
        {"id": "S1", "n": 1},

        {
            "id": "S2"
        }
    ]
}
"""


def test_only_what_changed_looks_different() -> None:
    data = json.loads(TEXT)
    data["checks"][0]["critical"] = True
    data["checks"].append({"id": "S3", "deep": [1]})
    data["files"].append("c")
    data["more"] = []
    assert (
        rewritten(TEXT, data)
        == """\
{
    "skill_name": "x",   "files": ["a",  "b",  "c"],

    "rate": 1.0e2,
    "checks": [
        {"id": "S1", "n": 1, "critical": true},

        {
            "id": "S2"
        },

        {
            "id": "S3",
            "deep": [
                1
            ]
        }
    ],
    "more": []
}
"""
    )


def test_nothing_changed_is_the_same_text() -> None:
    assert rewritten(TEXT, json.loads(TEXT)) == TEXT


def test_an_item_taken_out() -> None:
    data = json.loads(TEXT)
    del data["checks"][0]
    del data["files"]
    assert rewritten(TEXT, data) == (
        '{\n    "skill_name": "x",\n\n    "rate": 1.0e2,\n    "checks": [\n        {\n'
        '            "id": "S2"\n        }\n    ]\n}\n'
    )


def test_empty_ones_are_filled_and_line_ends_kept() -> None:
    text = '{\r\n\t"a": [],\r\n\t"b": {}\r\n}\r\n'
    assert rewritten(text, {"a": ["é"], "b": {"c": True}}) == (
        '{\r\n\t"a": [\r\n\t\t"é"\r\n\t],\r\n\t"b": {\r\n\t\t"c": true\r\n\t}\r\n}\r\n'
    )


def test_true_is_not_one() -> None:
    assert rewritten('{"a": 1}', {"a": True}) == '{"a": true}'


VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab \\"\n{}[],:é', max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text('abc"', max_size=2), inner, max_size=4)
    ),
    max_leaves=12,
)
INDENTS = st.sampled_from([None, 0, 1, 2, 4, "\t"])


@given(VALUES, VALUES, INDENTS)
def test_the_new_text_says_the_new_value(
    old: JsonValue, new: JsonValue, indent: int | str | None
) -> None:
    text = json.dumps(old, indent=indent, ensure_ascii=False)
    found = rewritten(text, new)
    assert json.dumps(json.loads(found), sort_keys=True) == json.dumps(new, sort_keys=True)
    assert rewritten(text, old) == text
