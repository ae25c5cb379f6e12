"""The leaderboard as a table for spreadsheets."""

import csv
import io
import json

import pytest

from tests.rank.board_rows import row
from whet.core.spreadsheet import unguarded
from whet.ports.board_row import BoardRow
from whet.rank.leaderboard_table import COLUMNS, MARK, as_csv

TEXTS = [name for name, kind in BoardRow.__annotations__.items() if kind is str]


def table(*rows: BoardRow) -> list[dict[str, str]]:
    text = b"".join(as_csv(rows)).decode()
    assert text.startswith(MARK)
    return [*csv.DictReader(io.StringIO(text.removeprefix(MARK), newline=""))]


def test_every_row_is_a_line_with_every_column() -> None:
    interval = {"low": 84.4, "high": 91, "level": 0.95, "method": "t"}
    first, second = table(
        row(interval=interval, simulated=True, skill_version_current="v2"),
        row(avg_score=None, skill_version_current=None),
    )
    assert [*first] == [*COLUMNS]
    assert (first["avg_score"], first["interval_low"], first["interval_high"]) == (
        *("87.3", "84.4"),
        "91",
    )
    assert (first["staleness"], first["simulated"]) == ("skill_updated", "true")
    assert json.loads(first["score_breakdown"]) == {"robustness": 18}
    unknown = ("avg_score", "interval_low", "interval_high", "simulated", "skill_version_current")
    assert {second[name] for name in unknown} == {""}
    assert table() == []


@pytest.mark.parametrize(
    "formula",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'=1", "＝1", '=HYPERLINK("x")'],
)
def test_no_text_becomes_a_formula(formula: str) -> None:
    hostile = row(**dict.fromkeys(TEXTS, formula))
    (line,) = table(hostile)
    for name in TEXTS:
        assert line[name] == f"'{formula}"
        assert unguarded(line[name]) == formula


@pytest.mark.parametrize(
    "name", ["a\0b", "半\ud800", 'quo"te', "two\r\nlines", "a,b;c", "", "\u202e"]
)
def test_a_name_from_outside_stays_in_its_cell(name: str) -> None:
    hostile, *others = table(row(skill_name=name, project_name=name), row())
    assert hostile["skill_name"] == name.replace("\ud800", "?")
    assert hostile["failed_cases"] == "1"
    assert [one["skill_name"] for one in others] == ["Writer"]
