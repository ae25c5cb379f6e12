"""Session logs with something wrong in them."""

import json
from pathlib import Path

import pytest

from tests.readers.reading import codes, document, example, read_one, there
from whet.core.errors import InvalidDocument


def test_ranges_in_three_shapes_and_one_that_leads_nowhere(tmp_path: Path) -> None:
    data = example("annotated")
    data["summary"]["tool_calls_count"] = 3
    first, second = data["phase_annotations"]
    first["tool_call_range"] = ["tool-001", "tool-002"]
    del first["annotated_at"]
    second["tool_call_range"] = {"start": "tool-003", "end": "tool-999"}
    second["phase_type"] = "Implementation"
    session, report = read_one(document(tmp_path / "a.json", data))
    one, two = there(session.phase_annotations)
    assert one.tool_call_range.end_call_id == "tool-002"
    assert one.annotated_at == "2026-01-25T10:05:00.000Z"
    assert two.tool_call_range.end_call_id == "tool-999"
    assert (two.phase_type, two.as_read) == ("execute", {"phase_type": "Implementation"})
    assert {"range", "range_call", "annotated_at", "phase_type"} <= codes(report)


def test_values_outside_of_their_enums_are_mapped_and_kept(tmp_path: Path) -> None:
    data = example("annotated")
    data["summary"]["tool_calls_count"] = 3
    data["status"] = "completed"
    one, two, three = data["tool_calls"]
    one["output"] = {"status": "error", "result": "nothing found"}
    one["tool_category"] = "search"
    two["context_contribution"]["type"] = "code_analysis"
    del three["output"]
    session, report = read_one(document(tmp_path / "a.json", data))
    first, second, third = session.tool_calls
    assert first.output.status == "failed"
    assert first.output.result is not None
    assert first.output.result.display == "nothing found"
    assert first.tool_category == "perception"
    assert first.as_read == {"output.status": "error", "tool_category": "search"}
    assert second.context_contribution is not None
    assert second.context_contribution.type == "knowledge"
    assert second.as_read == {"context_contribution.type": "code_analysis"}
    assert third.output.status == "success"
    places = {(finding.kind, finding.field) for finding in report.findings}
    assert ("out_of_enum", "tool_calls[].output.status") in places
    assert ("missing", "tool_calls[].output") in places


def test_times_and_durations_that_contradict_each_other(tmp_path: Path) -> None:
    data = example("annotated")
    data["summary"]["tool_calls_count"] = 3
    data["summary"]["total_duration_ms"] = 5
    one, two, three = data["tool_calls"]
    one["ended_at"] = "2026-01-25T09:00:00Z"
    two["duration_ms"] = 90_000
    del three["started_at"]
    three["ended_at"] = "2026-01-25T10:01:05"
    session, report = read_one(document(tmp_path / "a.json", data))
    first, second, third = session.tool_calls
    assert (first.ended_at, first.duration_ms) == ("2026-01-25T10:00:05.500Z", 500)
    assert first.as_read == {"ended_at": "2026-01-25T09:00:00Z"}
    assert (second.duration_ms, second.as_read) == (1000, {"duration_ms": 90_000})
    assert third.started_at == "2026-01-25T10:01:00.000Z"
    assert third.ended_at == "2026-01-25T10:01:05.000Z"
    assert session.summary.total_duration_ms == 300_000
    assert {"times", "duration", "started_at", "time", "summary_number"} <= codes(report)


def test_round_times_are_not_taken_for_measured_ones(tmp_path: Path) -> None:
    data = example("simple")
    call = data["tool_calls"][0]
    data["tool_calls"] = [
        {
            **call,
            "call_id": f"c{number}",
            "started_at": f"2026-01-25T15:00:{number * 5:02}Z",
            "ended_at": f"2026-01-25T15:00:{number * 5 + 1:02}Z",
        }
        for number in range(6)
    ]
    session, report = read_one(document(tmp_path / "a.json", data))
    assert session.timing_quality == "self_reported"
    assert "timing_quality" in codes(report)


