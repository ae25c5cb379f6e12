"""Sessions to be exported: calm, hostile and large ones."""

from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from tests.exporters.reports import HOSTILE
from whet.core.instant import iso
from whet.documents.session import Session
from whet.documents.session_report import SessionReport
from whet.exporters.sessions.prepare import Privacy, prepared

NOON = datetime(2026, 1, 25, 12, tzinfo=UTC)
BAD = HOSTILE.replace("\ud800", "")

Call = dict[str, JsonValue]


def call(
    number: int, tool: str = "Read", at: float = 0, took: float = 1, **more: JsonValue
) -> Call:
    """A call that begins *at* seconds; ``params``, ``output`` and the rest may be given."""
    start = NOON + timedelta(seconds=at)
    params = more.pop("params", {"file_path": f"src/file_{number}.py"})
    output = more.pop(
        "output", {"status": "success", "result": {"display": f"Read {number} lines"}}
    )
    category = more.pop("tool_category", "perception")
    given = more.pop("input", {"params": params})
    return {
        "call_id": f"tool-{number:03}",
        "tool_name": tool,
        "tool_category": category,
        "started_at": iso(start),
        "ended_at": iso(start + timedelta(seconds=took)),
        "duration_ms": round(took * 1000),
        "input": given,
        "output": output,
        **more,
    }


def failed(error: str) -> JsonValue:
    return {"status": "failed", "error": error}


def came(content: str, display: str = "") -> JsonValue:
    return {"status": "success", "result": {"display": display, "content": content}}


def session(*calls: Call, **more: JsonValue) -> Session:
    data: dict[str, JsonValue] = {
        "session_id": "2026-01-25-001-markers",
        "task_title": "Show where knowledge came from",
        "user_prompt": "Put a dot for each source of knowledge below the timeline node.",
        "created_at": iso(NOON),
        "completed_at": iso(NOON + timedelta(seconds=300)),
        "status": "success",
        "agent": {"model_id": "claude-opus-4-5"},
        "tool_calls": [*calls],
        "summary": {
            "total_duration_ms": 300_000,
            "tool_calls_count": len(calls),
            "files_created": ["Markers.tsx"],
            "files_modified": ["Node.tsx", "index.ts"],
        },
        **more,
    }
    return Session.parse(data, "drawn")


def note(kind: str, first: int, last: int, **more: JsonValue) -> JsonValue:
    return {
        "annotation_id": f"ann-{first}",
        "phase_type": kind,
        "tool_call_range": {
            "start_call_id": f"tool-{first:03}",
            "end_call_id": f"tool-{last:03}",
        },
        "annotated_by": "agent",
        "annotated_at": iso(NOON),
        "confidence": "high",
        **more,
    }


TEST_RUN = """\x1b[32m.....\x1b[0m.F
=================== FAILURES ===================
____________ test_a_marker_for_each ____________
>       assert len(markers) == 3
E       assert 2 == 3
tests/markers.test.tsx:41: AssertionError
1 failed, 6 passed in 2.31s"""


EDIT: JsonValue = {
    "file_path": "src/Node.tsx",
    "old_string": "<Timeline items={items}/>",
    "new_string": "<Timeline items={items}>\n  <Markers sources={sources}/>\n</Timeline>",
}
MARKERS = "export const Markers = ({all}) => (\n  <ul>{all.map(dot)}</ul>\n)\n"
SUBAGENT: JsonValue = {
    "subagent_type": "Explore",
    "tool_uses": 3,
    "tokens_used": 18250,
    "tools_breakdown": [{"tool_name": "Grep", "count": 2}, {"tool_name": "Read", "count": 1}],
}
DECISION: JsonValue = {
    "decision_id": "d1",
    "type": "approach",
    "description": "A component of its own, not a prop of the node",
    "reasoning": "the node is drawn in two places",
}
USED: list[JsonValue] = [
    {"type": "claude_md", "source": "CLAUDE.md", "relevance": "high", "summary": "house rules"},
    {"type": "file", "source": "src/Node.tsx", "relevance": "high", "usage_mode": "read"},
    {"type": "spec", "source": "docs/specs/SPEC-009.md", "relevance": "medium"},
]


