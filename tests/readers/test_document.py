"""Documents that are read member by member, whatever their size."""

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.readers.test_rows import JSON
from whet.documents.session_import import ImportFinding, Repairs
from whet.readers.document import Member, Walked, members
from whet.readers.long_line import LONGEST_TEXT, LONGEST_VALUE

OBJECTS = st.dictionaries(st.text(max_size=4), JSON, max_size=5)


class Dribble(io.BytesIO):
    """A stream that gives little at a time, as pipes do."""

    def __init__(self, data: bytes, most: int) -> None:
        super().__init__(data)
        self._most = most

    def read(self, size: int | None = -1, /) -> bytes:
        del size
        return super().read(self._most)


def walked(stream: BinaryIO) -> tuple[dict[str, JsonValue], dict[str, ImportFinding]]:
    repairs = Repairs("log")
    found = gathered(Walked(stream, repairs).members())
    return found, {finding.code: finding for finding in repairs.findings}


def gathered(found: Iterator[Member]) -> dict[str, JsonValue]:
    """The document as it was, from its members."""
    whole: dict[str, JsonValue] = {}
    for member in found:
        if member.index is None:
            whole[member.key] = member.value
        elif member.index < 0:
            whole[member.key] = []
        else:
            items = whole[member.key]
            assert isinstance(items, list)
            assert member.index >= len(items)
            items.append(member.value)
    return whole


@pytest.mark.slow
@given(OBJECTS, st.integers(1, 9), st.sampled_from([None, 1, 4]))
def test_a_document_is_what_it_was(
    value: dict[str, JsonValue], most: int, indent: int | None
) -> None:
    data = json.dumps(value, indent=indent).encode()
    found, noted = walked(Dribble(data, most))
    assert found == value
    assert list(found) == list(value)
    assert noted == {}


@pytest.mark.slow
@given(OBJECTS, st.integers(1, 9), st.data())
def test_a_document_that_breaks_off_gives_what_it_had(
    value: dict[str, JsonValue], most: int, data: st.DataObject
) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False).encode()
    cut = data.draw(st.integers(0, len(text) - 1))
    found, noted = walked(Dribble(text[:cut], most))
    assert noted
    assert {finding.kind for finding in noted.values()} == {"skipped"}
    for key, had in found.items():
        whole = value[key]
        if isinstance(had, list):
            assert isinstance(whole, list)
            assert had == whole[: len(had)]
        elif had != whole:
            # A number that is cut off is a number still.
            assert str(whole).startswith(str(had))


@given(st.binary(max_size=200), st.integers(1, 9))
def test_no_bytes_break_it(data: bytes, most: int) -> None:
    walked(Dribble(b'{"a": [' + data, most))
    walked(Dribble(data, most))


@given(st.text(alphabet='"{}[]:,\\ \nab01', max_size=80), st.integers(1, 9))
def test_nothing_that_looks_like_json_breaks_it(text: str, most: int) -> None:
    found, noted = walked(Dribble(b"{" + text.encode(), most))
    assert noted or found == json.loads("{" + text)


def test_places_are_lines_and_columns() -> None:
    data = b'{\n  "a": 1,\n  "b": [1,\n   nope,\n   3],\n  "c": 4 5\n}'
    found, noted = walked(io.BytesIO(data))
    assert found == {"a": 1, "b": [1, 3], "c": 4}
    assert noted["broken_json"].line == 4
    assert noted["broken_json"].count == 2


def test_quotes_within_a_text_that_nobody_escaped() -> None:
    data = (
        '{\n  "user_prompt": "he said "go on, please" and "stop"",\n'
        '  "b": [{\n    "c": "a "b" c",\n    "d": "\\"fine\\""\n  }],\n  "e": "last "one""\n}'
    )
    found, noted = walked(io.BytesIO(data.encode()))
    assert found == {
        "user_prompt": 'he said "go on, please" and "stop"',
        "b": [{"c": 'a "b" c', "d": '"fine"'}],
        "e": 'last "one"',
    }
    assert noted.keys() == {"torn_text"}
    assert (noted["torn_text"].kind, noted["torn_text"].count) == ("guessed", 3)
    assert noted["torn_text"].line == 2


def test_after_something_broken_the_next_key_counts() -> None:
    found, noted = walked(io.BytesIO(b'{\n "a": ,\n "b": 2\n}'))
    assert found == {"b": 2}
    assert (noted["broken_json"].line, noted["broken_json"].column) == (2, 7)


def test_something_else_than_an_object() -> None:
    assert walked(io.BytesIO(b" [1]"))[1]["no_object"].column == 2
    assert walked(io.BytesIO(b""))[1]["no_object"].line == 1


def test_elements_with_nesting_too_deep_are_skipped() -> None:
    deep = b"[" * 50_000 + b"]" * 50_000
    found, noted = walked(io.BytesIO(b'{"a": [1, ' + deep + b', {"x": 2}], "b": 3}'))
    assert found["b"] == 3
    assert "nested" in noted["broken_json"].message


@pytest.mark.slow
def test_memory_does_not_grow_with_the_document(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    call = json.dumps({"call_id": "1", "output": {"text": "line\n" * 200}}, indent=2).encode()
    with path.open("wb") as file:
        file.write(b'{"text": "' + b"x\\n" * 24_000_000 + b'", "calls": [')
        file.write(b",\n".join([call] * 40_000))
        file.write(b', {"text": "' + b"y" * 3_000_000 + b'"}, ')
        file.write(b"[" + b"1, " * (LONGEST_VALUE // 3 + 100) + b'0]], "last": 1}')
    repairs = Repairs("log")
    tracemalloc.start()
    count, last, texts = 0, None, list[int]()
    for member in members(path, repairs):
        count += 1
        last = member
        match member.value:
            case {"text": str(text)} | str(text):
                texts.append(len(text))
            case _:
                pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert last == Member("last", 1)
    assert count == 40_000 + 4
    assert texts == [LONGEST_TEXT * 2 // 3 + 1, LONGEST_TEXT]
    noted = {finding.code: finding.count for finding in repairs.findings}
    assert noted == {"long_text": 2, "too_long": 1}
    assert peak < 40 * 1024 * 1024