def test_calls_that_are_not_in_order_stay_as_they_are(tmp_path: Path) -> None:
    data = example("annotated")
    data["tool_calls"].reverse()
    session, report = read_one(document(tmp_path / "a.json", data))
    assert [call.call_id for call in session.tool_calls] == ["tool-003", "tool-002", "tool-001"]
    assert "order" in codes(report)


def test_two_calls_of_one_name(tmp_path: Path) -> None:
    data = example("simple")
    data["tool_calls"][1]["call_id"] = "tool-001"
    session, report = read_one(document(tmp_path / "a.json", data))
    assert [call.call_id for call in session.tool_calls] == ["tool-001", "tool-001~2"]
    assert "same_call_id" in codes(report)


def test_a_prompt_with_quotes_that_nobody_escaped(tmp_path: Path) -> None:
    path = document(tmp_path / "a.json", example("simple"))
    broken = path.read_text().replace('"/report"', '"say "hello" to {all}, and "wait""')
    path.write_text(broken)
    session, report = read_one(path)
    assert session.user_prompt == 'say "hello" to {all}, and "wait"'
    assert len(session.tool_calls) == 2
    [torn] = [finding for finding in report.findings if finding.code == "torn_text"]
    assert torn.line == 4


def test_a_session_that_breaks_off_keeps_its_calls(tmp_path: Path) -> None:
    text = document(tmp_path / "a.json", example("annotated")).read_text()
    cut = text.index('"call_id": "tool-003"')
    (tmp_path / "a.json").write_text(text[:cut])
    session, report = read_one(tmp_path / "a.json")
    assert [call.call_id for call in session.tool_calls] == ["tool-001", "tool-002"]
    [broken] = [finding for finding in report.findings if finding.code == "broken_json"]
    assert broken.line is not None
    assert broken.line > 40


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030", "latin-1"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    data = example("simple")
    data["task_title"] = "café" if encoding == "latin-1" else "生成项目统计报告"
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps(data, ensure_ascii=False, indent=2).encode(encoding))
    session, report = read_one(path)
    assert len(session.tool_calls) == 2
    assert session.task_title == data["task_title"]
    assert ("not_utf8" in codes(report)) is (encoding in ("gb18030", "latin-1"))


def test_chinese_that_was_read_in_a_wrong_encoding(tmp_path: Path) -> None:
    data = example("simple")
    data["task_title"] = "生成，报告的".encode().decode("gb18030")
    data["tool_calls"][0]["input"]["description"] = "的，的，".encode().decode("gb18030")
    data["user_prompt"] = "鐢熸垚锛?鎶ュ憡鐨?"
    session, report = read_one(document(tmp_path / "a.json", data))
    assert session.task_title == "生成，报告的"
    assert session.tool_calls[0].input.description == "的，的，"
    assert session.user_prompt == data["user_prompt"]
    assert {"mistaken", "mistaken_lost"} <= codes(report)


def test_html_and_escapes_stay_in_texts_and_out_of_reports(tmp_path: Path) -> None:
    data = example("simple")
    data["user_prompt"] = "<script>alert(1)</script>\u001b[31m"
    data["status"] = "\u001b[31m<b>"
    session, report = read_one(document(tmp_path / "a.json", data))
    assert session.user_prompt == data["user_prompt"]
    told = report.to_json()
    assert "\u001b" not in "".join(finding.message for finding in report.findings)
    assert "\\u001b[31m" in told


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("", "line 1, column 1", "it is empty"),
        ("\0\0\n", "line 1, column 1", "it is empty"),
        ("hello", "line 1, column 1", "no session log"),
        ('{"a": 1}', "line 1, column 1", "no session log"),
        ('{"session_id" "x", "tool_calls": [', "line 1, column 15", "expected `:`"),
    ],
)
def test_what_cannot_be_read_at_all_is_refused_with_its_place(
    tmp_path: Path, text: str, place: str, why: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InvalidDocument) as caught:
        read_one(path)
    assert caught.value.field == place
    assert why in caught.value.reason
