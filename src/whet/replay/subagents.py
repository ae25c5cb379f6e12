"""Subagents: calls that have calls of their own, or of which the log says so."""

from collections import Counter

from whet.documents.session_figures import SubagentFigure
from whet.replay.acts import Act, Acts
from whet.replay.spans import covered
from whet.replay.subjects import one_line

_LONGEST = 200


def subagents(acts: Acts) -> list[Act]:
    """The calls that started one, in order."""
    return [act for act in acts if act.index in acts.inner or act.call.subagent_info is not None]


def subagent(acts: Acts, act: Act) -> SubagentFigure:
    """What a subagent did."""
    below = list(acts.below(act.index))
    info = act.call.subagent_info
    spans = [(one.start, one.end) for one in below if one.index not in acts.inner]
    named = act.call.input.params.get("subagent_type")
    told = {one.tool_name: one.count for one in (info.tools_breakdown or ())} if info else {}
    return SubagentFigure(
        call_id=act.call_id,
        subagent_type=info.subagent_type
        if info
        else named
        if isinstance(named, str)
        else "unknown",
        subject=one_line(act.subject, _LONGEST),
        calls=len(below),
        told_calls=info.tool_uses if info else None,
        failed=sum(one.failed for one in below),
        wall_ms=max([act.end, *(one.end for one in below)]) - act.start,
        busy_ms=covered(spans),
        tokens=info.tokens_used if info else None,
        tools=dict(Counter(one.tool for one in below)) or told,
    )
