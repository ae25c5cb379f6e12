"""Sessions drawn by chance, as odd as the format allows."""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.replay.making import moment, session
from whet.documents.session import Session

OFTEN = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""The first session that is read builds its class, which takes a while."""

TIMES = st.integers(0, 5_000).map(moment) | st.sampled_from(["", "noon", "2026-01-25T12:00:01"])
PATHS = st.sampled_from(
    ["/w/a.py", "a.py", "src/b.py", "/w/src/b.py", "CLAUDE.md", "", "x/SKILL.md"]
)
COMMANDS = st.sampled_from(
    [
        "ls",
        "cat a.py",
        "pytest -q",
        "echo x > a.py",
        "sed -i s/a/b/ src/b.py",
        "git diff",
        "make",
        "",
    ]
) | st.text(max_size=12)
IDS = st.integers(0, 12).map("call-{}".format)
TODOS = st.lists(
    st.fixed_dictionaries(
        {
            "content": st.sampled_from(["one", "two", "three"]),
            "status": st.sampled_from(["pending", "completed", "cancelled"]),
        }
    ),
    max_size=3,
)
TOOLS = st.one_of(
    st.tuples(
        st.sampled_from(["Read", "Write", "Edit", "read_file", "NotebookEdit"]),
        st.fixed_dictionaries({"file_path": PATHS}),
    ),
    st.tuples(st.just("Bash"), st.fixed_dictionaries({"command": COMMANDS})),
    st.tuples(
        st.sampled_from(["Grep", "Glob"]), st.fixed_dictionaries({"pattern": st.text(max_size=5)})
    ),
    st.tuples(st.just("TodoWrite"), st.fixed_dictionaries({"todos": TODOS})),
    st.tuples(
        st.sampled_from(
            ["Task", "Skill", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "mcp__a__b", "?"]
        ),
        st.dictionaries(
            st.sampled_from(["skill", "prompt", "description"]), st.text(max_size=5), max_size=2
        ),
    ),
)


@st.composite
def raw_calls(draw: st.DrawFn, most: int = 14) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, most))):
        tool, params = draw(TOOLS)
        failed = draw(st.booleans()) and draw(st.booleans())
        text = draw(st.text(max_size=20))
        one: dict[str, Any] = {
            "call_id": draw(IDS),
            "tool_name": tool,
            "tool_category": draw(
                st.sampled_from(
                    ["perception", "action", "interaction", "planning", "task_management"]
                )
            ),
            "started_at": draw(TIMES),
            "ended_at": draw(TIMES),
            "duration_ms": draw(st.integers(-5, 3_000) | st.floats(-1, 1e300)),
            "input": {"params": params},
            "output": {"status": "failed", "error": text}
            if failed
            else {"status": "success", "result": {"content": text}},
        }
        if draw(st.booleans()):
            one["parent_call_id"] = draw(IDS)
        found.append(one)
    return found


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    made = draw(raw_calls())
    more: dict[str, Any] = {
        "created_at": draw(TIMES),
        "completed_at": draw(TIMES),
        "user_prompt": draw(st.sampled_from(["", "Mend a.py."])),
    }
    if draw(st.booleans()):
        said = draw(st.lists(st.tuples(TIMES, st.text(max_size=5)), max_size=4))
        more["messages"] = [text for _, text in said]
        more["messages_at"] = [at for at, _ in said]
        asked = draw(st.lists(st.tuples(TIMES, st.text(max_size=5)), max_size=4))
        more["prompts"] = [{"at": at, "text": text} for at, text in asked]
        more["spending"] = [{"at": at, "cost_usd": 0.5} for at, _ in said]
        more["skills_used"] = draw(st.lists(st.sampled_from(["x", "plugin:x"]), max_size=2))
    return session(made, **more)
