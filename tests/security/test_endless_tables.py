"""Files to import that are small to send and have more rows, cells or objects than can be taken."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.curate.runner.making import contract, files
from whet.app.capability.sets import load
from whet.cli.job.batch_file import read_rows
from whet.core.errors import WhetError
from whet.curate.intake.baseline_csv import rows_from_csv
from whet.curate.intake.baseline_files import found_at
from whet.documents.text import parse_untrusted, read_json
from whet.evaluate.suite import read_suite

MOST_SECONDS = 0.5
MIB = 1024 * 1024


def refused(attempt: Callable[[], object], *, seconds: float = MOST_SECONDS) -> str:
    """The one line with which it is refused, soon."""
    begun = time.process_time()
    with pytest.raises(WhetError) as caught:
        attempt()
    assert time.process_time() - begun < seconds
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def test_a_table_of_two_million_rows_is_not_read_to_its_end(tmp_path: Path) -> None:
    text = "input\n" + "a\n" * 2_000_000
    assert "more than 10,000 cases" in refused(lambda: rows_from_csv(text, "x.csv"))
    (tmp_path / "x.csv").write_text(text)
    assert "more than 10,000 cases" in refused(lambda: found_at(tmp_path / "x.csv"))


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("input\n" + "\n" * 4 * MIB, "100,000 rows"),
        ("\n" * 4 * MIB, "100,000 rows"),
        ("," * 4 * MIB, "1,000 columns"),
        ("input" + ",x" * MIB, "1,000 columns"),
        ("input\n" + ";" * 4 * MIB, "1,000 columns"),
        ('"",' * MIB, "1,000 columns"),
        ("input\tname\n" + "a\tb\n" * MIB, "10,000 cases"),
    ],
)
def test_empty_rows_and_endless_rows_are_refused_too(text: str, limit: str) -> None:
    assert limit in refused(lambda: rows_from_csv(text, "x.csv"), seconds=2 * MOST_SECONDS)


def test_a_table_with_many_commas_in_its_cells_is_read() -> None:
    cell = ",".join(map(str, range(5_000)))
    rows, _ = rows_from_csv(f'id,input\n1,"{cell}"\n', "x.csv")
    assert rows == [{"id": "1", "input": cell}]
    rows, _ = rows_from_csv(f"id\tinput\n1\t{cell}\n", "x.tsv")
    assert rows == [{"id": "1", "input": cell}]
    rows, _ = rows_from_csv("id,input\n" + "".join(f"{n},x\n" for n in range(10_000)), "x.csv")
    assert len(rows) == 10_000


def test_lists_of_a_million_empty_objects_are_refused_before_they_are_made(tmp_path: Path) -> None:
    many = b"[" + b"{}," * MIB + b"{}]"
    assert "500,000 objects" in refused(lambda: parse_untrusted(many, "body"))
    path = tmp_path / "cases.json"
    path.write_bytes(many)
    assert "500,000 objects" in refused(lambda: found_at(path))
    path.write_text(json.dumps({"cases": [0] * 200_000}))
    assert "200,000 cases" in refused(lambda: found_at(path))
    assert "200,000 cases" in refused(lambda: load(path))
    path.write_text("[" * 9 * MIB)
    assert "larger than 8 MB" in refused(lambda: read_json(path, 8 * MIB))


def test_a_suite_of_a_million_evals_is_refused(tmp_path: Path) -> None:
    (tmp_path / "evals").mkdir()
    path = tmp_path / "evals/evals.json"
    path.write_text(json.dumps({"skill_name": "x", "evals": [0] * 1_000_000}))
    assert "1,000,000 evals, more than 10,000" in refused(lambda: read_suite(tmp_path, {}))


@pytest.mark.parametrize(
    ("name", "text", "limit"),
    [
        ("x.jsonl", "{}\n" * 1_000_000, "2,000 rows"),
        ("x.jsonl", "\n" * 4_000_000, "100,000 lines"),
        ("x.csv", "text\n" + "a\n" * 1_000_000, "2,000 rows"),
        ("x.tsv", "text\n" + "\n" * 4_000_000, "100,000 lines"),
        ("x.json", json.dumps([0] * 1_000_000), "2,000 rows"),
    ],
)
def test_a_batch_of_a_million_rows_is_not_read_to_its_end(
    tmp_path: Path, name: str, text: str, limit: str
) -> None:
    (tmp_path / name).write_text(text)
    assert limit in refused(lambda: read_rows(tmp_path / name, contract(files())))
