"""The session log format in all its generations."""

from pathlib import Path

from tests.readers.drawn import Data
from tests.readers.reading import FIXTURES, codes, document, example, read_one, there


def test_the_examples_of_the_format(tmp_path: Path) -> None:
    for name, said in (("simple", 11), ("annotated", 8)):
        session, report = read_one(FIXTURES / f"{name}.json")
        data = example(name)
        count = len(data["tool_calls"])
        assert codes(report) == {"summary_number"}
        assert session.as_read == {"summary.tool_calls_count": said}
        data["summary"]["tool_calls_count"] = count
        assert session.to_data() == {**data, "as_read": session.as_read}
    again = tmp_path / "again.json"
    again.write_text(session.to_json(), "utf-8")
    assert read_one(again) == (session, read_one(again)[1])
    assert read_one(again)[1].findings == ()


V1: Data = {
    "session_id": "mock-session",
    "created_at": "2026-01-20T10:00:00Z",
    "updated_at": "2026-01-20T10:05:00Z",
    "steps": [
        {
            "step_id": "step-1",
            "step_name": "requirement_input",
            "status": "success",
            "input": "Build a timeline",
            "output": "understood",
            "timestamp": "2026-01-20T10:00:00Z",
            "duration_ms": 1200,
            "domain_knowledge_source": [
                {"id": "k", "name": "React", "content": "…", "relevance_score": 0.9}
            ],
            "domain_matching_score": 0.9,
        },
        {
            "step_id": "step-2",
            "step_name": "code_generation",
            "status": "failed",
            "input": {"file": "a.tsx"},
            "output": {"lines": 3},
            "skill_source": {"id": "s", "name": "react-skill", "source": "local"},
            "error_message": "does not compile",
            "timestamp": "2026-01-20T10:01:00Z",
            "duration_ms": 3000,
        },
        {
            "step_id": "step-3",
            "step_name": "result_verification",
            "status": "pending",
            "timestamp": "2026-01-20T10:02:00Z",
        },
    ],
}


def test_seven_steps(tmp_path: Path) -> None:
    session, report = read_one(document(tmp_path / "mock-session.json", V1))
    first, second, third = session.tool_calls
    assert (first.call_id, first.tool_name) == ("step-1", "requirement_input")
    assert (first.tool_category, first.duration_ms) == ("interaction", 1200)
    assert first.input.params == {"input": "Build a timeline"}
    assert first.context_contribution is not None
    assert first.context_contribution.summary == "React"
    assert (second.output.status, second.output.error) == ("failed", "does not compile")
    assert (third.output.status, third.output.error) == ("failed", "the step is pending")
    assert session.status == "in_progress"
    phases = [each.phase_type for each in session.phase_annotations or ()]
    assert phases == ["understand", "execute", "verify"]
    used = there(session.phase_annotations)[1].context_used
    assert used is not None
    assert (used[0].type, used[0].source) == ("skill", "react-skill")
    assert session.source_format == "session log 1"
    assert {"steps", "task_title", "user_prompt", "model_id", "status"} <= codes(report)


PHASES: list[Data] = [
    {
        "phase_id": "p1",
        "phase_type": "understand",
        "tool_call_ids": [],
        "input": {"user": "x"},
    },
    {
        "phase_id": "p2",
        "phase_type": "explore",
        "tool_call_ids": ["tool-001", "tool-002"],
        "loop_info": {"attempt_number": 1},
        "exploration_record": {"selection_reasoning": "why"},
        "context_used": [
            {"type": "user_input", "source": "prompt", "relevance": "high"},
            {
                "type": "file",
                "source": "a.ts",
                "relevance": "high",
                "usage_mode": "read_then_modified",
            },
        ],
        "decisions": [{"title": "Count lines", "choice": "wc", "rationale": "quick"}],
    },
    {"phase_id": "p3", "phase_type": "execute", "tool_call_ids": ["tool-009"]},
]


def test_phases_become_annotations_and_stay(tmp_path: Path) -> None:
    data = example("simple")
    del data["user_prompt"]
    data["summary"]["tool_calls_count"] = 2
    data["phases"] = PHASES
    session, report = read_one(document(tmp_path / "v2.json", data))
    before, explore, after = there(session.phase_annotations)
    assert (before.is_point, explore.is_point, after.is_point) == (True, None, True)
    covered = explore.tool_call_range
    assert (covered.start_call_id, covered.end_call_id) == ("tool-001", "tool-002")
    assert after.tool_call_range.start_call_id == "tool-002"
    assert (explore.annotated_by, explore.confidence) == ("agent", "medium")
    told = explore.to_data()
    assert isinstance(told, dict)
    assert told["loop_info"] == {"attempt_number": 1}
    [decision] = there(explore.decisions)
    assert (decision.type, decision.description, decision.reasoning) == (
        "approach",
        "Count lines",
        "quick",
    )
    used, file = there(explore.context_used)
    assert (used.type, file.usage_mode) == ("user_message", "read_then_modified")
    kept = there(session.phases)
    assert [phase.to_data() for phase in kept[1:2]] == PHASES[1:2]
    assert session.source_format == "session log 2"
    assert {"phases", "phase_call", "user_prompt"} <= codes(report)


def test_the_irregular_kin(tmp_path: Path) -> None:
    data: Data = {
        "title": "A title",
        "description": "What for",
        "started_at": "2026-01-25T10:00:00+08:00",
        "completed_at": "2026-01-25T10:30:00+08:00",
        "status": "completed",
        "agent": "claude",
        "summary": "All went well",
        "phases": [
            {
                "phase": "exploration",
                "description": "Looks",
                "tool_calls": [
                    {"tool": "Read", "target": "a.ts", "action": "read it", "details": ["x"]},
                    {"tool": "Bash", "command": "npm test", "result": "3 passed"},
                ],
            },
            {"phase": "design", "context_references": ["the prompt"]},
        ],
        "artifacts": ["a.md"],
        "design_decisions": [{"title": "t"}],
    }
    session, report = read_one(document(tmp_path / "2026-01-25-002-odd.json", data))
    assert session.session_id == "2026-01-25-002-odd"
    assert (session.task_title, session.task_description) == ("A title", "What for")
    assert (session.status, session.agent.model_id) == ("success", "claude")
    assert session.created_at == "2026-01-25T10:00:00+08:00"
    read, run = session.tool_calls
    assert (read.tool_name, read.tool_category) == ("Read", "perception")
    assert read.input.params == {"target": "a.ts", "details": ["x"]}
    assert read.input.description == "read it"
    assert run.output.result is not None
    assert run.output.result.display == "3 passed"
    assert run.input.params == {"command": "npm test"}
    explore, design = there(session.phase_annotations)
    assert (explore.phase_type, explore.description) == ("explore", "Looks")
    assert (design.phase_type, design.is_point) == ("plan", True)
    told = session.to_data()
    assert isinstance(told, dict)
    assert told["artifacts"] == ["a.md"]
    assert told["summary"] == {
        "text": "All went well",
        "total_duration_ms": 1_800_000,
        "tool_calls_count": 2,
        "files_created": [],
        "files_modified": [],
    }
    assert session.as_read == {"status": "completed"}
    assert {"session_id", "task_title", "created_at", "status", "summary"} <= codes(report)
