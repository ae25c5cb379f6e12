"""From a settled place to an item that explains itself."""

import json
from collections.abc import Mapping

import pytest
from pydantic import JsonValue

from whet.app.clock import SystemClock
from whet.core.arm import Arm
from whet.core.case import Case, Standard, Stimulus
from whet.core.check import CheckResult, CheckSpec
from whet.core.failure import Failure
from whet.core.grade import Grade
from whet.core.trial import TrialRecord
from whet.core.usage import Usage
from whet.documents.capability import CapabilityCase, EvaluationItem
from whet.evaluate.capability.items import (
    MOST_ANSWER,
    MOST_ARGUMENTS,
    MOST_CALLS,
    cancelled,
    opened,
    settled,
)
from whet.evaluate.capability.select import Chosen
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell
from whet.stores.memory import MemoryStore

NOW = "2024-01-01T00:00:02.000Z"
CHECK = CheckSpec(id="S1", type="exact", fields={"expected": "7"}, weight=2)
CASE = Case(
    id="a", stimulus=Stimulus(prompt="How many?"), standard=Standard(checks=(CHECK,), weight=3)
)
CHOSEN = Chosen(
    CapabilityCase(
        id="a", dimension="logic", prompt="?", checker="exact", weight=3, tags=("builtin",)
    ),
    CASE,
    (),
)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(lambda _owner: True, SystemClock())


def record(
    store: MemoryStore, *calls: tuple[str, Mapping[str, JsonValue]], **more: object
) -> TrialRecord:
    when = "2024-01-01T00:00:00.000Z"
    told = [
        {
            "call_id": str(number),
            "tool_name": name,
            "tool_category": "action",
            "started_at": when,
            "ended_at": when,
            "duration_ms": 0,
            "input": {"params": params},
            "output": {"status": "success"},
        }
        for number, (name, params) in enumerate(calls)
    ]
    none: list[str] = []
    numbers = {"total_duration_ms": 0, "tool_calls_count": len(calls)}
    session = {
        "session_id": "trial-1",
        "task_title": "t",
        "user_prompt": "p",
        "created_at": when,
        "completed_at": when,
        "status": "success",
        "agent": {"model_id": "m"},
        "tool_calls": told,
        "summary": {**numbers, "files_created": none, "files_modified": none},
    }
    known: dict[str, object] = {
        "address": "f" * 64,
        "execution": "e",
        "status": "completed",
        "answer": "7",
        "started_at": when,
        "ended_at": NOW,
        "duration_ms": 2000,
        "usage": Usage(cost_usd=0.25),
        "engine": "simulated",
        "engine_version": "1",
        "model": "simulated",
        "sandbox": "none",
        "simulated": True,
        "session": store.blobs.put(json.dumps(session).encode()),
    }
    return TrialRecord.model_validate({**known, **more})


def check(score: float, weight: float = 2) -> CheckResult:
    outcome = "passed" if score > 0.999 else "failed"
    return CheckResult(
        id="S1", type="exact", text="", outcome=outcome, score=score, evidence="7", weight=weight
    )


def grade(score: float | None, **more: object) -> Grade:
    """A grade with one check, which alone decides."""
    result = check(1 if score is None else score)
    known = {"address": "g", "trial": "t", "generation": 1, "grader": "checks"}
    known |= {"grader_version": "", "status": "scored" if score is not None else "unscored"}
    told = {"score": score, "evaluated_at": NOW, "checks": (result,)}
    return Grade.model_validate({**known, **told, **more})


def item(store: MemoryStore, made: TrialRecord | None, graded: Grade | None) -> EvaluationItem:
    cell = Cell(Arm(id="agent", label="", skill=None), CASE, 1)
    row = Row(cell, "f" * 64, made, graded, None if made else "it crashed")
    return settled(opened("r1", CHOSEN), row, store.blobs, NOW)


