"""JSON lines from outside: whatever is in a file, in bounded memory and with a word on it."""

import codecs
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.errors import NotFound, UsageError
from whet.documents.session_import import ImportFinding, Repairs
from whet.readers.long_line import LONGEST_TEXT, LONGEST_VALUE
from whet.readers.rows import Row, rows

TEXT: Row = {"a": "磨 é 😀", "n": 1}


def read(path: Path) -> tuple[list[Row], dict[str, ImportFinding]]:
    repairs = Repairs(path.name)
    found = [*rows(path, repairs)]
    return found, {finding.code: finding for finding in repairs.findings}


def written(folder: Path, data: bytes) -> Path:
    path = folder / "log.jsonl"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_lines_are_objects(tmp_path: Path, end: str) -> None:
    data = f'{{"a": 1}}{end or chr(10)}{{"b": 2}}{end}'
    assert read(written(tmp_path, data.encode())) == ([{"a": 1}, {"b": 2}], {})


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
    ],
)
def test_other_encodings_are_read_as_what_they_are(
    tmp_path: Path, mark: bytes, encoding: str
) -> None:
    text = (json.dumps(TEXT, ensure_ascii=False) + "\n") * 3
    found, noted = read(written(tmp_path, mark + text.encode(encoding)))
    assert found == [TEXT] * 3
    assert ("encoding" in noted) is (encoding != "utf-8")


def test_utf_16_is_read_across_pieces(tmp_path: Path) -> None:
    text = json.dumps({"a": "磨刀" * 300_000}, ensure_ascii=False) + "\n" + json.dumps(TEXT) + "\n"
    found, _ = read(written(tmp_path, text.encode("utf-16")))
    assert found[1] == TEXT
    assert str(found[0]["a"]).startswith("磨刀磨刀")
    assert set(str(found[0]["a"])) == set("磨刀")


def test_latin_1_is_a_guess_with_a_place(tmp_path: Path) -> None:
    found, noted = read(written(tmp_path, b'{"a": 1}\n{"a": "caf\xe9"}\n{"a": 2}\n'))
    assert found == [{"a": 1}, {"a": "café"}, {"a": 2}]
    assert (noted["not_utf8"].line, noted["not_utf8"].column) == (2, 11)


@pytest.mark.parametrize("cut", [3, 9, 14, 16])
def test_a_last_line_that_is_cut_off_is_told_with_its_place(tmp_path: Path, cut: int) -> None:
    whole = '{"a": "磨刀刀", "b": 2}'.encode()
    found, noted = read(written(tmp_path, b'{"a": 1}\n' + whole[:cut]))
    assert found == [{"a": 1}]
    [finding] = noted.values()
    assert (finding.kind, finding.line) == ("skipped", 2)
    assert finding.column is not None
    assert finding.column <= cut + 1


def test_nul_bytes_are_left_out(tmp_path: Path) -> None:
    found, noted = read(written(tmp_path, b'{"a": 1}\n\0\0\0{"a": 2}\n' + b"\0" * 5000))
    assert found == [{"a": 1}, {"a": 2}]
    assert (noted["nul_bytes"].line, noted["nul_bytes"].count) == (2, 2)


def test_broken_lines_are_skipped_one_by_one(tmp_path: Path) -> None:
    data = b'{"a": 1}\n{"a": }\n\n[1]\n"x"\nnull\n{"a" 2}\n{"a": 3}\n'
    found, noted = read(written(tmp_path, data))
    assert found == [{"a": 1}, {"a": 3}]
    assert (noted["broken_json"].line, noted["broken_json"].column) == (2, 7)
    assert noted["broken_json"].count == 2
    assert (noted["not_an_object"].line, noted["not_an_object"].count) == (4, 3)


def test_deep_nesting_is_skipped(tmp_path: Path) -> None:
    deep = b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    odd = b'{"n": NaN, "a": ' + b"[" * 500 + b"]" * 500 + b"}\n"
    found, noted = read(written(tmp_path, deep + odd + b'{"a": 1}\n'))
    assert found == [{"a": 1}]
    assert "nested" in noted["broken_json"].message
    assert noted["broken_json"].count == 2


