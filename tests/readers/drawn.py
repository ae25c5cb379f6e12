"""Sessions and phases that are drawn at random, but agree with themselves."""

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

from hypothesis import strategies as st
from pydantic import JsonValue

from tests.readers.test_rows import JSON
from whet.core.instant import iso
from whet.documents.session import Confidence, PhaseType, ToolCategory

Data = dict[str, Any]

NOON = datetime(2026, 1, 25, 12, tzinfo=UTC)
TEXT = st.text(max_size=12)
EXTRA = st.dictionaries(st.sampled_from(["x_one", "x_two"]), JSON, max_size=1)
TOOLS = st.sampled_from(["Read", "Edit", "Bash", "Task", "技术风险评估", "mcp__x__y"])


def optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Data]:
    return st.fixed_dictionaries({}, optional=fields)


@st.composite
def outputs(draw: st.DrawFn) -> Data:
    result = draw(optional(display=TEXT, content=TEXT, files=st.lists(TEXT, max_size=2)))
    rest = draw(optional(error=TEXT, truncated=st.booleans()))
    output: Data = {"status": draw(st.sampled_from(["success", "failed"])), **rest}
    return {**output, "result": result} if draw(st.booleans()) else output


@st.composite
def calls(draw: st.DrawFn, number: int, start: datetime) -> tuple[Data, datetime]:
    """A call that begins then, and when it ends."""
    length = draw(st.integers(0, 90_000))
    end = start + timedelta(milliseconds=length)
    given = {"params": draw(st.dictionaries(TEXT, JSON, max_size=2))}
    more = optional(
        context_contribution=st.fixed_dictionaries(
            {
                "type": st.sampled_from(["file_content", "search_result", "knowledge"]),
                "summary": TEXT,
            }
        ),
        subagent_info=st.fixed_dictionaries(
            {"subagent_type": TEXT, "tool_uses": st.integers(0, 9)},
            optional={
                "tokens_used": st.integers(0, 9),
                "tools_breakdown": st.lists(
                    st.fixed_dictionaries({"tool_name": TEXT, "count": st.integers(0, 9)}),
                    max_size=2,
                ),
            },
        ),
        **({"parent_call_id": st.just("tool-001")} if number > 1 else {}),
        source_line=st.integers(1, 9),
    )
    call: Data = {
        "call_id": f"tool-{number:03}",
        "tool_name": draw(TOOLS),
        "tool_category": draw(st.sampled_from(get_args(ToolCategory))),
        "started_at": iso(start),
        "ended_at": iso(end),
        "duration_ms": length,
        "input": {**given, **draw(optional(description=TEXT, raw_command=TEXT))},
        "output": draw(outputs()),
        **draw(more),
        **draw(EXTRA),
    }
    return call, end


@st.composite
def many_calls(draw: st.DrawFn, most: int = 5) -> list[Data]:
    made: list[Data] = []
    start = NOON
    for number in range(1, draw(st.integers(0, most)) + 1):
        start += timedelta(milliseconds=draw(st.integers(0, 60_000)))
        call, _ = draw(calls(number, start))
        made.append(call)
    below = sum("parent_call_id" in call for call in made)
    for number, call in enumerate(made, start=1):
        if (info := call.get("subagent_info")) is not None:
            count_uses(info, below if number == 1 else 0)
    return made


def count_uses(info: Data, below: int) -> None:
    """Have a subagent that has so many calls here count them all."""
    rows = info.get("tools_breakdown")
    info["tool_uses"] = max(below, sum(row["count"] for row in rows or ()), info["tool_uses"])
    if rows:
        rows[0]["count"] += info["tool_uses"] - sum(row["count"] for row in rows)


