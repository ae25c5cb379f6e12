"""The session of a job: what its agent did in all turns, as one log."""

from collections.abc import Sequence
from typing import cast

from pydantic import JsonValue

from whet.core.job import Job

Log = dict[str, JsonValue]

_SUMS = ("input_tokens", "output_tokens", "cost_usd", "estimated_tokens")
_LAST = ("final_answer", "error", "output_truncated")


def joined(job: Job, name: str, logs: Sequence[Log]) -> Log:
    """One session of the logs of all turns, oldest first; there is at least one."""
    first, last = logs[0], logs[-1]
    calls = [call for number, log in enumerate(logs, 1) for call in _calls(log, number)]
    prompt = job.rounds[0].prompt if job.rounds else str(first.get("user_prompt", ""))
    summary: Log = {
        "total_duration_ms": _sum(logs, "total_duration_ms"),
        "tool_calls_count": len(calls),
        "files_created": _of(last, "files_created"),
        "files_modified": _of(last, "files_modified"),
        "errors_encountered": _sum(logs, "errors_encountered"),
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
        "skills_used": [*dict.fromkeys(t for log in logs for t in _texts(log.get("skills_used")))],
        "turns": [turn.prompt for turn in job.rounds[1 : len(logs)]],
        "request_id": job.request_id,
        "run_id": job.run_id,
    }
    for key in _SUMS:
        found = [log[key] for log in logs if isinstance(log.get(key), int | float)]
        merged |= {key: sum(cast(list[float], found))} if found else {}
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


def _sum(logs: Sequence[Log], key: str) -> float:
    found = (cast(Log, log.get("summary") or {}).get(key) for log in logs)
    return sum(value for value in found if isinstance(value, int | float))


def _of(log: Log, key: str) -> JsonValue:
    return cast(Log, log.get("summary") or {}).get(key) or []


def _texts(value: JsonValue) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