def test_what_only_almost_is_json(tmp_path: Path) -> None:
    data = b'{"a": "one\x1b[31m\ttwo"}\n{"a": "half \\ud83d"}\n{"a": NaN}\n'
    found, noted = read(written(tmp_path, data))
    assert found == [{"a": "one\x1b[31m\ttwo"}, {"a": "half \ud83d"}, {"a": None}]
    assert noted["control_characters"].line == 1
    assert noted["not_a_number"].line == 3


def test_a_long_text_is_cut_and_the_rest_of_its_line_stays(tmp_path: Path) -> None:
    long: Row = {"before": 1, "text": 'x"\n' * 1_000_000, "after": {"é": ["y" * 70_000]}}
    path = written(tmp_path, json.dumps(long).encode() + b'\n{"a": 1}\n')
    found, noted = read(path)
    text = str(found[0]["text"])
    assert str(long["text"]).startswith(text)
    assert LONGEST_TEXT / 2 < len(text) < LONGEST_TEXT
    assert {**found[0], "text": ""} == {**long, "text": ""}
    assert found[1] == {"a": 1}
    assert (noted["long_text"].line, noted["long_text"].column) == (1, 23)
    assert "5000000 bytes" in noted["long_text"].message


UNITS = ["x", "\\n", '\\"', "\\\\", "\\u00e9", "\\ud83d\\ude00", "é", "磨", "😀", " "]


@pytest.mark.slow
@given(st.lists(st.sampled_from(UNITS), min_size=1, max_size=6), st.integers(0, 12))
def test_a_cut_never_leaves_half_a_character(
    tmp_path_factory: pytest.TempPathFactory, units: list[str], shift: int
) -> None:
    pattern = "".join(units)
    text = "y" * shift + pattern * (LONGEST_TEXT // len(pattern.encode()) + 2)
    data = f'{{"a": "{text}", "b": 2}}\n'.encode()
    found, _ = read(written(tmp_path_factory.mktemp("cut"), data))
    [row] = found
    whole = json.loads(f'"{text}"')
    assert row["b"] == 2
    assert whole.startswith(row["a"])
    assert len(str(row["a"]).encode()) > LONGEST_TEXT / 8


def test_a_line_that_is_long_without_long_texts_is_skipped(tmp_path: Path) -> None:
    many = b'{"a": [' + b"1," * (LONGEST_VALUE // 2 + 10) + b"1]}\n"
    found, noted = read(written(tmp_path, many + b'{"a": 1}\n'))
    assert found == [{"a": 1}]
    assert (noted["too_long"].kind, noted["too_long"].line) == ("skipped", 1)
    assert str(len(many)) in noted["too_long"].message


def test_a_long_line_that_is_broken_costs_one_line(tmp_path: Path) -> None:
    data = b'{"a": "' + b"x" * (LONGEST_TEXT * 2) + b'\n{"a": 1}\n'
    found, noted = read(written(tmp_path, data))
    assert found == [{"a": 1}]
    assert noted["broken_json"].line == 1


@pytest.mark.slow
def test_memory_does_not_grow_with_a_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        file.write(b'{"a": "')
        for _ in range(64):
            file.write(b"0123456\\n" * 131_072)
        file.write(b'", "b": 1}\n{"a": 1}\n')
    assert path.stat().st_size > 64 * 1024 * 1024
    tracemalloc.start()
    found, _ = read(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [row.get("b") for row in found] == [1, None]
    assert peak < 24 * 1024 * 1024


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no such file"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="is not a file"):
        read(tmp_path)


JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@pytest.mark.slow
@given(st.lists(st.dictionaries(st.text(max_size=4), JSON, max_size=4), max_size=4))
def test_whatever_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, given_rows: list[Row]
) -> None:
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in given_rows)
    path = written(tmp_path_factory.mktemp("rows"), data.encode(errors="replace"))
    found, noted = read(path)
    assert found == [json.loads(line) for line in path.read_text().split("\n") if line]
    assert noted == {}


@given(st.binary(max_size=200))
def test_no_bytes_break_it(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    found, noted = read(written(tmp_path_factory.mktemp("bytes"), data))
    assert all(type(row) is dict for row in found)
    if data.strip(b" \t\r\n\0") and not found:
        assert noted
