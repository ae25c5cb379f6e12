"""How near a conversation came to a threshold, and its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.tokens import estimate
from whet.documents.session import Session
from whet.evaluate.context import SHARE, exported, risk
from whet.evaluate.transcript import transcript


def session(outputs: list[str], answer: str = "done") -> Session:
    calls: list[JsonValue] = [
        {
            "call_id": f"c{number}",
            "tool_name": "Bash",
            "tool_category": "action",
            "started_at": "2024-01-01T00:00:00Z",
            "ended_at": "2024-01-01T00:00:00Z",
            "duration_ms": 0,
            "input": {"params": {"command": "cat"}},
            "output": {"status": "success", "result": {"content": output}},
        }
        for number, output in enumerate(outputs)
    ]
    data: JsonValue = {
        "session_id": "s",
        "task_title": "t",
        "user_prompt": "Look.",
        "created_at": "2024-01-01T00:00:00Z",
        "completed_at": "2024-01-01T00:00:00Z",
        "status": "success",
        "agent": {"model_id": "m"},
        "tool_calls": calls,
        "summary": {
            "total_duration_ms": 0,
            "tool_calls_count": len(calls),
            "files_created": [],
            "files_modified": [],
        },
        "messages": ["I look."],
        "final_answer": answer,
    }
    return Session.model_validate(data)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [(0, "normal"), (59, "normal"), (60, "warning"), (79, "warning"), (80, "critical")],
)
def test_risk_by_share_of_the_threshold(tokens: int, expected: str) -> None:
    assert risk(tokens, 100) == expected


def test_a_compressed_conversation_fits_and_has_every_call() -> None:
    long = session(["x" * 9000, "长" * 9000, "short"])
    tokens = estimate(transcript(long))
    text = exported(long, tokens, compressed=True)
    assert estimate(text) <= tokens * SHARE
    assert estimate(text) > tokens * SHARE * 0.9, "as much as fits"
    assert all(f"### c{number} Bash" in text for number in range(3))
    assert "short" in text
    assert exported(long, tokens, compressed=False) == transcript(long)


@given(st.lists(st.text(max_size=300), max_size=6), st.text(max_size=50))
def test_nothing_said_is_ever_left_out(outputs: list[str], answer: str) -> None:
    made = session(outputs, answer)
    text = exported(made, estimate(transcript(made)), compressed=True)
    assert "I look." in text
    assert (answer or "(none)") in text
    assert text.count("### c") >= len(outputs)
