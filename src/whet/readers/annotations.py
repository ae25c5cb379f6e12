"""Phase annotations, in the shapes that there are of them."""

from typing import get_args

from pydantic import JsonValue

from whet.documents.session import Confidence, PhaseType
from whet.documents.session_import import Repairs, quoted
from whet.readers.calls import Calls
from whet.readers.mending import Choice, Data, Mended

PHASES = Choice(
    get_args(PhaseType),
    {
        "understanding": "understand",
        "exploration": "explore",
        "exploring": "explore",
        "research": "explore",
        "analysis": "explore",
        "planning": "plan",
        "design": "plan",
        "execution": "execute",
        "executing": "execute",
        "implementation": "execute",
        "verification": "verify",
        "verifying": "verify",
        "testing": "verify",
        "review": "verify",
    },
    "unclassified",
)
CONFIDENCE = Choice(get_args(Confidence), {}, "medium")
MAKERS = Choice(
    ("agent", "human", "auto"),
    {
        **dict.fromkeys(("user", "person", "people", "manual", "author", "developer"), "human"),
        **dict.fromkeys(("model", "assistant", "llm", "ai", "subagent"), "agent"),
        **dict.fromkeys(("automatic", "heuristic", "rules", "script", "system"), "auto"),
    },
    "agent",
)
"""Who made an annotation. A log that does not say is the agent's own word: nothing in it was found
out by signals."""

_CONTEXT = Choice(
    (
        "claude_md",
        "rule",
        "standard",
        "skill",
        "spec",
        "file",
        "user_message",
        "tool_result",
        "capability",
    ),
    {
        "user_input": "user_message",
        "user_prompt": "user_message",
        "exploration_result": "tool_result",
        "directory": "file",
        "external": "file",
        "code": "file",
    },
    "file",
)
_USAGE = Choice(("read", "modified", "read_then_modified"), {"write": "modified"}, "read")
_DECISIONS = Choice(
    ("tool_selection", "approach", "error_handling", "skip", "retry"), {}, "approach"
)


def annotation(value: JsonValue, number: int, at: str, calls: Calls, repairs: Repairs) -> Data:
    """An annotation that fits, whatever was there; *at* is when, if it does not say."""
    data: Data = {**value} if isinstance(value, dict) else {}
    made = Mended(data, repairs, "phase_annotations[]")
    made.text("annotation_id", f"ann-{number:03}")
    made.rename("phase", "phase_type")
    made.choice("phase_type", PHASES)
    _range(made, calls, repairs)
    made.choice("annotated_by", MAKERS)
    made.text("annotated_at", at)
    made.choice("confidence", CONFIDENCE)
    made.optional(str, "description")
    made.optional(bool, "is_point")
    made.optional(dict, "as_read")
    analysed(made)
    return data


def analysed(owner: Mended) -> None:
    """See to it that decisions and references fit."""
    owner.rename("context_references", "context_used")
    owner.optional(list, "decisions", "context_used")
    if owner.data.get("decisions") is not None:
        for number, decision in enumerate(owner.each("decisions"), start=1):
            _decision(decision, number)
    if owner.data.get("context_used") is not None:
        for reference in owner.each("context_used"):
            _reference(reference)


def _range(made: Mended, calls: Calls, repairs: Repairs) -> None:
    data = made.data
    match data.get("tool_call_range"):
        case [start, end]:
            data["tool_call_range"] = {"start_call_id": start, "end_call_id": end}
            said = "it is a pair"
            repairs.note("renamed", "range", said, field=f"{made.place}.tool_call_range")
        case _:
            pass
    found = made.inner("tool_call_range")
    found.rename("start", "start_call_id")
    found.rename("end", "end_call_id")
    found.text("start_call_id", "")
    found.text("end_call_id", str(found.data["start_call_id"]))
    for name in ("start_call_id", "end_call_id"):
        if found.data[name] not in calls:
            said = f"there is no call {quoted(found.data[name])}"
            repairs.note("missing", "range_call", said, field=f"{found.place}.{name}")


def _decision(decision: Mended, number: int) -> None:
    decision.text("decision_id", f"dec-{number:03}")
    decision.choice("type", _DECISIONS)
    decision.rename("title", "description")
    decision.rename("decision", "description")
    decision.rename("choice", "description")
    decision.text("description", "")
    decision.rename("rationale", "reasoning")
    decision.rename("reason", "reasoning")
    decision.optional(str, "reasoning")
    if decision.data.get("alternatives_considered") is not None:
        decision.texts("alternatives_considered")


def _reference(reference: Mended) -> None:
    reference.choice("type", _CONTEXT)
    reference.rename("path", "source")
    reference.rename("name", "source")
    reference.rename("description", "source")
    reference.text("source", "")
    reference.choice("relevance", CONFIDENCE)
    reference.optional(str, "summary", "quoted_content")
    if reference.data.get("usage_mode") is not None:
        reference.choice("usage_mode", _USAGE)