@st.composite
def annotations(draw: st.DrawFn, made: list[Data]) -> list[Data]:
    count = draw(st.integers(0, 2)) if made else 0
    names = [call["call_id"] for call in made]
    return [
        {
            "annotation_id": f"ann-{number:03}",
            "phase_type": draw(st.sampled_from(get_args(PhaseType))),
            "tool_call_range": {
                "start_call_id": draw(st.sampled_from(names)),
                "end_call_id": draw(st.sampled_from(names)),
            },
            "annotated_by": draw(st.sampled_from(["agent", "human", "auto"])),
            "annotated_at": iso(NOON),
            "confidence": draw(st.sampled_from(get_args(Confidence))),
            **draw(
                optional(
                    description=TEXT,
                    decisions=st.lists(
                        st.fixed_dictionaries(
                            {
                                "decision_id": TEXT,
                                "type": st.just("approach"),
                                "description": TEXT,
                            }
                        ),
                        max_size=1,
                    ),
                    context_used=st.lists(
                        st.fixed_dictionaries(
                            {
                                "type": st.sampled_from(["claude_md", "file", "capability"]),
                                "source": TEXT,
                                "relevance": st.just("high"),
                            },
                            optional={"usage_mode": st.just("read_then_modified")},
                        ),
                        max_size=1,
                    ),
                )
            ),
        }
        for number in range(1, count + 1)
    ]


@st.composite
def sessions(draw: st.DrawFn) -> Data:
    """A session of version 3."""
    made = draw(many_calls())
    over = [datetime.fromisoformat(call["ended_at"]) - NOON for call in made]
    least = max((round(each / timedelta(milliseconds=1)) for each in over), default=0)
    length = least + draw(st.integers(0, 900_000))
    failed = sum(call["output"]["status"] == "failed" for call in made)
    summary: Data = {
        "total_duration_ms": length,
        "tool_calls_count": len(made),
        "files_created": draw(st.lists(TEXT, max_size=2, unique=True)),
        "files_modified": [],
    }
    if draw(st.booleans()):
        summary["errors_encountered"] = failed
    session: Data = {
        "session_id": draw(TEXT),
        "task_title": draw(TEXT),
        "user_prompt": draw(TEXT),
        "created_at": iso(NOON),
        "completed_at": iso(NOON + timedelta(milliseconds=length)),
        "status": draw(st.sampled_from(["success", "failed", "in_progress"])),
        "agent": {"model_id": draw(TEXT), **draw(optional(capability_snapshot=TEXT))},
        "tool_calls": made,
        "summary": summary,
        **draw(optional(task_description=TEXT, engine=TEXT, input_tokens=st.integers(0, 9))),
        **draw(optional(phases=st.just(list[JsonValue]()), collaboration=JSON)),
        **draw(EXTRA),
    }
    if draw(st.booleans()):
        session["phase_annotations"] = draw(annotations(made))
    keys = draw(st.permutations(list(session)))
    return {key: session[key] for key in keys}


@st.composite
def phased(draw: st.DrawFn) -> tuple[Data, list[Data]]:
    """A session of version 2, and its calls: at the top, inside of phases, or some of both."""
    made = draw(many_calls())
    phases: list[Data] = []
    top: list[Data] = []
    rest = list(made)
    while rest or not phases:
        count = draw(st.integers(0, len(rest)))
        taken, rest = rest[:count], rest[count:]
        phase: Data = {
            "phase_id": f"phase-{len(phases) + 1}",
            "phase_type": draw(st.sampled_from(["understand", "explore", "execute", "design"])),
            "status": "success",
            "input": {"a": 1},
        }
        if draw(st.booleans()):
            phase["tool_calls"] = taken
        else:
            phase["tool_call_ids"] = [call["call_id"] for call in taken]
            top += taken
        phases.append(phase)
        if len(phases) > 6:
            phases[-1]["tool_calls"] = [*phases[-1].get("tool_calls", []), *rest]
            rest = []
    session: Data = {
        "session_id": "s",
        "task_title": "t",
        "created_at": iso(NOON),
        "completed_at": iso(NOON + timedelta(hours=1)),
        "status": "success",
        "agent": {"model_id": "m"},
        "phases": phases,
        **({"tool_calls": top} if top else {}),
    }
    return session, made