def _looked() -> list[Call]:
    found = came("TimelineNode.tsx\nTimelineView.tsx", "2 files")
    learnt: JsonValue = {"type": "file_content", "summary": "props and structure of the node"}
    source = came("export const Node = () => null\n" * 40, "Read 40 lines")
    task: JsonValue = {"subagent_type": "Explore", "prompt": "Find every use of TimelineNode."}
    above: dict[str, JsonValue] = {"parent_call_id": "tool-004"}
    delegated = call(4, "Task", 9, 38, params=task, output=came("Found in 3 files.", "3 files"))
    return [
        call(1, "Glob", 4, 0.4, params={"pattern": "**/Timeline*.tsx"}, output=found),
        call(2, "Read", 6, 0.8, context_contribution=learnt),
        call(3, "Read", 6.2, 1.1, output=source),
        delegated | {"tool_category": "interaction", "subagent_info": SUBAGENT},
        call(5, "Grep", 12, 2, params={"pattern": "TimelineNode"}, **above),
        call(
            6, "Grep", 15, 2.5, params={"pattern": "<Node"}, output=failed("rg: regex parse error")
        )
        | above,
        call(7, "Read", 22, 9, **above),
    ]


def _did() -> list[Call]:
    test: dict[str, JsonValue] = {
        "params": {"command": "npm test -- markers"},
        "raw_command": "$ npm test -- markers",
    }
    types: JsonValue = {
        "params": {"command": "npm run typecheck"},
        "raw_command": "$ npm run typecheck",
    }
    first: JsonValue = {**test, "description": "Run the tests of the markers"}
    written: JsonValue = {"file_path": "src/Markers.tsx", "content": MARKERS}
    made = [
        call(10, "Write", 80, 0.6, params=written),
        call(11, "Edit", 92, 0.3, params=EDIT),
        call(12, "Bash", 101, 14, input=first, output=failed(TEST_RUN)),
        call(13, "Edit", 131, 0.3, params=EDIT),
        call(14, "Bash", 140, 12, input=test, output=came("7 passed in 2.28s", "7 passed")),
        call(15, "Bash", 262, 9, input=types),
    ]
    return [*(one | {"tool_category": "action"} for one in made), call(16, "Read", 280, 0.5)]


def calm() -> Session:
    """What an afternoon with an agent looks like."""
    todo = call(8, "TodoWrite", 52, 0.1, params={"todos": ["component", "style", "test"]})
    plan = call(9, "ExitPlanMode", 58, 6, params={"plan": "1. component 2. style 3. test"})
    planned = [todo | {"tool_category": "task_management"}, plan | {"tool_category": "planning"}]
    explored = "Find the timeline components and every use of them"
    checked = note("verify", 15, 16, description="Types, and a last look", annotated_by="auto")
    return session(
        *_looked(),
        *planned,
        *_did(),
        phase_annotations=[
            note("explore", 1, 7, description=explored, context_used=USED),
            note("plan", 8, 9, description="Three steps", decisions=[DECISION]),
            note("execute", 10, 14, description="Write the markers and make their test pass"),
            checked,
        ],
        engine="claude",
        engine_version="2.1.4",
        final_answer="Each node now has a dot for every source, in its colour.\nAll 7 tests pass.",
        messages=[
            "I look for the timeline first.",
            "Two components. I ask a subagent who uses them.",
            "The test counts one marker too few; the key was not unique.",
        ],
        input_tokens=48_210,
        output_tokens=6_934,
        cost_usd=0.4127,
    )


def hostile() -> Session:
    """Everything that can be written is an attack."""
    calls = [
        call(
            n,
            BAD[:200],
            n,
            params={BAD: BAD, "nested": {"deep": [BAD]}},
            output=came(BAD, BAD),
            context_contribution={"type": "knowledge", "summary": BAD, "full_content": BAD},
            input={"params": {"x": BAD}, "description": BAD, "raw_command": BAD},
        )
        for n in range(1, 4)
    ]
    calls[1]["output"] = failed(BAD)
    calls[2]["subagent_info"] = {
        "subagent_type": BAD,
        "tool_uses": 1,
        "tools_breakdown": [{"tool_name": BAD, "count": 1}],
    }
    decision: JsonValue = {"decision_id": BAD, "type": "skip", "description": BAD, "reasoning": BAD}
    used: JsonValue = {"type": "rule", "source": BAD, "relevance": "low", "summary": BAD}
    return session(
        *calls,
        session_id=BAD,
        task_title=BAD,
        user_prompt=BAD,
        agent={"model_id": BAD},
        engine=BAD,
        engine_version=BAD,
        error=BAD,
        final_answer=BAD,
        messages=[BAD, BAD],
        messages_at=[BAD, BAD],
        phase_annotations=[
            note("plan", 1, 3, description=BAD, decisions=[decision], context_used=[used])
        ],
        created_at=BAD,
        completed_at=BAD,
    )


def large(count: int, text: str) -> Session:
    """Many calls with one long text each."""
    return session(
        *(
            call(n, f"Tool{n % 7}", n * 2, 1 + n % 3, output=came(text, "done"))
            for n in range(count)
        )
    )


def report(given: Session | None = None, *, redact: bool = True) -> SessionReport:
    return prepared(given or calm(), Privacy(redact=redact))
