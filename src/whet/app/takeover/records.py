"""A result file as an imported record with its session log, and as an imported grade."""

import json
from datetime import datetime, timedelta

from whet.app.takeover.found import Found, moment
from whet.app.takeover.scores import believed
from whet.core.address import digest_bytes
from whet.core.check import CheckResult
from whet.core.failure import Failure
from whet.core.grade import DimensionScore, Grade
from whet.core.instant import iso
from whet.core.step import Ended
from whet.core.text import storable
from whet.core.trial import IMPORTED, TrialRecord
from whet.core.usage import Usage
from whet.documents.result import CaseResult
from whet.evaluate.grade import Grader
from whet.run.session import SessionFold
from whet.run.workdir import Kept

ENGINE = "claude"
"""The only agent that the original program knows."""

GRADER = "imported"
_AMOUNTS = ("input_tokens", "output_tokens")
_NOTHING = Kept({}, (), (), cut=False)


def record_of(found: Found) -> tuple[TrialRecord, bytes]:
    """The answer as a record, and the session log that it names: all that a file tells of what the
    agent did is how it ended."""
    result, ended = found.result, _ended(found)
    session = json.dumps(_session(found, ended), ensure_ascii=False, separators=(",", ":"))
    data = session.encode(errors="replace")
    return TrialRecord(
        address=found.spec.address,
        generation=IMPORTED,
        execution="imported",
        status="failed" if ended.failure else "completed",
        answer=ended.answer,
        error=ended.error,
        started_at=result.executed_at or "",
        ended_at=iso(ended.at),
        duration_ms=round(result.duration_ms),
        usage=ended.usage,
        engine=storable(result.engine or ENGINE),
        engine_version=storable(result.cli_version or ""),
        model=storable(result.model_version),
        sandbox=storable(result.sandbox or "none"),
        simulated=bool(result.simulated),
        estimated_tokens=result.estimated_tokens,
        session=digest_bytes(data),
    ), data


def grade_of(found: Found, grader: Grader) -> Grade | None:
    """What somebody made of the answer; None where that has to be found out anew."""
    result, case = found.result, found.cell.case
    if result.status != "completed" or (_is_open(found) and not case.standard.checks):
        return None
    trial = found.spec.address
    grade = Grade(
        address=grader.address(case, trial, IMPORTED),
        trial=trial,
        generation=IMPORTED,
        grader=GRADER,
        grader_version="",
        status="unscored",
        evaluated_at=_evaluated_at(result),
        simulated=bool(result.simulated),
    )
    if _is_open(found):
        # Checks look at files too, and those are gone.
        return grade.model_copy(update={"error": "what it made is not here any more to be checked"})
    told = believed(result.scores, case, with_checks=found.is_ours)
    if told.score is None:
        error = told.problem if result.scores.total is not None else result.error or told.problem
        return grade.model_copy(update={"error": error and storable(error)})
    change = {
        "status": "scored",
        "score": told.score,
        "dimensions": {name: DimensionScore(score=s) for name, s in told.dimensions.items()},
        "reasoning": storable(result.score_reasoning),
        "checks": _checks(result) if found.is_ours else (),
        "gate_passed": result.gate_passed is not False,
    }
    return grade.model_copy(update=change)


def _checks(result: CaseResult) -> tuple[CheckResult, ...]:
    """What the checks found, as the file tells it."""
    return tuple(
        CheckResult(
            id=storable(one.id),
            type=storable(one.type),
            text=storable(one.text),
            outcome=one.outcome,
            score=1.0 if one.outcome in ("passed", "vacuous") else 0.0,
            evidence=storable(one.evidence),
            critical=one.critical,
            error=one.error and storable(one.error),
        )
        for one in result.checks or ()
    )


def _is_open(found: Found) -> bool:
    """Whether nobody scored it, or by another standard."""
    result = found.result
    other = result.expected_output != found.cell.case.standard.expected
    return other or result.grade_status == "failed"


def _evaluated_at(result: CaseResult) -> str:
    known = moment(result.score_evaluated_at) is not None
    return (result.score_evaluated_at if known else result.executed_at) or ""


def _ended(found: Found) -> Ended:
    result = found.result
    failed = result.status == "failed"
    return Ended(
        at=_after(found.started, result),
        answer=storable(result.actual_output),
        usage=Usage(
            input_tokens=result.input_tokens or 0,
            output_tokens=result.output_tokens or 0,
            cost_usd=result.cost_usd,
        ),
        failure=Failure.CRASH if failed else None,
        error=storable(result.error or "it failed, and does not say why") if failed else None,
    )


def _after(started: datetime, result: CaseResult) -> datetime:
    try:
        return started + timedelta(milliseconds=float(result.duration_ms))
    except OverflowError:
        return started


def _session(found: Found, ended: Ended) -> dict[str, object]:
    result = found.result
    simulated = bool(result.simulated)
    fold = SessionFold(found.spec, simulated=simulated, started_at=iso(found.started))
    fold.add(ended)
    log = fold.log(iso(ended.at), _NOTHING)
    if result.input_tokens is None:
        log = {name: value for name, value in log.items() if name not in _AMOUNTS}
    said = {
        "agent": {"model_id": result.model_version},
        "engine": result.engine or ENGINE,
        "engine_version": result.cli_version or "",
        "sandbox": result.sandbox or "none",
        "estimated_tokens": result.estimated_tokens,
    }
    return {**log, **said}
