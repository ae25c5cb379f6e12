"""A job as the documents of its API tell it."""

from pydantic import JsonValue

from whet.core.errors import WrongStatus
from whet.core.job import Interaction, Job, JobState
from whet.documents.job import (
    Artifact,
    JobArtifacts,
    JobCancelled,
    JobCreated,
    JobError,
    JobOutcome,
    JobResult,
    JobStatus,
    JobUploaded,
)

_OUTCOMES = {"succeeded": "success", "failed": "failed", "cancelled": "cancelled"}


class PendingQuestion(Interaction):
    """A question that waits for a reply; clients call its ``id`` ``interaction_id`` too."""

    interaction_id: int


def pending_question(asked: Interaction) -> PendingQuestion:
    """A question under both names of its id."""
    return PendingQuestion(**asked.model_dump(), interaction_id=asked.id)


def shown_status(job: Job) -> JobState | None:
    """Null while files must be uploaded, as clients of the format expect it."""
    return None if job.state == "waiting_upload" else job.state


def created(job: Job) -> JobCreated:
    """The answer to a request for it."""
    return JobCreated(
        request_id=job.request_id,
        cache_hit=job.cache_hit,
        status=shown_status(job),
        state=job.state,
        warnings=tuple(each.model_dump() for each in job.notices) or None,
    ).lean()


def uploaded(job: Job) -> JobUploaded:
    """The answer to an upload."""
    return JobUploaded(
        request_id=job.request_id,
        cache_hit=job.cache_hit,
        status=shown_status(job),
        extracted_files=tuple(file.path.removeprefix("uploads/") for file in job.files),
    )


def status(job: Job) -> JobStatus:
    """Where it is."""
    skill = job.skill
    noticed = job.result.notices if job.result else ()
    more: dict[str, JsonValue] = {
        "state": job.state,
        "run_id": job.run_id,
        "skill_version": skill.version if skill else None,
        "package_version": skill.package_version if skill else None,
        "engine_version": job.engine_version,
        "sandbox": job.sandbox,
        "execution_mode": job.mode,
        "cache_hit": job.cache_hit,
        "started_at": job.started_at,
        "ended_at": job.ended_at,
        "current_attempt": len(job.rounds) or None,
        "pending_interaction_id": job.pending.id if job.pending else None,
        "interaction_count": len(job.responses),
        "auto_decision_count": sum(each.automatic for each in job.responses),
        "restarts": job.restarts or None,
        "wants_cancel": job.wants_cancel or None,
        "simulated": job.simulated,
        "cost_usd": job.usage.cost_usd,
        "input_tokens": job.usage.known(job.usage.input_tokens),
        "output_tokens": job.usage.known(job.usage.output_tokens),
        "worked_seconds": job.worked_seconds,
        "session_id": job.session if job.is_over else None,
        "batch_id": job.batch,
        "batch_index": job.batch_index,
    }
    return JobStatus.model_validate(
        {
            "request_id": job.request_id,
            "status": shown_status(job),
            "skill_id": job.skill_id or (skill.id if skill else ""),
            "engine": job.engine,
            "model": job.model,
            "created_at": job.created_at,
            "updated_at": job.updated_at,
            "warnings": [each.model_dump() for each in (*job.notices, *noticed)],
            "error": _error(job),
            **{name: value for name, value in more.items() if value is not None},
        }
    )


def result(job: Job) -> JobResult:
    """What it came to; raises ``WrongStatus`` before its end."""
    if not job.is_over:
        message = f"job {job.request_id} is {job.state}; it has no result yet"
        raise WrongStatus(message, "succeeded, failed or cancelled", job.state)
    found = job.result
    return JobResult(
        request_id=job.request_id,
        result=JobOutcome.model_validate(
            {
                "status": _OUTCOMES[job.state],
                "data": found.data if found else None,
                "artifacts": [each.path for each in found.artifacts] if found else [],
                "validation_warnings": [n.model_dump() for n in found.notices] if found else [],
                "error": _error(job),
                "repairs": sum(turn.kind == "repair" for turn in job.rounds),
                "simulated": job.simulated,
            }
        ),
    )


def artifacts(job: Job) -> JobArtifacts:
    """The files that it delivered."""
    found = job.result.artifacts if job.result else ()
    return JobArtifacts(
        request_id=job.request_id,
        artifacts=tuple(each.path for each in found),
        details=tuple(
            Artifact(
                path=each.path,
                size=each.size,
                sha256=each.digest,
                role=each.role,
                mime=each.mime,
            ).lean()
            for each in found
        ),
    )


def cancelled(job: Job) -> JobCancelled:
    """The answer to a request to cancel."""
    accepted = job.state == "cancelled" or job.wants_cancel
    if job.state == "cancelled":
        message = "it is cancelled"
    elif accepted:
        message = "it is about to end"
    else:
        message = f"it is {job.state} already"
    return JobCancelled(
        request_id=job.request_id,
        run_id=job.run_id,
        status=job.state,
        accepted=accepted,
        message=message,
    )


def _error(job: Job) -> JobError | None:
    failure = job.result.failure if job.result else None
    return JobError(code=failure.code, message=failure.message) if failure else None
