"""Reports of projects for programs: a table for spreadsheets, and JSON."""

import csv
import io
import json

import pytest

from tests.exporters.project_reports import broken, hostile, large, report
from tests.exporters.reports import HOSTILE
from whet.documents.project_export import ProjectExport
from whet.exporters.projects.table import CsvExporter
from whet.exporters.projects.whole import JsonExporter
from whet.ports.project_exporter import ProjectReport


def rows(given: ProjectReport) -> list[dict[str, str]]:
    text = CsvExporter().export(given, "en")
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_one_row_for_each_result() -> None:
    found = rows(report())
    assert len(found) == 8
    first = found[0]
    assert (first["skill_name"], first["skill_version"]) == ("Author", "v1")
    assert (first["case_id"], first["case_name"], first["weight"]) == (
        "case_001",
        "Create a test",
        "1",
    )
    assert (first["attempt"], first["status"], first["score"]) == ("1", "completed", "70")
    assert float(first["score_functional_correctness"]) == 21
    assert (first["duration_ms"], first["input_tokens"], first["cost_usd"]) == (
        "1500",
        "1000",
        "0.0123",
    )
    assert (first["answer"], first["reasoning"]) == (
        "The answer of Author to case_001.",
        "Reads well.",
    )
    assert (first["engine"], first["simulated"]) == ("claude", "false")


def test_what_has_no_score_has_an_empty_cell_and_no_zero() -> None:
    found = {
        (one["baseline_name"], one["case_id"], one["skill_name"], one["attempt"]): one
        for one in rows(broken())
    }
    unscored = found["Tests", "case_001", "Author", "2"]
    assert (unscored["status"], unscored["grade_status"], unscored["score"]) == (
        "completed",
        "unscored",
        "",
    )
    assert unscored["score_robustness"] == ""
    skipped = found["Tests", "case_002", "Author", "2"]
    assert (skipped["status"], skipped["duration_ms"], skipped["cost_usd"]) == ("skipped", "", "")
    assert found["Tests", "case_002", "Writer", "1"]["error"] == "it failed"
    assert len(found) == 9


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "＝1", "\n=1"])
def test_no_cell_begins_like_a_formula(start: str) -> None:
    given = large(1, 1, 1, f"{start} cmd|' /C calc'!A0")
    for one in rows(given):
        for name, cell in one.items():
            if name in ("input", "expected_output", "answer", "reasoning", "error", "case_name"):
                assert cell.startswith("'")
                assert "cmd|" in cell


def test_hostile_text_stays_in_its_cell() -> None:
    text = CsvExporter().export(hostile(), "en")
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert len(read) == 3
    assert {len(row) for row in read} == {len(read[0])}
    assert not any(character in text for character in "\x00\x1b\u202e")
    text.encode()


def test_no_cell_is_longer_than_spreadsheets_take() -> None:
    [only] = rows(large(1, 1, 1, "=" + "漢" * 100_000))
    assert len(only["answer"]) < 32_767
    assert only["answer"].endswith("[… 68001]")


@pytest.mark.slow
def test_json_has_everything() -> None:
    text = JsonExporter().export(broken(), "zh")
    found = ProjectExport.parse(json.loads(text), "it")
    assert len(found.results) == 9
    assert found.project == broken().config
    assert found.environment == broken().environment
    assert found.summary == broken().summary
    assert found.warnings == ("results/x.json: has no score",)
    whole = json.loads(JsonExporter().export(large(1, 1, 1, "漢" * 100_000), "en"))
    assert whole["results"][0]["actual_output"] == "漢" * 100_000


def test_json_of_anything_is_json() -> None:
    found = json.loads(JsonExporter().export(hostile(), "en"))
    assert found["results"][0]["actual_output"] == HOSTILE
    JsonExporter().export(hostile(), "en").encode()
