"""Session logs of seven steps, version 1. They have no calls: each step is shown as one."""

from pydantic import JsonValue

from whet.documents.session_import import Repairs
from whet.readers.calls import STATUS, Calls
from whet.readers.mending import Choice, Data, as_text

_KINDS = {
    "requirement_input": ("interaction", "understand"),
    "task_decomposition": ("planning", "plan"),
    "code_generation": ("action", "execute"),
    "environment_execution": ("action", "execute"),
    "debug_fix": ("action", "execute"),
    "result_verification": ("perception", "verify"),
    "memory_consolidation": ("task_management", "unclassified"),
}
_SKIPPED = "skipped"
_UNDONE = Choice(STATUS.allowed, {**STATUS.other, _SKIPPED: "success"}, "failed")
"""A step that was left out on purpose did not fail; what it was read as is kept beside it."""


class Steps:
    """Collects steps."""

    def __init__(self, calls: Calls, repairs: Repairs) -> None:
        self._calls = calls
        self._repairs = repairs
        self.made: list[JsonValue] = []
        """Annotations, one for each step."""

        self.statuses: list[str] = []

    def take(self, value: JsonValue, at: str) -> list[Data]:
        """Take the next step. Gives the call that stands for it."""
        step: Data = {**value} if isinstance(value, dict) else {"step_name": value}
        name = step.get("step_name")
        name = name if isinstance(name, str) else "step"
        kind, phase = _KINDS.get(name, ("action", "unclassified"))
        if not self.made:
            said = "steps are shown as calls, as version 1 has none"
            self._repairs.note("guessed", "steps", said, field="steps")
        call: Data = {
            "call_id": step.get("step_id"),
            "tool_name": name,
            "tool_category": kind,
            "started_at": step.get("timestamp"),
            "ended_at": None,
            "duration_ms": step.get("duration_ms"),
            "input": {"params": _params(step.get("input"))},
            "output": self._output(step),
            **_context(step),
            **({"as_read": {"output.status": _SKIPPED}} if _is_skipped(step) else {}),
        }
        found = [
            *self._calls.mend({key: given for key, given in call.items() if given is not None})
        ]
        for made in found:
            self.made.append(_annotation(made, phase, len(self.made) + 1, at, step))
        return found

    def _output(self, step: Data) -> Data:
        status = step.get("status")
        self.statuses.append(status if isinstance(status, str) else "")
        output: Data = {"status": "success" if status is None else _UNDONE.of(status)}
        if status is not None and output["status"] != status:
            field, said = "steps[].status", f"{as_text(status)[:40]} is read as {output['status']}"
            self._repairs.note("out_of_enum", "status", said, field=field)
        given, reason = step.get("output"), step.get("error_message")
        if given is not None:
            output["result"] = given if isinstance(given, dict) else {"display": as_text(given)}
        elif _is_skipped(step):
            output["result"] = {"display": _SKIPPED}
        if reason is not None:
            # An error would say that it failed.
            output["reason" if _is_skipped(step) else "error"] = as_text(reason)
        elif output["status"] == "failed":
            output["error"] = f"the step is {as_text(status)[:40]}"
        return output

    @property
    def outcome(self) -> str:
        """How a session ended that does not say it itself."""
        if {"pending", "running"} & {*self.statuses}:
            return "in_progress"
        return "failed" if "failed" in self.statuses[-1:] else "success"


def _is_skipped(step: Data) -> bool:
    status = step.get("status")
    return isinstance(status, str) and status.strip().lower() == _SKIPPED


def _params(given: JsonValue) -> Data:
    if isinstance(given, dict):
        return given
    return {} if given is None else {"input": given}


def _context(step: Data) -> Data:
    """What the step knew, and what is left of it."""
    kept = ("context_link", "skill_source", "domain_knowledge_source", "domain_matching_score")
    rest: Data = {name: step[name] for name in kept if step.get(name) is not None}
    sources = step.get("domain_knowledge_source")
    names = [
        as_text(source.get("name") or "")
        for source in (sources if isinstance(sources, list) else [])
        if isinstance(source, dict)
    ]
    if any(names):
        rest["context_contribution"] = {"type": "knowledge", "summary": ", ".join(names)}
    return rest


def _annotation(call: Data, phase: str, number: int, at: str, step: Data) -> Data:
    name = call["call_id"]
    made: Data = {
        "annotation_id": f"ann-{number:03}",
        "phase_type": phase,
        "tool_call_range": {"start_call_id": name, "end_call_id": name},
        "annotated_by": "auto",
        "annotated_at": at,
        "confidence": "medium",
    }
    skill = step.get("skill_source")
    if isinstance(skill, dict) and isinstance(skill.get("name"), str):
        used: Data = {"type": "skill", "source": skill["name"], "relevance": "medium"}
        made["context_used"] = [used]
    return made
