"""Session log format: what an agent did, call by call."""

from typing import Literal

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number
from whet.documents.shapes import renamed

ToolCategory = Literal["perception", "action", "interaction", "planning", "task_management"]

PhaseType = Literal["understand", "explore", "plan", "execute", "verify", "mixed", "unclassified"]

Confidence = Literal["high", "medium", "low"]


class Agent(Document):
    """Who worked."""

    model_id: str
    capability_snapshot: str | None = None


class ToolInput(Document):
    """What a tool was given."""

    params: dict[str, JsonValue]
    description: str | None = None
    raw_command: str | None = None


class ToolResult(Document):
    """What a tool gave back; ``display`` is the short form."""

    display: str | None = None


class ToolOutput(Document):
    """How a call ended."""

    status: Literal["success", "failed"]
    result: ToolResult | None = None
    error: str | None = None
    truncated: bool | None = None


class ContextContribution(Document):
    """What the agent learnt from a call."""

    type: Literal["file_content", "search_result", "command_output", "knowledge"]
    summary: str
    full_content: str | None = None


class ToolCount(Document):
    """How often a subagent used a tool."""

    tool_name: str
    count: int


class SubagentInfo(Document):
    """The subagent behind a call."""

    subagent_type: str
    tool_uses: int
    tokens_used: int | None = None
    tools_breakdown: Items[ToolCount] | None = None


class ToolCall(Document):
    """One use of a tool: the atom of a session."""

    call_id: str
    tool_name: str
    tool_category: ToolCategory
    started_at: str
    ended_at: str
    duration_ms: Number
    input: ToolInput
    output: ToolOutput
    context_contribution: ContextContribution | None = None
    subagent_info: SubagentInfo | None = None

    parent_call_id: str | None = None
    """The call of the subagent that this one belongs to."""

    source_line: int | None = None
    """Where a log that was read tells of it."""

    as_read: dict[str, JsonValue] | None = None
    """What the log had in place of the values here, by the path of the value."""


class ContextReference(Document):
    """Something the agent drew upon."""

    type: Literal[
        "claude_md",
        "rule",
        "standard",
        "skill",
        "spec",
        "file",
        "user_message",
        "tool_result",
        "capability",
    ]
    source: str
    relevance: Confidence
    summary: str | None = None
    quoted_content: str | None = None
    usage_mode: Literal["read", "modified", "read_then_modified"] | None = None


class Decision(Document):
    """A choice the agent made."""

    decision_id: str
    type: Literal["tool_selection", "approach", "error_handling", "skip", "retry"]
    description: str
    reasoning: str | None = None
    alternatives_considered: Items[str] | None = None

    call_ids: Items[str] | None = None
    """The calls that show it."""


class ToolCallRange(Document):
    """The first and the last call of a phase."""

    start_call_id: str
    end_call_id: str

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        match data:
            case [start, end]:
                return {"start_call_id": start, "end_call_id": end}
            case _:
                return renamed(renamed(data, "start", "start_call_id"), "end", "end_call_id")


class PhaseAnnotation(Document):
    """What somebody afterwards saw in a stretch of calls."""

    annotation_id: str
    phase_type: PhaseType
    tool_call_range: ToolCallRange
    annotated_by: Literal["agent", "human", "auto"]
    annotator: str | None = None
    """Which one it was, where there are several of a kind: a person's name, an engine's."""
    annotated_at: str
    confidence: Confidence
    description: str | None = None
    decisions: Items[Decision] | None = None
    context_used: Items[ContextReference] | None = None

    is_point: bool | None = None
    """Whether it marks a moment beside that call and covers none."""

    as_read: dict[str, JsonValue] | None = None
    """What the log had in place of the values here, by the path of the value."""


class SessionPrompt(Document):
    """Something that the user asked for."""

    at: str
    text: str


class SpendingPoint(Document):
    """All that was used up by then."""

    at: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Number | None = None


class LegacyPhase(Document):
    """A phase as sessions had them before calls came first; kept as it was read."""

    phase_id: str
    phase_type: str
    status: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    duration_ms: Number | None = None
    input: JsonValue = None
    output: JsonValue = None
    tool_call_ids: Items[str] = ()
    context_used: Items[JsonValue] = ()
    decisions: Items[JsonValue] = ()


class SessionSummary(Document):
    """The session in numbers."""

    total_duration_ms: Number
    tool_calls_count: int
    files_created: Items[str]
    files_modified: Items[str]
    errors_encountered: int | None = None


class Session(Document):
    """``sessions/{date}-{nnn}-{slug}.json``."""

    session_id: str
    task_title: str
    task_description: str | None = None
    user_prompt: str
    created_at: str
    completed_at: str
    status: Literal["success", "failed", "in_progress"]
    agent: Agent
    tool_calls: Items[ToolCall]
    phase_annotations: Items[PhaseAnnotation] | None = None
    phases: Items[LegacyPhase] | None = None
    summary: SessionSummary

    updated_at: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    sandbox: str | None = None
    simulated: bool | None = None
    trial_address: str | None = None
    trial_scope: str | None = None
    """The name space of the trial, where it is not that of the whole workspace."""
    final_answer: str | None = None
    messages: Items[str] | None = None
    """What the agent said on the way."""
    messages_at: Items[str] | None = None
    """When it said each of them."""
    prompts: Items[SessionPrompt] | None = None
    """All that the user asked for, where it was more than ``user_prompt``."""
    skills_used: Items[str] | None = None
    error: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cost_usd: Number | None = None
    spending: Items[SpendingPoint] | None = None
    """What was used up by and by."""
    estimated_tokens: int | None = None
    """How large the conversation grew, by a rough count of its text."""

    source_file: str | None = None
    """The name of the log that it was read from."""
    source_format: str | None = None
    source_digest: str | None = None
    """Of the log, which lies in ``sessions/originals`` under it."""
    timing_quality: Literal["recorded", "self_reported", "guessed"] | None = None
    """Whether times were measured, written down by hand afterwards, or are not in the log."""
    as_read: dict[str, JsonValue] | None = None
    """What the log had in place of the values here, by the path of the value."""

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        """Sessions with phases did not always have the prompt, and had the calls inside."""
        match data:
            case {"phases": [_, *_] as phases}:
                older: dict[str, JsonValue] = {"user_prompt": "", "tool_calls": _calls(phases)}
                return data | {key: older[key] for key in older if key not in data}
            case _:
                return data


def _calls(phases: list[JsonValue]) -> list[JsonValue]:
    """All calls that stand inside *phases*, in order."""
    calls: list[JsonValue] = []
    for phase in phases:
        match phase:
            case {"tool_calls": [*inside]}:
                calls += inside
            case _:
                pass
    return calls
