"""YAML is read as others read it, or it is said where not."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.core.front_matter import HEAD, description_of
from whet.curate.lint.flow import Fields, Items, Text, Value
from whet.curate.lint.front import front_of

Plain = str | list["Plain"] | dict[str, "Plain"]


def plain(value: Value) -> Plain:
    match value:
        case Text(said):
            return said
        case Items(items):
            return [plain(item) for item in items]
        case Fields(fields):
            return {field.key: plain(field.value) for field in fields}


def said(front: str) -> Plain:
    found = front_of(f"---\n{front}\n---\nbody\n")
    assert (found.missing, found.broken, found.duplicates) == ("", (), ())
    return {key: plain(field.value) for key, field in found.fields.items()}


@pytest.mark.parametrize(
    ("front", "value"),
    [
        ("a: b", {"a": "b"}),
        ("a:   b c  ", {"a": "b c"}),
        ("a: b # c", {"a": "b"}),
        ("a: b#c", {"a": "b#c"}),
        ("a: http://x/y:z", {"a": "http://x/y:z"}),
        ("a: b\n  c\n\n  d", {"a": "b c\nd"}),
        ("a:\n  b\n  c", {"a": "b c"}),
        ("a:\nb: c", {"a": "", "b": "c"}),
        ("a: # nothing\nb: c", {"a": "", "b": "c"}),
        ("# first\n\na: b\n  # no part of it\nb: c", {"a": "b", "b": "c"}),
        ("a: 'it''s: x'", {"a": "it's: x"}),
        ("'a b': c", {"a b": "c"}),
        (r'a: "x\ty\u00e9\"z\\"', {"a": 'x\tyé"z\\'}),
        ('a: "x\n  y\n\n  z" # c', {"a": "x y\nz"}),
        ('a: "x\\\n  y"', {"a": "xy"}),
        ("a: |\n  b\n    c\n\n  d\n\nb: c", {"a": "b\n  c\n\nd", "b": "c"}),
        ("a: >-\n  b\n  c\n\n  d", {"a": "b c\nd"}),
        ("a: |2\n    b", {"a": "b"}),
        ("a:\n- b\n- c: d\n  e: f\n-\n  - g", {"a": ["b", {"c": "d", "e": "f"}, ["g"]]}),
        ("a:\n  b:\n    c: d\n  e: f", {"a": {"b": {"c": "d"}, "e": "f"}}),
        ("a: [b, 'c, d', [e]]", {"a": ["b", "c, d", ["e"]]}),
        ("a: [b c,\n  d, ] # e", {"a": ["b c", "d"]}),
        ('a: {b: c, "d":{"e":1}, f: }', {"a": {"b": "c", "d": {"e": "1"}, "f": ""}}),
        ("a: Bash(git:*) Read", {"a": "Bash(git:*) Read"}),
        ("a: [Bash(git:*), Read]", {"a": ["Bash(git:*)", "Read"]}),
        ("a: -1\nb: -x\nc: ?x\nd: :x", {"a": "-1", "b": "-x", "c": "?x", "d": ":x"}),
        ("技能: 名", {"技能": "名"}),
    ],
)
def test_what_is_read(front: str, value: Plain) -> None:
    assert said(front) == value


@pytest.mark.parametrize(
    ("front", "line", "column"),
    [
        ("a: b: c", 2, 4),
        ("a: b:", 2, 4),
        ("a: b\n  c: d", 3, 3),
        ("a: 'b", 2, 3),
        ("a: 'b' c", 2, 6),
        ('a: "\\q"', 2, 3),
        ('a: "b\nc"', 3, 0),
        ("a: [b", 2, 3),
        ("a: [b, , c]", 2, 7),
        ("a: {b c}", 2, 7),
        ("a: - b", 2, 3),
        ("a: @b", 2, 3),
        ("a: `b`", 2, 3),
        ("a: %b", 2, 3),
        ("a: &b c", 2, 3),
        ("a: *b", 2, 3),
        ("a: !b c", 2, 3),
        ("a: |x\n  b", 2, 3),
        ("a: |\n    b\n  c", 4, 2),
        ("a:\n  b: c\n   d: e", 4, 4),
        ("a: b\nno key", 3, 0),
        ("a: b\tc", 2, 4),
        ("a: b\n\tc", 3, 0),
        ("- a", 2, 0),
        ("a: \x07b", 2, 3),
        ("a: b\rc: d", 2, 4),
        ("a: " + "[" * 40, 2, 36),
    ],
)
def test_what_cannot_be_read_has_a_place(front: str, line: int, column: int) -> None:
    first = front_of(f"---\n{front}\n---\n").broken[0]
    assert (first.line, first.column) == (line, column)
    assert first.reason


@pytest.mark.parametrize(
    "value",
    ["1", "1.0", "-2e3", "0x1f", "12:30", "2024-01-01", "true", "No", "~", "null", "", ".5"],
)
def test_what_others_do_not_take_for_a_text(value: str) -> None:
    assert not Text(value).is_text
    assert Text(value, is_quoted=True).is_text


@pytest.mark.parametrize("value", ["a", "1.0.0", "v1", "Apache-2.0", "truth", "1 file", "3.x", "-"])
def test_what_everybody_takes_for_a_text(value: str) -> None:
    assert Text(value).is_text


def test_places_are_those_of_the_whole_file() -> None:
    front = front_of("---\n\n# why\nname: x\ndescription: >\n  a\n\n  b\n\nlicense: y\n---\nbody\n")
    places = {key: (field.line, field.end) for key, field in front.fields.items()}
    assert places == {"name": (4, 5), "description": (5, 10), "license": (10, 11)}
    assert (front.body, front.body_line) == ("body\n", 12)


def test_a_front_matter_that_never_ends_is_none() -> None:
    assert front_of("---\n" + "a: b\n" * HEAD + "---\n").missing


@given(st.text())
def test_whatever_there_is_is_read_or_refused(text: str) -> None:
    front = front_of(f"---\n{text}\n---\n")
    for trouble in front.broken:
        assert 2 <= trouble.line <= text.count("\n") + 2
    for field in front.fields.values():
        assert 2 <= field.line < field.end


@given(st.lists(st.sampled_from(["a: ", "- ", "\n  ", *"\n '\"[]{},#|>\\x:\t"])).map("".join))
def test_pieces_of_yaml_in_any_order_are_read_or_refused(text: str) -> None:
    front_of(f"---\n{text}\n---\n")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"])))
def test_a_json_text_is_a_yaml_text(value: str) -> None:
    assert said(f"a: {json.dumps(value, ensure_ascii=False)}") == {"a": value}


WORDS = st.lists(st.sampled_from(["say", "it's", "a#b", "x:y", '"so"', "[", "é", "-"]), min_size=1)
STYLES: dict[str, Callable[[list[str]], str]] = {
    "plain": lambda words: f" go {' '.join(words)}",
    "plain in lines": lambda words: "".join(f"\n  go{word}" for word in words),
    "single": lambda words: " '" + " ".join(words).replace("'", "''") + "'",
    "double": lambda words: " " + json.dumps(" ".join(words)),
    "literal": lambda words: " |" + "".join(f"\n  {word}" for word in words),
    "folded": lambda words: " >-" + "".join(f"\n    {word}" for word in words),
}


@pytest.mark.parametrize("style", STYLES)
@given(words=WORDS)
def test_agents_are_told_what_is_read_here(style: str, words: list[str]) -> None:
    """The core's own reader, which is lenient, agrees on what every agent reads."""
    front = f"description:{STYLES[style](words)}\nlicense: MIT"
    value = said(front)
    assert isinstance(value, dict)
    text = value["description"]
    assert isinstance(text, str)
    wanted = ["go" + word for word in words] if style == "plain in lines" else words
    assert text.removeprefix("go ").split() == wanted
    assert description_of(f"---\n{front}\n---\n") == " ".join(text.split())
