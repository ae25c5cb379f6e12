"""Items: what became of each case of a run, with the reasons."""

import json

from pydantic import JsonValue

from whet.core.check import CheckResult, CheckSpec, gate
from whet.core.errors import WhetError
from whet.core.text import storable
from whet.core.tools import canonical
from whet.core.trial import TrialRecord
from whet.documents.base import Number
from whet.documents.capability import EvaluationItem, ItemStatus, TracedCall
from whet.evaluate.capability.select import MISSING_TOOLS, Chosen
from whet.evaluate.experiment import Row
from whet.evaluate.transcript import session_of
from whet.ports.blobs import Blobs

ROUNDING = 1e-9
"""What a weighted mean of perfect checks may be off by."""

MOST_CALLS = 200
MOST_ANSWER = 100_000
MOST_ARGUMENTS = 10_000
"""Characters and calls that an item tells; the session has all of them."""


def opened(run_id: str, chosen: Chosen) -> EvaluationItem:
    """The item of a case before anything was done: to be done, or skipped."""
    is_skipped = bool(chosen.missing)
    weight = chosen.case.weight
    return EvaluationItem(
        run_id=run_id,
        case_id=chosen.core.id,
        dimension=chosen.case.dimension,
        status="skipped" if is_skipped else "active",
        score=None,
        max_score=1,
        weight=1 if weight is None else weight,
        prompt=chosen.core.stimulus.prompt,
        final_answer=None,
        tool_calls=(),
        checker_detail={"missing_tools": [*chosen.missing]} if is_skipped else None,
        started_at=None,
        finished_at=None,
        elapsed_s=None,
        error=None,
        skip_reason=MISSING_TOOLS if is_skipped else None,
        tags=chosen.case.tags,
    ).lean()


def settled(item: EvaluationItem, row: Row, blobs: Blobs, now: str) -> EvaluationItem:
    """The item of a case that came to something; *item* is what was known of it before."""
    if row.skipped:
        reason = row.error or "the budget is used up"
        change: dict[str, object] = {
            "status": "skipped",
            "score": None,
            "skip_reason": reason,
            "finished_at": now,
        }
    elif row.record is None:
        change = {
            "status": "error",
            "score": 0,
            "error": row.error or "no answer",
            "finished_at": now,
            "trial": row.trial,
        }
    else:
        change = {**_outcome(row, row.record), **_traces(row.record, blobs)}
    return item.model_copy(update=change).lean()


def cancelled(item: EvaluationItem, reason: str) -> EvaluationItem:
    """The item of a case that the end of its run left undone."""
    return item.model_copy(update={"status": "cancelled", "score": None, "error": reason})


def _outcome(row: Row, record: TrialRecord) -> dict[str, object]:
    grade = row.grade
    if record.status == "failed":
        kind = record.failure or "failed"
        return _decided("failed", 0, f"{kind}: {record.error}" if record.error else str(kind))
    score = _score(row)
    if score is None:
        reason = (grade.error if grade else None) or "no check could decide"
        return _decided("error", 0, reason, _detail(row))
    if score >= 1 - ROUNDING:
        return _decided("passed", 1, None, _detail(row))
    return _decided("failed", score, None, _detail(row))


def _score(row: Row) -> float | None:
    """The weighted mean of the checks, with what each of them is worth in part. The grade's own
    score is the share of those that are wholly met, which is something else."""
    if row.grade is None or row.grade.score is None:
        return None
    return gate(row.grade.checks).score


def _decided(
    status: ItemStatus, score: Number, error: str | None, detail: JsonValue = None
) -> dict[str, object]:
    return {"status": status, "score": score, "error": error, "checker_detail": detail}


def _detail(row: Row) -> JsonValue:
    """Why the score is what it is: each check with what it expects and what it found."""
    specs = {spec.id: spec for spec in row.cell.case.standard.checks}
    results = row.grade.checks if row.grade else ()
    return {
        "score": _score(row),
        "checks": [_check(specs.get(result.id), result) for result in results],
    }


def _check(spec: CheckSpec | None, result: CheckResult) -> JsonValue:
    fields: dict[str, JsonValue] = dict(spec.fields) if spec else {}
    told: dict[str, JsonValue] = {
        "type": result.type,
        "expected": fields.get("expected") if fields.keys() <= {"expected"} else fields,
        "outcome": result.outcome,
        "score": result.score,
        "weight": result.weight,
        "evidence": result.evidence,
    }
    return told if result.error is None else {**told, "error": result.error}


def _traces(record: TrialRecord, blobs: Blobs) -> dict[str, object]:
    """What the agent said and did, how long it took and what it cost."""
    answer = record.answer
    if len(answer) > MOST_ANSWER:
        answer = f"{answer[:MOST_ANSWER]} […]"
    return {
        "final_answer": answer,
        **_session(record, blobs),
        "started_at": record.started_at,
        "finished_at": record.ended_at,
        "elapsed_s": record.duration_ms / 1000,
        "trial": record.address,
        "cost_usd": record.usage.cost_usd,
        # An agent that used none at all is one that does not count them.
        "tokens": record.usage.total_tokens or None,
        "output_tokens": record.usage.output_tokens or None,
        "simulated": record.simulated,
    }


def _session(record: TrialRecord, blobs: Blobs) -> dict[str, object]:
    try:
        session = session_of(record, blobs)
    except WhetError:
        return {"tool_calls": (), "session_id": None}
    calls = [
        TracedCall(name=storable(canonical(call.tool_name)), args=_short(call.input.params))
        for call in session.tool_calls[:MOST_CALLS]
    ]
    return {"tool_calls": tuple(calls), "session_id": session.session_id}


def _short(arguments: dict[str, JsonValue]) -> JsonValue:
    """The arguments of a call, with long texts cut and marked."""
    if len(json.dumps(arguments)) <= MOST_ARGUMENTS:
        return arguments
    most = MOST_ARGUMENTS // (len(arguments) or 1)
    return {name[:most]: _cut(value, most) for name, value in [*arguments.items()][:100]}


def _cut(value: JsonValue, most: int) -> JsonValue:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= most else f"{text[:most]} […]"
