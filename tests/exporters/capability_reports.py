"""Capability runs to be reported: calm, broken, hostile and large ones."""

from pydantic import JsonValue

from tests.exporters.reports import HOSTILE
from whet.documents.capability import (
    CapabilityCaseSet,
    Dimension,
    EvaluationDetail,
    EvaluationItem,
    EvaluationRun,
    TracedCall,
)
from whet.evaluate.capability.coverage import coverage
from whet.evaluate.capability.scores import WEIGHTS, Tally
from whet.ports.capability_exporter import CapabilityReport

BAD = HOSTILE.replace("\ud800", "")
"""What can stand in a value of JSON: half of a character cannot."""

RUN = "0f3b6a52-1111-4222-8333-444455556666"


def check(outcome: str = "passed", score: float = 1, **more: JsonValue) -> dict[str, JsonValue]:
    return {
        "type": "exact",
        "expected": "44",
        "outcome": outcome,
        "score": score,
        "weight": 1,
        "evidence": "answer: 44",
        **more,
    }


def item(case: str, status: str = "passed", **more: object) -> EvaluationItem:
    is_measured = status in ("passed", "failed", "error")
    return EvaluationItem.model_validate(
        {
            "run_id": RUN,
            "case_id": case,
            "dimension": "logic",
            "status": status,
            "score": (1 if status == "passed" else 0) if is_measured else None,
            "max_score": 1,
            "weight": 1,
            "prompt": f"What is asked in {case}?",
            "final_answer": "It is 44." if is_measured else None,
            "tool_calls": (),
            "checker_detail": {"score": 1, "checks": [check()]} if is_measured else None,
            "started_at": "2026-01-31T12:00:00Z" if is_measured else None,
            "finished_at": "2026-01-31T12:00:02Z" if is_measured else None,
            "elapsed_s": 1.5 if is_measured else None,
            "error": None,
            **more,
        }
    )


def run(items: tuple[EvaluationItem, ...], **more: object) -> EvaluationRun:
    scores = Tally(items).scores(WEIGHTS)
    return EvaluationRun.model_validate(
        {
            "run_id": RUN,
            "user_id": "ada",
            "model_name": "claude:opus",
            "language": "en-US",
            "status": "finished",
            "case_set": "default",
            "config_snapshot": {
                "pin": {"model": "opus", "options": {"max_turns": 5}, "sandbox": "bubblewrap"},
                "timeout_s": 120,
                "concurrency": 4,
            },
            "tool_snapshot": {"tools": ["Read", "Write"], "configured": ["notes@*"]},
            "dimension_scores": scores.dimensions,
            "total_score": scores.total,
            "started_at": "2026-01-31T12:00:00Z",
            "finished_at": "2026-01-31T12:01:00Z",
            "elapsed_s": 60.0,
            "error": None,
            "case_set_digest": "ab" * 32,
            "engine": "claude",
            "engine_version": "2.1",
            "weights": {**WEIGHTS},
            "counts": scores.counts,
            "total_score_measured": scores.total_measured,
            **more,
        }
    )


def case_set(*ids: str, tag: str = "builtin") -> CapabilityCaseSet:
    cases: list[JsonValue] = [
        {
            "id": one,
            "dimension": "logic",
            "language": "en-US",
            "prompt": f"What is asked in {one}?",
            "checker": [
                {"type": "exact", "expected": "44"},
                {"type": "tool_called", "expected": "read"},
            ],
            "tags": [tag],
        }
        for one in ids
    ]
    return CapabilityCaseSet.parse({"case_set": "default", "version": 3, "cases": cases}, "set")


def report(*items: EvaluationItem, **more: object) -> CapabilityReport:
    given = items or (
        item("logic_1"),
        item(
            "logic_2", "failed", score=0.5, checker_detail=half(), weight=2, tags=("mcq", "short")
        ),
        item("tool_1", dimension="tool", tool_calls=calls(), cost_usd=0.0123),
        item(
            "tool_2",
            "skipped",
            dimension="tool",
            skip_reason="missing_tools",
            checker_detail={"missing_tools": ["notes@lookup", "ptc"]},
        ),
    )
    chosen = case_set(*(one.case_id for one in given))
    return CapabilityReport(
        EvaluationDetail(run=run(given, **more), items=given), coverage((chosen,)), chosen
    )


def half() -> JsonValue:
    failed = check(
        "failed", 0, type="contains", expected=["hydrogen"], evidence="Missing: hydrogen"
    )
    return {"score": 0.5, "checks": [check(), failed]}


def calls() -> tuple[TracedCall, ...]:
    return (
        TracedCall(name="Read", args={"file_path": "notes.txt"}),
        TracedCall(name="Read", args={"file_path": "more.txt"}),
        TracedCall(name="Write", args={"file_path": "out.txt", "content": "x"}),
    )


def broken() -> CapabilityReport:
    """Everything that can go wrong."""
    return report(
        item("passed_1"),
        item("error_1", "error", error="the agent crashed", checker_detail=None, final_answer=None),
        item("limit_1", "failed", error="timeout: took more than 60 s", checker_detail=None),
        item("odd_1", "failed", checker_detail={"older": "shape"}),
        item("gone_1", "cancelled", error="the run was cancelled"),
        item("open_1", "active"),
        status="cancelled",
        simulated=True,
    )


def hostile() -> CapabilityReport:
    bad = item(
        HOSTILE,
        "failed",
        prompt=HOSTILE,
        final_answer=HOSTILE,
        error=HOSTILE,
        tags=(HOSTILE,),
        session_id=HOSTILE,
        tool_calls=(TracedCall(name=HOSTILE, args={BAD: BAD}),),
        checker_detail={
            "score": 0,
            "checks": [check(BAD, 0, type=BAD, expected=BAD, evidence=BAD, error=BAD)],
        },
    )
    strange = item(f"{HOSTILE}2", "skipped", skip_reason=HOSTILE, checker_detail={BAD: [BAD]})
    given = (bad, strange)
    chosen = case_set("a", tag=BAD)
    return CapabilityReport(
        EvaluationDetail(
            run=run(
                given,
                user_id=HOSTILE,
                model_name=HOSTILE,
                language=HOSTILE,
                case_set=HOSTILE,
                engine=HOSTILE,
                engine_version=HOSTILE,
                error=HOSTILE,
                status="failed",
                config_snapshot={"pin": {"model": BAD, "options": {BAD: BAD}}},
                tool_snapshot={"tools": [BAD], "configured": [BAD]},
            ),
            items=given,
        ),
        coverage((chosen,)),
        chosen,
    )


def large(count: int, text: str, checks: int = 1) -> CapabilityReport:
    dimensions: tuple[Dimension, ...] = ("tool", "logic", "common", "complex")
    detail: JsonValue = {"checks": [check("failed", 0, evidence=text) for _ in range(checks)]}
    return report(
        *(
            item(
                f"case_{number}",
                "failed",
                dimension=dimensions[number % 4],
                prompt=text,
                final_answer=text,
                error=text,
                tool_calls=(TracedCall(name="Read", args={"file_path": text}),),
                checker_detail=detail,
            )
            for number in range(count)
        )
    )
