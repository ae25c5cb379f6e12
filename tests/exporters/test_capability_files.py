"""Reports of capability runs for programs and for comments."""

import csv
import io
import json
import re

import pytest

from tests.exporters.capability_reports import broken, hostile, item, large, report
from tests.exporters.reports import HOSTILE
from whet.documents.capability_export import CapabilityExport
from whet.exporters.capability.markdown import MarkdownExporter, bar
from whet.exporters.capability.table import CsvExporter
from whet.exporters.capability.whole import JsonExporter
from whet.ports.capability_exporter import CapabilityReport


def rows(given: CapabilityReport) -> list[dict[str, str]]:
    text = CsvExporter().export(given, "en")
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_one_row_for_each_case() -> None:
    found = {one["case_id"]: one for one in rows(report())}
    assert list(found) == ["logic_1", "logic_2", "tool_1", "tool_2"]
    half = found["logic_2"]
    assert (half["status"], half["score"], half["max_score"], half["weight"]) == (
        "failed",
        "0.5",
        "1",
        "2",
    )
    assert (half["model_name"], half["engine"], half["language"]) == (
        "claude:opus",
        "claude",
        "en-US",
    )
    assert half["tags"] == "mcq short"
    assert json.loads(half["checker_detail"])["checks"][1]["evidence"] == "Missing: hydrogen"
    assert [call["name"] for call in json.loads(found["tool_1"]["tool_calls"])] == [
        "Read",
        "Read",
        "Write",
    ]


def test_what_was_not_measured_has_an_empty_cell_and_no_zero() -> None:
    found = {one["case_id"]: one for one in rows(report())}
    skipped = found["tool_2"]
    assert (skipped["score"], skipped["elapsed_s"], skipped["final_answer"]) == ("", "", "")
    assert skipped["skip_reason"] == "missing_tools"
    error = {one["case_id"]: one for one in rows(broken())}["error_1"]
    assert (error["score"], error["error"]) == ("0", "the agent crashed")


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "＝1", "\n=1"])
def test_no_cell_begins_like_a_formula(start: str) -> None:
    text = f"{start} cmd|' /C calc'!A0"
    given = item(
        text, "failed", prompt=text, final_answer=text, error=text, tags=(text,), skip_reason=text
    )
    [only] = rows(report(given, model_name=text))
    for name in ("case_id", "prompt", "final_answer", "error", "tags", "skip_reason", "model_name"):
        assert only[name].startswith("'"), name
        assert "cmd|" in only[name]


def test_hostile_text_stays_in_its_cell() -> None:
    text = CsvExporter().export(hostile(), "en")
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert len(read) == 3
    assert {len(row) for row in read} == {len(read[0])}
    assert not any(character in text for character in "\x00\x1b\u202e")
    text.encode()


def test_no_cell_is_longer_than_spreadsheets_take() -> None:
    [only] = rows(large(1, "=" + "漢" * 100_000))
    assert all(len(cell) < 32_767 for cell in only.values())
    assert only["final_answer"].endswith("[… 68001]")


def test_json_has_everything() -> None:
    text = JsonExporter().export(broken(), "zh")
    found = CapabilityExport.parse(json.loads(text), "it")
    assert found.run == broken().detail.run
    assert found.items == broken().detail.items
    assert found.coverage == broken().coverage
    assert found.case_set == broken().case_set
    whole = json.loads(JsonExporter().export(large(1, "漢" * 100_000), "en"))
    assert whole["items"][0]["final_answer"] == "漢" * 100_000


def test_json_of_anything_is_json() -> None:
    text = JsonExporter().export(hostile(), "en")
    assert json.loads(text)["items"][0]["final_answer"] == HOSTILE
    text.encode()


def test_markdown_tells_what_matters() -> None:
    text = MarkdownExporter().export(report(), "en")
    for part in (
        "# claude:opus on default: 86.1 of 100",
        "3 of 4 cases measured: 2 passed, 1 failed. Not in the score: skipped 1.",
        f"| Logical reasoning | {'█' * 13}{'░' * 7} | 66.7 | 25 | 2 | 1 | 1 | 0 | 0 |",
        "- skipped: tool\\_2: the agent lacks notes@\u200blookup, ptc",
        "- failed: logic\\_2: Missing: hydrogen",
        "| logic\\_2 | Logical reasoning | failed | – | It is 44. | 0.5 | 2 | 1.5 s |",
        "| Checkers | exact (4), tool\\_called (4) |",
        "- Engine: claude 2.1",
    ):
        assert part in text, part
    assert "逻辑推理" in MarkdownExporter().export(report(), "zh")


def test_hostile_text_is_no_markup() -> None:
    text = MarkdownExporter().export(hostile(), "en")
    assert "<script" not in text
    assert not re.search(r"(?<!\\)\]\(", text)
    assert not any(line.startswith("# heading") for line in text.splitlines())
    assert not any(character in text for character in "\x00\x1b\u202e")


def test_markdown_of_many_cases_is_cut() -> None:
    text = MarkdownExporter().export(large(600, "word " * 100), "en")
    assert "100 further cases are left out" in text
    assert len(text.encode()) <= 1_000_000


@pytest.mark.parametrize(("score", "filled"), [(None, 0), (0, 0), (50, 10), (100, 20), (120, 20)])
def test_a_bar_of_characters(score: float | None, filled: int) -> None:
    assert bar(score) == "█" * filled + "░" * (20 - filled)
