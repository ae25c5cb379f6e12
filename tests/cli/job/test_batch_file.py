"""The inputs of many jobs in one file."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.job.desk import EXAMPLE
from whet.app.packages.arrival import arrived
from whet.cli.job.batch_file import Row, read_rows
from whet.core.errors import InvalidDocument, InvalidImport, UsageError
from whet.curate.manifest import JobPackage


@pytest.fixture(scope="module")
def package() -> JobPackage:
    return arrived(EXAMPLE, ("simulated",), to_install=False).job


def rows_in(folder: Path, name: str, text: str, package: JobPackage) -> tuple[Row, ...]:
    path = folder / name
    path.write_text(text)
    return read_rows(path, package)


def test_each_value_goes_where_the_skill_has_it(tmp_path: Path, package: JobPackage) -> None:
    line = {"title": "A", "document": "sub/a.txt", "max_words": 3}
    [row] = rows_in(tmp_path, "rows.jsonl", json.dumps(line) + "\n\n", package)
    assert row == Row({"title": "A"}, {"max_words": 3}, {"document": tmp_path / "sub/a.txt"})


def test_a_row_may_say_what_is_what(tmp_path: Path, package: JobPackage) -> None:
    line = {"input": {"title": "A"}, "files": {"document": "/a.txt"}, "parameter": {}}
    [row] = rows_in(tmp_path, "rows.json", json.dumps({"items": [line]}), package)
    assert row == Row({"title": "A"}, {}, {"document": Path("/a.txt")})
    mixed = {"parameter.title": 1, "file.title": "x", "input.max_words": 2}
    [row] = rows_in(tmp_path, "rows.json", json.dumps([mixed]), package)
    assert row == Row({"max_words": 2}, {"title": 1}, {"title": tmp_path / "x"})


def test_a_table_is_typed_by_the_schema(tmp_path: Path, package: JobPackage) -> None:
    text = 'title,max_words,document\n2024,10,a.txt\n"two\nlines",,b.txt\n,,\n'
    first, second = rows_in(tmp_path, "rows.csv", text, package)
    assert first == Row({"title": "2024"}, {"max_words": 10}, {"document": tmp_path / "a.txt"})
    assert second == Row({"title": "two\nlines"}, {}, {"document": tmp_path / "b.txt"})
    [row] = rows_in(tmp_path, "rows.tsv", "title\tmax_words\na,b\t1\n", package)
    assert row == Row({"title": "a,b"}, {"max_words": 1}, {})


@pytest.mark.slow
@given(titles=st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=5))
def test_lines_and_tables_say_the_same(
    titles: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever characters there are in a text, line ends of other alphabets among them."""
    package = arrived(EXAMPLE, ("simulated",), to_install=False).job
    folder = tmp_path_factory.mktemp("rows")
    lines = "".join(json.dumps({"title": title}, ensure_ascii=True) + "\n" for title in titles)
    found = rows_in(folder, "rows.jsonl", lines, package)
    assert [row.input["title"] for row in found] == titles
    fit = [title for title in titles if not set(title) & set("\r\n\0") and title.isprintable()]
    if not fit:
        return
    buffer = io.StringIO()
    csv.writer(buffer).writerows([["title"], *([title] for title in fit)])
    table = rows_in(folder, "rows.csv", buffer.getvalue(), package)
    kept = [row.input["title"] for row in table]
    assert kept == [json.loads(title) if _is_text(title) else title for title in fit]


def _is_text(title: str) -> bool:
    try:
        return isinstance(json.loads(title), str)
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("rows.jsonl", '{"title": 1}\n[1]\n"x"\n', "line 2: must be an object; line 3"),
        ("rows.jsonl", '{"input": 3}', "input: must be an object"),
        ("rows.jsonl", '{"document": 3}', "files.document: must be the path"),
        ("rows.jsonl", "\n\n", "has no rows"),
        ("rows.json", '{"title": "x"}', "has no list"),
        ("rows.csv", "title,title\na,b\n", "two with the same"),
        ("rows.csv", "title,\na,b\n", "a column without a name"),
        ("rows.csv", "title\na,b\n", "line 2: has 2 cells, and the first line has 1"),
        ("rows.csv", 'title\n"a\n', "line 2: unexpected end"),
        ("rows.csv", "", "has no rows"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(
    name: str, text: str, told: str, tmp_path: Path, package: JobPackage
) -> None:
    with pytest.raises(InvalidImport) as caught:
        rows_in(tmp_path, name, text, package)
    assert told in str(caught.value)


def test_what_is_no_batch_is_refused(tmp_path: Path, package: JobPackage) -> None:
    with pytest.raises(UsageError, match="a batch is one of"):
        rows_in(tmp_path, "rows.txt", "x", package)
    with pytest.raises(InvalidDocument, match="line 2"):
        rows_in(tmp_path, "rows.jsonl", '{}\n{"a"\n', package)
    (tmp_path / "rows.csv").write_bytes(b"title\n\xff\xff\n")
    with pytest.raises(InvalidImport, match="UTF-8"):
        read_rows(tmp_path / "rows.csv", package)
