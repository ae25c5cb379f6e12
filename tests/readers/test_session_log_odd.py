"""Session logs with something wrong in them."""

import json
from pathlib import Path

import pytest

from tests.documents.agreeing import disagreements
from tests.readers.drawn import Data
from tests.readers.reading import codes, document, example, read_one, there
from whet.core.errors import InvalidDocument
from whet.exporters.sessions.layout import layout_of
from whet.replay.acts import acts_of


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
    stated = {"ended_at": "2026-01-25T10:00:07Z"}
    assert (second.duration_ms, second.ended_at) == (90_000, "2026-01-25T10:01:36.000Z")
    assert second.as_read == stated
    assert third.started_at == "2026-01-25T10:01:00.000Z"
    assert third.ended_at == "2026-01-25T10:01:05.000Z"
    assert session.summary.total_duration_ms == 300_000
    assert {"times", "started_at", "time", "summary_number"} <= codes(report)


@pytest.mark.parametrize(
    ("started", "ended", "stated", "right"),
    [
        ("10:00:05Z", "10:00:05Z", 4321, 4321),
        ("10:00:05Z", "10:00:06Z", 850, 850),
        ("10:00:05+08:00", "10:00:09+08:00", 12_345, 12_345),
        ("10:00:05.250Z", "10:00:05.250Z", 4321, 4321),
        ("10:00:05Z", "10:00:15Z", 0, 10_000),
        ("10:00:05Z", "10:00:15Z", None, 10_000),
        ("10:00:05.250Z", "10:00:06.000Z", 4321, 750),
    ],
)
def test_a_stated_duration_counts_more_than_coarse_times(
    tmp_path: Path, started: str, ended: str, stated: float | None, right: float
) -> None:
    data = example("annotated")
    call = data["tool_calls"][1]
    call["started_at"], call["ended_at"] = f"2026-01-25T{started}", f"2026-01-25T{ended}"
    call["duration_ms"] = stated
    session, _ = read_one(document(tmp_path / "a.json", data))
    assert session.tool_calls[1].duration_ms == right
    assert disagreements(session) == []
    assert acts_of(session)[1].length == int(right)
    layout = layout_of(session)
    assert layout.ends_ms[1] - layout.starts_ms[1] == pytest.approx(right)


def test_a_session_lasts_from_its_first_call_to_its_last(tmp_path: Path) -> None:
    data = example("annotated")
    data["created_at"] = data["completed_at"] = "2026-01-25T10:00:30Z"
    session, report = read_one(document(tmp_path / "a.json", data))
    assert session.created_at == "2026-01-25T10:00:05.000Z"
    assert there(session.as_read)["created_at"] == "2026-01-25T10:00:30Z"
    assert "session_span" in codes(report)
    assert disagreements(session) == []


def test_what_a_session_without_times_of_its_own_says_it_took(tmp_path: Path) -> None:
    data = example("simple")
    data["completed_at"], data["tool_calls"] = data["created_at"], []
    session, _ = read_one(document(tmp_path / "a.json", data))
    assert session.summary.total_duration_ms == 5000
    assert session.completed_at == "2026-01-25T15:00:05.000Z"


def test_a_step_that_was_skipped_did_not_fail(tmp_path: Path) -> None:
    steps = [
        {"step_id": "a", "step_name": "code_generation", "status": "success"},
        {"step_id": "b", "step_name": "debug_fix", "status": "skipped", "error_message": "no need"},
        {"step_id": "c", "step_name": "result_verification", "status": "failed"},
    ]
    data: Data = {"session_id": "s", "created_at": "2026-01-20T10:00:00Z", "steps": steps}
    data["summary"] = {"errors_encountered": 1}
    session, _ = read_one(document(tmp_path / "v1.json", data))
    assert [call.output.status for call in session.tool_calls] == ["success", "success", "failed"]
    skipped = session.tool_calls[1]
    assert skipped.output.error is None
    assert skipped.as_read == {"output.status": "skipped"}
    assert skipped.output.result is not None
    assert skipped.output.result.display == "skipped"
    assert session.summary.errors_encountered == 1


@pytest.mark.parametrize(
    ("said", "maker"),
    [({}, "agent"), ({"annotated_by": "human"}, "human"), ({"created_by": "heuristic"}, "auto")],
)
def test_phases_are_of_whoever_wrote_them(tmp_path: Path, said: Data, maker: str) -> None:
    data = example("simple")
    data["phases"] = [{"phase": "explore", "tool_call_ids": ["tool-001"], **said}]
    session, _ = read_one(document(tmp_path / "v2.json", data))
    assert [one.annotated_by for one in there(session.phase_annotations)] == [maker]


def test_files_that_a_log_names_reach_the_summary(tmp_path: Path) -> None:
    data = example("simple")
    data["summary"] = "All done."
    data["files_modified"] = ["a.py", {"path": "b.py", "lines": 3}]
    output: Data = {"files_created": ["c.py"], "files_modified": ["c.py"]}
    data["phases"] = [{"phase": "execute", "tool_call_ids": ["tool-001"], "output": output}]
    session, report = read_one(document(tmp_path / "v2.json", data))
    assert session.summary.files_created == ("c.py",)
    assert session.summary.files_modified == ("a.py", "b.py")
    assert {"files_created", "files_modified"} <= codes(report)
    del data["phases"][0]["output"], data["files_modified"]
    write = {"params": {"file_path": "/w/new.py", "content": ""}}
    data["tool_calls"][0] |= {"tool_name": "Write", "input": write}
    session, report = read_one(document(tmp_path / "v2.json", data))
    assert session.summary.files_created == ("/w/new.py",)
    assert "files" in codes(report)


def test_numbers_of_subagents_and_usage_that_disagree(tmp_path: Path) -> None:
    data = example("simple")
    info = {"subagent_type": "Plan", "tool_uses": 1}
    rows = [{"tool_name": "Read", "count": 3}]
    data["tool_calls"][0]["subagent_info"] = {**info, "tools_breakdown": rows}
    data["tool_calls"][1] |= {"parent_call_id": "nobody"}
    data |= {"input_tokens": 7, "messages": ["a"], "messages_at": []}
    data["spending"] = [{"at": data["created_at"], "input_tokens": 9}]
    session, report = read_one(document(tmp_path / "a.json", data))
    assert disagreements(session) == []
    assert session.input_tokens == 7
    assert there(session.tool_calls[0].subagent_info).tool_uses == 3
    assert {"tool_uses", "parent_call", "messages_at", "spending"} <= codes(report)


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