def test_a_passed_item_has_all_there_is_to_know(store: MemoryStore) -> None:
    calls = (("mcp__shop__buy", {"what": "tea"}), ("read_file", {"path": "x"}))
    found = item(store, record(store, *calls), grade(1.0))
    assert (found.status, found.score, found.max_score, found.weight) == ("passed", 1, 1, 3)
    assert [(call.name, call.args) for call in found.tool_calls] == [
        ("shop@buy", {"what": "tea"}),
        ("Read", {"path": "x"}),
    ]
    assert (found.session_id, found.trial, found.cost_usd) == ("trial-1", "f" * 64, 0.25)
    assert (found.elapsed_s, found.simulated, found.tags) == (2, True, ("builtin",))
    assert found.checker_detail == {
        "score": 1.0,
        "checks": [
            {
                "type": "exact",
                "expected": "7",
                "outcome": "passed",
                "score": 1,
                "weight": 2,
                "evidence": "7",
            }
        ],
    }
    assert EvaluationItem.parse(found.to_data(), "it") == found


@pytest.mark.parametrize(
    ("score", "status", "kept"), [(0.5, "failed", 0.5), (1 - 1e-12, "passed", 1), (0, "failed", 0)]
)
def test_the_score_is_that_of_the_checks(
    store: MemoryStore, score: float, status: str, kept: float
) -> None:
    found = item(store, record(store), grade(score))
    assert (found.status, found.score) == (status, kept)


def test_checks_count_by_their_weight_and_in_part(store: MemoryStore) -> None:
    """The share of checks that are wholly met, which is the score of a grade, is another thing."""
    several = grade(1 / 3, checks=(check(1, 1), check(0.5, 2), check(0, 5)))
    found = item(store, record(store), several)
    assert (found.status, found.score) == ("failed", 0.25)


def test_a_limit_of_the_agent_is_a_failure(store: MemoryStore) -> None:
    ended = {"status": "failed", "failure": Failure.TIMEOUT, "error": "not done within 1 s"}
    found = item(store, record(store, **ended), None)
    assert (found.status, found.score) == ("failed", 0)
    assert found.error == "timeout: not done within 1 s"


def test_without_an_answer_or_a_score_it_is_an_error(store: MemoryStore) -> None:
    lost = item(store, None, None)
    assert (lost.status, lost.score, lost.error) == ("error", 0, "it crashed")
    assert lost.finished_at == NOW
    broken = item(store, record(store), grade(None, status="failed", error="a check broke"))
    assert (broken.status, broken.score, broken.error) == ("error", 0, "a check broke")
    undecided = item(store, record(store), grade(None))
    assert (undecided.status, undecided.error) == ("error", "no check could decide")


def test_a_lost_session_costs_the_calls_alone(store: MemoryStore) -> None:
    found = item(store, record(store, session="0" * 64), grade(1.0))
    assert (found.status, found.tool_calls, found.session_id) == ("passed", (), None)


def test_what_is_too_long_is_cut_and_marked(store: MemoryStore) -> None:
    calls = [("Write", {"content": "x" * 10 * MOST_ARGUMENTS, "n": 1})] * (MOST_CALLS + 5)
    found = item(store, record(store, *calls, answer="y" * 2 * MOST_ANSWER), grade(1.0))
    assert len(found.tool_calls) == MOST_CALLS
    assert (found.final_answer or "").endswith("[…]")
    arguments = found.tool_calls[0].args
    assert isinstance(arguments, dict)
    assert arguments["n"] == 1
    assert str(arguments["content"]).endswith("[…]")
    assert len(json.dumps(found.tool_calls[0].args)) < 2 * MOST_ARGUMENTS


def test_skipped_and_cancelled_items_have_no_score() -> None:
    skipped = opened("r1", Chosen(CHOSEN.case, CASE, ("ptc",)))
    assert (skipped.status, skipped.score, skipped.skip_reason) == (
        "skipped",
        None,
        "missing_tools",
    )
    gone = cancelled(opened("r1", CHOSEN), "the run was cancelled")
    assert (gone.status, gone.score, gone.error) == ("cancelled", None, "the run was cancelled")
