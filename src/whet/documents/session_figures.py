"""A session in figures; made by queries, never stored. What each means is in docs/sessions.md.

Times are milliseconds; moments are milliseconds after the session began.
"""

from typing import Literal

from whet.documents.base import Document, Items, Number


class TimeShare(Document):
    """What calls that have something in common took."""

    name: str
    calls: int
    failed: int
    summed_ms: int
    """Their times added up."""

    busy_ms: int
    """Time in which at least one of them was running."""

    thinking_ms: int
    """Time before them in which no call was running."""


class PhaseTimes(Document):
    """The phases that one annotator sees."""

    annotator: str
    phases: Items[TimeShare]
    """Every call in exactly one of them, ``unclassified`` where the annotator says nothing."""


class SessionTimes(Document):
    """Where the time went."""

    timing_quality: Literal["recorded", "self_reported", "guessed"] | None
    """As the session has it: what was not measured says little."""

    wall_ms: int
    busy_ms: int
    """Time in which at least one call was running."""

    summed_ms: int
    """The times of all calls added up."""

    thinking_ms: int
    """Time in which none was running and nobody waited for the user."""

    answering_ms: int
    """The part of it after the last call."""

    idle_ms: int
    """Time in which the agent waited for the user."""

    most_at_once: int
    mean_at_once: Number
    """Calls that were running at the same time, on average over the busy time."""

    tools: Items[TimeShare]
    categories: Items[TimeShare]
    phases: Items[PhaseTimes]


class UsagePoint(Document):
    """All that was used up by then, as far as it is known."""

    at_ms: int
    estimated_tokens: int
    """What calls had taken and given until then, by a rough count."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Number | None = None


class SessionUsage(Document):
    """Tokens and money; null where the session does not say."""

    input_tokens: int | None
    output_tokens: int | None
    cost_usd: Number | None
    subagent_tokens: int | None
    estimated_tokens: int
    points: Items[UsagePoint]


class RetryFigure(Document):
    """A call that failed and was made again."""

    tool: str
    subject: str
    call_ids: Items[str]
    same_input: bool
    succeeded: bool


class CircleFigure(Document):
    """The very same call, again and again with nothing changed in between."""

    tool: str
    subject: str
    call_ids: Items[str]


class CycleFigure(Document):
    """Changes and checks in turn until the check passes, or to the end."""

    start_call_id: str
    end_call_id: str
    rounds: int
    passed: bool


class ErrorFigure(Document):
    """Failures that say the same."""

    pattern: str
    count: int
    tools: Items[str]
    call_ids: Items[str]
    example: str


class FileFigure(Document):
    """What became of a file."""

    path: str
    type: Literal["claude_md", "rule", "standard", "skill", "spec", "file", "capability"]
    usage_mode: Literal["read", "modified", "read_then_modified"] | None
    """Null if every call about it failed."""

    reads: int
    writes: int
    failures: int
    created: bool
    first_call_id: str
    last_call_id: str


class FlowFigure(Document):
    """A call that gave what another one used."""

    from_call_id: str
    to_call_id: str
    kind: Literal["fed", "found", "checked"]
    path: str
    evidence: Literal["path", "text"]


class SkillFigure(Document):
    """A skill and what came of it."""

    skill: str
    taken_up: Literal["called", "read", "told"]
    """By a call of the tool for skills, by reading a file of it, or by the session's word only."""

    call_id: str | None
    """The call that took it up."""

    calls_after: int
    """Calls from then on, until another skill was taken up."""

    files_read: Items[str]
    commands: Items[str]
    """Calls that ran something out of its folder."""


class SubagentFigure(Document):
    """A subagent and what it did."""

    call_id: str
    subagent_type: str
    subject: str
    calls: int
    """That the log has, those of its own subagents included."""

    told_calls: int | None
    """That the log says there were."""

    failed: int
    wall_ms: int
    busy_ms: int
    tokens: int | None
    tools: dict[str, int]


class SessionFigures(Document):
    """Everything that can be counted in a session."""

    session_id: str
    calls: int
    failed: int
    times: SessionTimes
    usage: SessionUsage
    retries: Items[RetryFigure]
    circles: Items[CircleFigure]
    cycles: Items[CycleFigure]
    errors: Items[ErrorFigure]
    files: Items[FileFigure]
    flow: Items[FlowFigure]
    skills: Items[SkillFigure]
    subagents: Items[SubagentFigure]
    left_out: dict[str, int]
    """How many more there are, by the name of the list."""
