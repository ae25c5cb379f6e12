"""Phases by the signals of calls."""

import pytest
from hypothesis import given

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import acts
from whet.documents.session import Session
from whet.replay.acts import acts_of
from whet.replay.phases import phases


def told(*lines: str, prompt: str = "Mend the parser.") -> list[str]:
    found = phases(acts(*lines, user_prompt=prompt))
    return [f"{one.type} {one.first}-{one.last} {one.confidence}" for one in found]


def test_five_searches_in_a_row_clearly_explore() -> None:
    assert told(*["Grep a"] * 5) == ["explore 0-4 high"]


def test_a_single_read_says_little() -> None:
    assert told("Read a.py") == ["explore 0-0 low"]
    assert told("Read a.py", "Grep x") == ["explore 0-1 medium"]


def test_a_read_before_the_edit_of_that_file_belongs_to_it() -> None:
    assert told("Read a.py", "Edit a.py") == ["execute 0-1 medium"]
    assert told("Read b.py", "Edit a.py") == ["explore 0-0 low", "execute 1-1 high"]


def test_three_looks_are_a_phase_wherever_they_stand() -> None:
    between = ["Grep a", "Read b.py", "Read c.py"]
    assert told("Edit a.py", *between, "Edit b.py") == [
        "execute 0-0 high",
        "explore 1-3 medium",
        "execute 4-4 high",
    ]
    assert told("Edit a.py", *between[:2], "Edit b.py") == ["execute 0-3 medium"]


def test_tests_after_a_change_verify_and_before_it_explore() -> None:
    assert told("Bash pytest!", "Edit a.py", "Bash pytest") == [
        "explore 0-0 low",
        "execute 1-1 high",
        "verify 2-2 high",
    ]


def test_tests_of_a_session_that_changes_nothing_verify() -> None:
    assert told("Bash pytest -q", "Bash npm run lint") == ["verify 0-1 high"]


def test_looking_again_at_what_was_written_verifies() -> None:
    assert told("Write a.py", "Read a.py") == ["execute 0-0 high", "verify 1-1 low"]
    assert told("Write a.py", "Bash git diff", "Read a.py") == [
        "execute 0-0 high",
        "verify 1-2 medium",
    ]


def test_but_not_if_the_next_change_is_of_that_file() -> None:
    assert told("Write a.py", "Read a.py", "Edit a.py") == ["execute 0-2 medium"]
    assert told("Write a.py", "Read a.py", "Edit b.py") == ["execute 0-2 medium"]


def test_the_beginning_is_about_what_is_wanted() -> None:
    lines = ["Bash ls", "Read CLAUDE.md", "Glob *.md", "Skill fix", "Grep x", "Read a.py", "Grep y"]
    assert told(*lines) == ["understand 0-3 high", "explore 4-6 medium"]


def test_what_the_prompt_names_is_wanted_unless_it_is_to_be_changed() -> None:
    asked = "Build what brief.txt says into page.html."
    assert told("Read brief.txt", "Write page.html", prompt=asked) == [
        "understand 0-0 low",
        "execute 1-1 high",
    ]
    assert told("Read page.html", "Edit page.html", prompt=asked) == ["execute 0-1 medium"]


def test_a_question_at_the_beginning_is_about_it_too() -> None:
    assert told("AskUserQuestion which?", "Edit a.py") == [
        "understand 0-0 medium",
        "execute 1-1 high",
    ]


def test_batches_of_tasks_are_plans_and_ticking_off_is_none() -> None:
    assert told("TodoWrite a, b, c", "Edit a.py", "TodoWrite a:completed, b, c", "Edit b.py") == [
        "plan 0-0 high",
        "execute 1-3 high",
    ]
    assert told("TaskCreate a", "TaskCreate b", "TaskCreate c") == ["plan 0-2 high"]
    assert told("TaskCreate a") == ["plan 0-0 low"]
    assert told("TodoWrite a, b, c!") == []


def test_plan_mode_is_a_plan_and_what_is_explored_in_it_overlaps() -> None:
    looks = ["Grep a", "Grep b", "Grep c"]
    file = "Write /h/.claude/plans/p.md"
    assert told("EnterPlanMode", *looks, file, "ExitPlanMode", "Edit a.py") == [
        "plan 0-5 high",
        "explore 1-3 medium",
        "execute 6-6 high",
    ]


def test_a_plan_that_was_refused_goes_on() -> None:
    assert (
        told("EnterPlanMode", "Grep a", "ExitPlanMode!", "Grep b", "ExitPlanMode")[0]
        == "plan 0-4 high"
    )


@pytest.mark.parametrize(
    ("inner", "phase"),
    [
        (["Grep a", "Read a.py"], "explore 0-2 medium"),
        (["Read a.py", "Bash pytest"], "verify 0-2 high"),
        (["Read a.py", "Edit a.py"], "execute 0-2 medium"),
        (["Grep a", "Grep b", "Edit a.py"], "mixed 0-3 low"),
    ],
)
def test_a_subagent_is_what_its_calls_are(inner: list[str], phase: str) -> None:
    assert told("Task x", *[f". {line}" for line in inner]) == [phase]


def test_what_says_nothing_is_in_no_phase() -> None:
    assert told("Bash echo a", "Bash sleep 1", "Task x") == []
    assert told("Edit a.py", "Bash echo a", "Edit b.py") == ["execute 0-2 high"]
    assert told("Edit a.py", "Bash echo a", "Bash pytest") == [
        "execute 0-0 high",
        "verify 2-2 high",
    ]


def test_commands_alone_say_less_than_files() -> None:
    assert told("Bash python a.py") == ["execute 0-0 low"]
    assert told("Bash python a.py", "Bash python b.py") == ["execute 0-1 medium"]


@OFTEN
@given(sessions())
def test_phases_of_any_session_have_calls_of_their_own(made: Session) -> None:
    found = acts_of(made)
    seen: set[int] = set()
    for phase in phases(found):
        assert 0 <= phase.first <= phase.last < len(found)
        assert phase.calls
        assert all(phase.first <= place <= phase.last for place in phase.calls)
        assert phase.type != "unclassified"
        if phase.type != "plan":
            assert seen.isdisjoint(phase.calls)
            seen |= {*phase.calls}
