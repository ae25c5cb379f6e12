"""Faults of BorisAgentStudio, which shows sessions of agents by its own standard, and of its logs.

Its migration crashed by construction, its importer refused nine of its own 34 files, ranges in
another shape became the whole session, and calls that no phase covers vanished.
"""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import run
from tests.readers.reading import example
from tests.server.recorded_sessions import EVIL, at, shelve

SECRET = "sk-ant-api03-" + "A1b2C3d4" * 8


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def imported(workspace: Path, name: str, data: bytes | dict[str, Any]) -> dict[str, Any]:
    """What the command says of one file."""
    path = workspace.parent / name
    text = (
        data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False, indent=2).encode()
    )
    path.write_bytes(text)
    result = run("session", "import", path, "--workspace", workspace, "--json")
    [file] = json.loads(result.stdout)["files"]
    return {**file, "exit_code": result.exit_code}


def shown(workspace: Path, file: dict[str, Any]) -> dict[str, Any]:
    [session] = file["sessions"]
    result = run("session", "show", session["name"], "--workspace", workspace, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def found(file: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in file["findings"]}


def call(number: int, **more: Any) -> dict[str, Any]:
    return {
        "call_id": f"tool-{number:03}",
        "tool_name": "Read",
        "tool_category": "perception",
        "started_at": at(number),
        "ended_at": at(number + 0.4),
        "duration_ms": 400,
        "input": {"params": {"file_path": f"f{number}.py"}},
        "output": {"status": "success", "result": {"display": "x"}},
        **more,
    }


def session(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "session_id": "2026-01-25-009-odd",
        "task_title": "Odd",
        "user_prompt": "Do it.",
        "created_at": at(0),
        "completed_at": at(60),
        "status": "success",
        "agent": {"model_id": "m"},
        "tool_calls": list(calls),
        **more,
    }


def test_a_session_of_phases_without_a_list_of_calls_is_read(workspace: Path) -> None:
    """There the migration looked for the list in the very files that lack it."""
    phases = [
        {
            "phase": "explore",
            "description": "Look.",
            "tool_calls": [{"tool": "Read", "target": "a.py", "action": "read", "details": "x"}],
        },
        {
            "phase": "execute",
            "description": "Do.",
            "tool_calls": [{"tool": "Bash", "command": "make", "result": "ok"}],
        },
    ]
    data = session(phases=phases, title="Old", description="Older")
    del data["tool_calls"], data["task_title"]
    file = imported(workspace, "old.json", data)
    assert (file["exit_code"], file["calls"]) == (0, 2)
    told = shown(workspace, file)
    assert [one["tool"] for one in told["calls"]["calls"]] == ["Read", "Bash"]
    assert told["session"]["title"] == "Old"


def test_a_session_of_seven_steps_is_read(workspace: Path) -> None:
    steps = [
        {
            "step_id": f"s{n}",
            "step_name": "code_generation",
            "status": "success",
            "timestamp": at(n),
        }
        for n in range(7)
    ]
    data = {"session_id": "x", "created_at": at(0), "updated_at": at(9), "steps": steps}
    file = imported(workspace, "steps.json", data)
    assert (file["exit_code"], file["calls"]) == (0, 7)


def test_quotes_that_nobody_escaped_lose_no_session(workspace: Path) -> None:
    data = session(call(1), call(2), user_prompt="PROMPT")
    broken = json.dumps(data, indent=2).replace('"PROMPT"', '"say "hello" to {all}"').encode()
    file = imported(workspace, "torn.json", broken)
    assert (file["exit_code"], file["calls"]) == (0, 2)
    assert shown(workspace, file)["user_prompt"] == 'say "hello" to {all}'


@pytest.mark.parametrize(
    "shape",
    [["tool-001", "tool-002"], {"start": "tool-001", "end": "tool-002"}],
    ids=["list", "short"],
)
def test_a_range_in_another_shape_is_not_the_whole_session(workspace: Path, shape: Any) -> None:
    """There 20 of 50 annotations covered everything."""
    data = copy.deepcopy(example("annotated"))
    data["phase_annotations"][0]["tool_call_range"] = shape
    told = shown(workspace, imported(workspace, "a.json", data))
    first = told["annotations"][0]["tool_call_range"]
    assert (first["start_call_id"], first["end_call_id"]) == ("tool-001", "tool-002")


def test_a_range_to_nowhere_is_told_and_covers_nothing_else(workspace: Path) -> None:
    data = copy.deepcopy(example("annotated"))
    data["phase_annotations"][0]["tool_call_range"] = {"start": "tool-001", "end": "nobody"}
    file = imported(workspace, "a.json", data)
    assert "range_call" in found(file)
    assert len(shown(workspace, file)["calls"]["calls"]) == 3


def test_calls_that_no_phase_covers_are_shown(workspace: Path) -> None:
    """There they vanished from the page, and those of two phases were there twice."""
    annotations = [
        {
            "annotation_id": f"ann-{n}",
            "phase_type": "explore",
            "tool_call_range": {"start_call_id": "tool-002", "end_call_id": "tool-003"},
            "annotated_by": "agent",
            "annotated_at": at(50),
            "confidence": "high",
        }
        for n in range(2)
    ]
    data = session(*(call(n) for n in range(1, 6)), phase_annotations=annotations)
    told = shown(workspace, imported(workspace, "a.json", data))
    assert [one["call_id"] for one in told["calls"]["calls"]] == [
        f"tool-{n:03}" for n in range(1, 6)
    ]


def test_numbers_that_a_log_claims_are_counted_anew(workspace: Path) -> None:
    summary: dict[str, Any] = {
        "total_duration_ms": 5,
        "tool_calls_count": 99,
        "files_created": [],
        "files_modified": [],
    }
    file = imported(workspace, "a.json", session(call(1), call(2), summary=summary))
    assert file["calls"] == 2
    assert "summary_number" in found(file)
    assert shown(workspace, file)["session"]["calls"] == 2


def test_invented_times_are_not_taken_for_measured_ones(workspace: Path) -> None:
    """359 of its 382 calls began at a multiple of five seconds."""
    calls = [
        call(
            n,
            started_at=f"2026-01-25T12:00:{n * 5:02}Z",
            ended_at=f"2026-01-25T12:00:{n * 5 + 1:02}Z",
        )
        for n in range(8)
    ]
    assert "timing_quality" in found(imported(workspace, "a.json", session(*calls)))


def test_a_word_that_is_not_in_the_format_is_mapped_and_a_failure_stays_one(
    workspace: Path,
) -> None:
    odd = call(2, output={"status": "error", "result": "no such file"})
    file = imported(workspace, "a.json", session(call(1), odd, status="completed"))
    told = shown(workspace, file)["session"]
    assert (told["status"], told["failed"]) == ("success", 1)


def test_two_calls_of_one_id_are_two_calls(workspace: Path) -> None:
    file = imported(workspace, "a.json", session(call(1), call(1)))
    assert file["calls"] == 2
    ids = [one["call_id"] for one in shown(workspace, file)["calls"]["calls"]]
    assert len(set(ids)) == 2


def test_one_broken_file_is_named_and_hides_no_other(workspace: Path) -> None:
    """There invalid files were skipped without a word."""
    folder = workspace.parent / "logs"
    folder.mkdir()
    (folder / "good.json").write_text(json.dumps(session(call(1))))
    (folder / "bad.json").write_bytes(b"\x00\x01 no log at all {")
    result = run("session", "import", folder / "good.json", folder / "bad.json", "--json",
                 "--workspace", workspace)  # fmt: skip
    files = {Path(one["source"]).name: one for one in json.loads(result.stdout)["files"]}
    assert result.exit_code == 1
    assert files["good.json"]["status"] == "imported"
    assert files["bad.json"]["status"] == "refused"
    assert files["bad.json"]["error"]


CLAUDE: list[dict[str, Any]] = [
    {
        "type": "user", "sessionId": "s", "uuid": "u1", "timestamp": at(0), "cwd": "/w",
        "message": {"role": "user", "content": f"Do it with {SECRET}."},
    },
    *(
        {
            "type": "assistant", "sessionId": "s", "uuid": f"a{n}", "timestamp": at(n),
            "message": {
                "id": f"m{n}", "role": "assistant", "model": "m",
                "content": [{"type": "tool_use", "id": f"t{n}", "name": "Read",
                             "input": {"file_path": f"f{n}"}}],
                "usage": {"input_tokens": 10, "output_tokens": 5},
            },
        }
        for n in range(1, 4)
    ),
]  # fmt: skip


def lines(*rows: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.mark.parametrize(
    ("data", "calls"),
    [
        (lines(*CLAUDE), 3),
        (lines(*CLAUDE)[:-40], 2),
        (b"\xef\xbb\xbf" + lines(*CLAUDE), 3),
        (lines(*CLAUDE).replace(b"\n", b"\r\n"), 3),
        (lines(*CLAUDE[:2]) + b"{half\n\n" + lines(*CLAUDE[2:]), 3),
        (lines(*CLAUDE, *CLAUDE), 3),
        (lines(*CLAUDE).replace(b"10", b"NaN"), 3),
    ],
    ids=["whole", "last line half", "mark", "CRLF", "half a line within", "all twice", "no number"],
)
def test_a_log_of_an_agent_that_is_damaged_keeps_every_whole_call_once(
    workspace: Path, data: bytes, calls: int
) -> None:
    """There no log of any agent could be read."""
    file = imported(workspace, "log.jsonl", data)
    assert (file["exit_code"], file["calls"]) == (0, calls), file


def test_a_key_in_a_log_is_in_no_session_and_no_page(workspace: Path) -> None:
    """There was no redaction at all."""
    file = imported(workspace, "log.jsonl", lines(*CLAUDE))
    assert SECRET not in json.dumps(shown(workspace, file))
    page = workspace.parent / "page.html"
    [made] = file["sessions"]
    run("session", "export", made["name"], "--format", "html", "--out", page,
        "--workspace", workspace)  # fmt: skip
    assert SECRET not in page.read_text()
    kept = [path for path in (workspace / "sessions").rglob("*") if path.is_file()]
    assert not [path for path in kept if SECRET.encode() in path.read_bytes()]


def test_a_session_that_holds_a_script_is_a_text_in_its_page(workspace: Path) -> None:
    name = shelve(workspace)
    page = workspace.parent / "page.html"
    place = ("--workspace", workspace)
    result = run("session", "export", name, "--format", "html", "--out", page, *place)
    assert result.exit_code == 0, result.output
    text = page.read_text()
    assert EVIL not in text
    assert "<script>alert(1)" not in text
    assert "alert(1)" in text
    told = run("session", "show", name, *place).stdout
    assert "\x1b[31m" not in told
    assert "\u202e" not in told
