"""The session of a job: what its agent did in all turns, as one log."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import cast

from pydantic import JsonValue

from whet.core.instant import milliseconds
from whet.core.job import Job

Log = dict[str, JsonValue]

_USAGE = ("input_tokens", "output_tokens", "cost_usd")
_SUMS = (*_USAGE, "cache_read_tokens", "cache_write_tokens", "estimated_tokens")
_LAST = ("final_answer", "error", "output_truncated")
_ANY = ("simulated", "outputs_cut")


def joined(job: Job, name: str, logs: Sequence[Log]) -> Log:
    """One session of the logs of all turns, oldest first; there is at least one. It lasts from the
    first turn to the end of the last: the time in which the job waited for an answer lies in it."""
    first, last = logs[0], logs[-1]
    calls = [call for number, log in enumerate(logs, 1) for call in _calls(log, number)]
    prompt = job.rounds[0].prompt if job.rounds else str(first.get("user_prompt", ""))
    summary: Log = {
        "total_duration_ms": _between(first.get("created_at"), last.get("completed_at")),
        "tool_calls_count": len(calls),
        "files_created": _of(last, "files_created"),
        "files_modified": _of(last, "files_modified"),
        "errors_encountered": sum(_is_failed(call) for call in calls),
    }
    merged: Log = {
        **first,
        "session_id": name,
        "task_title": f"{job.skill_id} ({job.request_id[:8]})",
        "user_prompt": prompt,
        "completed_at": last.get("completed_at"),
        "status": "success" if job.state == "succeeded" else "failed",
        "tool_calls": [*calls],
        "summary": summary,
        "messages": [text for log in logs for text in _texts(log.get("messages"))],
        "messages_at": [at for log in logs for at in _texts(log.get("messages_at"))],
        "skills_used": [*dict.fromkeys(t for log in logs for t in _texts(log.get("skills_used")))],
        "turns": [turn.prompt for turn in job.rounds[1 : len(logs)]],
        "request_id": job.request_id,
        "run_id": job.run_id,
    }
    if len(logs) > 1:
        merged |= _of_several(job, logs)
    merged |= {key: total for key in _SUMS if (total := _sum(logs, key)) is not None}
    merged |= {key: True for key in _ANY if any(log.get(key) is True for log in logs)}
    merged |= {key: last[key] for key in _LAST if key in last}
    return {key: value for key, value in merged.items() if key in last or key not in _LAST}


def _calls(log: Log, number: int) -> list[Log]:
    """Its calls. Agents count from the beginning in each turn, and an id is there once."""
    calls = cast(list[Log], log.get("tool_calls") or [])
    if number == 1:
        return calls
    renamed: list[Log] = []
    for call in calls:
        new = {**call, "call_id": f"{number}-{call.get('call_id')}"}
        if "parent_call_id" in call:
            new["parent_call_id"] = f"{number}-{call['parent_call_id']}"
        renamed.append(new)
    return renamed


def _of_several(job: Job, logs: Sequence[Log]) -> Log:
    """When each turn was asked for, and how usage grew over all of them."""
    rounds = zip(job.rounds, logs, strict=False)
    prompts = [{"at": log.get("created_at"), "text": turn.prompt} for turn, log in rounds]
    return {"prompts": [*prompts], "spending": [*_spending(logs)]}


def _spending(logs: Sequence[Log]) -> Iterator[Log]:
    """How usage grew: the points of each turn on top of what the turns before had used up."""
    before: dict[str, float] = {}
    for log in logs:
        own = cast(list[Log], log.get("spending") or [])
        last = {"at": log.get("completed_at"), **{key: log.get(key) for key in _USAGE}}
        for point in own or [last]:
            known = {key: value for key in _USAGE if (value := _number(point.get(key))) is not None}
            total = {**before, **{key: before.get(key, 0) + known[key] for key in known}}
            if total:
                yield {"at": point.get("at"), **total}
        for key in _USAGE:
            if (value := _number(log.get(key))) is not None:
                before[key] = before.get(key, 0) + value


def _sum(logs: Sequence[Log], key: str) -> float | None:
    """All turns together; None where none of them says it."""
    found = [value for log in logs if (value := _number(log.get(key))) is not None]
    return sum(found) if found else None


def _number(value: JsonValue) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _between(start: JsonValue, end: JsonValue) -> int:
    first, last = (datetime.fromisoformat(str(at)) for at in (start, end))
    return milliseconds(first, last)


def _is_failed(call: Log) -> bool:
    return cast(Log, call.get("output") or {}).get("status") == "failed"


def _of(log: Log, key: str) -> JsonValue:
    return cast(Log, log.get("summary") or {}).get(key) or []


def _texts(value: JsonValue) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
