"""Errors, files, flow, skills, subagents and tokens; and all of it in one document."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import acts, call, moment, session
from tests.replay.recorded import every
from whet.documents.session import Session
from whet.documents.session_figures import SessionFigures
from whet.replay.acts import Acts, acts_of
from whet.replay.errors import clusters, pattern_of, told
from whet.replay.files import file_uses
from whet.replay.flow import Edge, edges
from whet.replay.skills import skill_uses
from whet.replay.statistics import figures
from whet.replay.subagents import subagent, subagents
from whet.replay.usage import MOST_POINTS, usage

TRACE = 'Exit code 1\nTraceback (most recent call last):\n  File "a.py"\nKeyError: 7\nValueError: 8'


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (TRACE, "ValueError: 8"),
        ("Exit code 2\nsome words\nfatal: no branch\nmore", "fatal: no branch"),
        ("\n\n  just words  \nmore", "just words"),
        ("403", "403"),
        ("<tool_use_error>File does not exist.</tool_use_error>", "File does not exist."),
        ("", "no message"),
    ],
)
def test_the_line_of_an_error_that_says_what_is_wrong(error: str, line: str) -> None:
    [act] = acts_of(session([{**call(0, "LS x"), "output": {"status": "failed", "error": error}}]))
    assert told(act.call) == line


@pytest.mark.parametrize(
    ("message", "pattern"),
    [
        ("File not found: /tmp/run/a.txt", "File not found: ‹path›"),
        ("line 12, column 7", "line ‹n›, column ‹n›"),
        ("KeyError: 'name'", "KeyError: ‹text›"),
        ("see https://host/a?b=1 now", "see ‹url› now"),
        ("commit 3f2a9bc1 is gone", "commit ‹id› is gone"),
        ("cannot open src/main.rs", "cannot open ‹path›"),
        ("Error: either this or that", "Error: either this or that"),
    ],
)
def test_what_varies_in_a_message(message: str, pattern: str) -> None:
    assert pattern_of(message) == pattern


def test_errors_that_say_the_same_are_one() -> None:
    found = clusters(
        acts(
            "Read /a/b.py! => Error: no /a/b.py",
            "Grep x",
            "Read /c.py! => Error: no /c.py",
            "Bash ls! => other words",
        )
    )
    assert [(one.pattern, one.places, one.tools) for one in found] == [
        ("Error: no ‹path›", (0, 2), ("Read",)),
        ("other words", (3,), ("Bash",)),
    ]
    assert found[0].example == "Error: no /a/b.py"


@given(st.text(max_size=400))
def test_no_pattern_has_a_number_in_it(message: str) -> None:
    assert re.search(r"\d", pattern_of(message)) is None


def test_what_became_of_each_file() -> None:
    found = file_uses(
        acts(
            "Read /w/a.py",
            "Edit /w/a.py",
            "Write /w/new.py",
            "Read /w/new.py",
            "Read /w/only.py",
            "Read /w/gone.py!",
            "Edit /w/old.py",
            "Write /w/made.py",
            summary={
                "total_duration_ms": 0,
                "tool_calls_count": 0,
                "files_created": [],
                "files_modified": ["made.py"],
            },
        )
    )
    assert {
        path: (use.mode, len(use.reads), len(use.writes), len(use.failures), use.created)
        for path, use in found.items()
    } == {
        "/w/a.py": ("read_then_modified", 1, 1, 0, False),
        "/w/new.py": ("modified", 1, 1, 0, True),
        "/w/only.py": ("read", 1, 0, 0, False),
        "/w/gone.py": (None, 0, 0, 1, False),
        "/w/old.py": ("modified", 0, 1, 0, False),
        "/w/made.py": ("modified", 0, 1, 0, False),
    }


def edit(place: int, path: str, old: str) -> dict[str, object]:
    return {
        **call(place, f"Edit {path}"),
        "input": {"params": {"file_path": path, "old_string": old}},
    }


def test_which_read_fed_which_edit() -> None:
    lines = ["Read a.py => 1\tdef parse(x):", "Read b.py", "Read a.py => something else"]
    calls = [call(place, line) for place, line in enumerate(lines)]
    found = edges(acts_of(session([*calls, edit(3, "a.py", "\n  something else\n")])))  # pyright: ignore[reportArgumentType]
    assert found == [Edge(2, 3, "fed", "a.py", "text")]
    found = edges(acts_of(session([*calls, edit(3, "a.py", "def parse(x):")])))  # pyright: ignore[reportArgumentType]
    assert found == [Edge(2, 3, "fed", "a.py", "path")]


def test_which_search_found_a_file_and_what_was_checked() -> None:
    found = edges(
        acts(
            "Grep parse => src/parser.py:3: def parse",
            "Bash ls src => lexer.py\nparser.py",
            "Read /w/src/parser.py",
            "Read /w/src/lexer.py",
            "Read /w/src/other.py",
            "Write /w/src/parser.py",
            "Read /w/src/parser.py",
            "Read /w/src/parser.py",
        )
    )
    assert found == [
        Edge(1, 2, "found", "/w/src/parser.py", "text"),
        Edge(1, 3, "found", "/w/src/lexer.py", "text"),
        Edge(2, 5, "fed", "/w/src/parser.py", "path"),
        Edge(5, 6, "checked", "/w/src/parser.py", "path"),
    ]


def test_what_failed_feeds_nothing() -> None:
    assert edges(acts("Read a.py!", "Write a.py")) == []
    assert edges(acts("Read a.py", "Write a.py!")) == []


def test_skills_and_what_came_after_them() -> None:
    found = skill_uses(
        acts(
            "Grep x",
            "Skill tools:fix",
            "Read /h/.claude/skills/fix/SKILL.md",
            "Read /h/.claude/skills/fix/more.md",
            "Bash python /h/.claude/skills/fix/run.py",
            "Read /h/.claude/skills/pdf/SKILL.md",
            "Edit a.py",
            "Skill lost!",
            skills_used=["fix", "standing"],
        )
    )
    assert [(one.skill, one.taken_up, one.place, one.calls_after) for one in found] == [
        ("fix", "called", 1, 3),
        ("pdf", "read", 5, 2),
        ("standing", "told", None, 0),
    ]
    assert [path.rpartition("/")[2] for path in found[0].files_read] == ["SKILL.md", "more.md"]
    assert found[0].commands == [4]


def test_a_subagent_and_what_it_did() -> None:
    found = acts("Task look @0+9000", ". Grep a @1000+500", ". Bash ls! @2000+500", "Grep b")
    [frame] = subagents(found)
    one = subagent(found, frame)
    assert (one.call_id, one.subject, one.calls, one.failed) == ("tool-001", "look", 2, 1)
    assert (one.wall_ms, one.busy_ms, one.tools) == (9_000, 1_000, {"Grep": 1, "Bash": 1})
    assert (one.told_calls, one.tokens) == (None, None)


def test_a_subagent_of_which_there_is_only_word() -> None:
    info = {
        "subagent_type": "Explore",
        "tool_uses": 5,
        "tokens_used": 90,
        "tools_breakdown": [{"tool_name": "Grep", "count": 5}],
    }
    found = acts_of(session([{**call(0, "Task x"), "subagent_info": info}]))  # pyright: ignore[reportArgumentType]
    one = subagent(found, subagents(found)[0])
    assert (one.subagent_type, one.calls, one.told_calls, one.tokens) == ("Explore", 0, 5, 90)
    assert one.tools == {"Grep": 5}
    assert usage(found).subagent_tokens == 90


def test_tokens_over_time() -> None:
    found = usage(
        acts(
            f"Read abc @1000+1000 => {'x' * 40}",
            "Read abcd @5000+1000",
            input_tokens=70,
            cost_usd=0.5,
            spending=[{"at": moment(3_000), "input_tokens": 30, "cost_usd": 0.2}],
        )
    )
    assert (found.input_tokens, found.output_tokens, found.cost_usd) == (70, None, 0.5)
    assert [(p.at_ms, p.estimated_tokens, p.input_tokens, p.cost_usd) for p in found.points] == [
        (2_000, 12, None, None),
        (3_000, 12, 30, 0.2),
        (6_000, 14, 30, 0.2),
    ]
    assert found.estimated_tokens == 14


def test_a_long_session_has_few_points() -> None:
    found = usage(acts(*["Grep a"] * 999))
    assert len(found.points) <= MOST_POINTS
    assert found.points[-1].estimated_tokens == found.estimated_tokens == 2 * 999


def test_long_lists_are_cut_and_counted() -> None:
    found = figures(acts(*[f"Read {place}.py!" for place in range(9)]), most=2)
    assert len(found.files) == 2
    assert found.left_out == {"files": 7}
    assert [(one.count, len(one.call_ids)) for one in found.errors] == [(9, 2)]


def checked(found: SessionFigures, given: Acts) -> None:
    assert found.calls == len(given)
    assert found.failed == sum(act.failed for act in given)
    assert SessionFigures.parse(found.to_data(), "again") == found
    assert sum(one.count for one in found.errors) == found.failed
    for file in found.files:
        assert (file.usage_mode is None) == (file.reads + file.writes == 0)
    for edge in found.flow:
        assert given.places[edge.from_call_id] is not None
    told_tokens = [point.estimated_tokens for point in found.usage.points]
    assert told_tokens == sorted(told_tokens)


@OFTEN
@given(sessions())
def test_figures_of_any_session_agree(made: Session) -> None:
    given = acts_of(made)
    checked(figures(given), given)
    for edge in edges(given):
        assert edge.start != edge.end
        assert not given[edge.start].failed
        assert edge.path in (*given[edge.end].reads, *given[edge.end].writes)
        assert edge.start < edge.end


def test_figures_of_real_programs(tmp_path: Path) -> None:
    for made in every(tmp_path).values():
        given = acts_of(made)
        checked(figures(given), given)
        assert made.summary.errors_encountered == figures(given).failed
