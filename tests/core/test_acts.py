"""What kind of act a call is."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whet.core.acts import category, is_query
from whet.documents.session import ToolCategory

LOOKING = [
    "ls",
    "ls -la src",
    "cat a.txt | head -5",
    "grep -rn x . | wc -l",
    "rg x && pwd",
    "find . -name '*.py'",
    "git status",
    "git log --oneline | head",
    "git  diff HEAD~1",
    "python --version",
    "env",
    "ls; pwd",
    "ls 2>/dev/null",
    "grep x a.txt 2>&1 | tail -3",
    "sed -n '1,200p' src/a.py",
    "sed -n 5p a",
    "cd src && ls",
    "nl -ba a.py | sed -n '10,20p'",
    "sort a | uniq",
    "git rev-parse HEAD",
    "git remote -v",
    "jq .name package.json",
]
DOING = [
    "",
    "make",
    "rm -rf build",
    "ls > files.txt",
    "cat a >> b",
    "cat a 2>errors.txt",
    "ls && rm a",
    "ls; rm a",
    "ls || rm a",
    "ls\nrm a",
    "ls & rm a",
    "cat $(rm a)",
    "cat `rm a`",
    "cat <(rm a)",
    "env rm a",
    "env MODE=x make",
    "find . -delete",
    "find . -exec rm {} +",
    "find . -execdir rm {} +",
    "find . -name x | xargs rm",
    "cat a | tee b",
    "sed -i s/a/b/ c",
    "git commit -m x",
    "git branch -D main",
    "git branch new",
    "python run.py",
    "lsof",
    "sed 's/a/b/w out' c",
    "sed -n 'w out' c",
    "sort -o a a",
    "sort -uo a a",
    "sort --output=a a",
    "uniq a b",
    "git diff --output=a",
    "git remote add x y",
    "echo x > a",
    "cd src && make",
    "category",
    "file-shredder a",
    "grep x a.txt | python -c 'evil()'",
]


@pytest.mark.parametrize("command", LOOKING)
def test_a_command_that_only_looks_is_perception(command: str) -> None:
    assert is_query(command)
    assert category("Bash", {"command": command}) == "perception"


@pytest.mark.parametrize("command", DOING)
def test_a_command_that_may_change_something_is_action(command: str) -> None:
    assert not is_query(command)
    assert category("Bash", {"command": command}) == "action"


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("Read", "perception"),
        ("Grep", "perception"),
        ("LSP", "perception"),
        ("WebFetch", "perception"),
        ("Skill", "perception"),
        ("Write", "action"),
        ("Edit", "action"),
        ("mcp__server__tool", "action"),
        ("NeverHeardOf", "action"),
        ("Task", "interaction"),
        ("AskUserQuestion", "interaction"),
        ("ExitPlanMode", "planning"),
        ("TaskCreate", "task_management"),
        ("TodoWrite", "task_management"),
        ("BashOutput", "task_management"),
    ],
)
def test_other_tools_are_known_by_name(tool: str, expected: str) -> None:
    assert category(tool, {}) == expected


def test_a_call_of_bash_without_a_command_is_action() -> None:
    assert category("Bash", {}) == "action"
    assert category("Bash", {"command": None}) == "action"


@settings(max_examples=50)
@given(st.text(max_size=12), st.text(max_size=20))
def test_there_is_never_a_sixth_category(tool: str, command: str) -> None:
    assert category(tool, {"command": command}) in get_args(ToolCategory)


@settings(max_examples=100)
@given(st.lists(st.sampled_from(LOOKING), min_size=1, max_size=3), st.sampled_from(DOING[1:]))
def test_one_part_that_does_makes_the_whole_an_action(looking: list[str], doing: str) -> None:
    assert is_query(" && ".join(looking))
    assert not is_query(" && ".join([*looking, doing]))
