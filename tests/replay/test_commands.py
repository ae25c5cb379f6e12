"""What the words of a command say."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.replay.commands import Command, command_of

HERE = "cat > new.py <<'EOF'\nif a > b: x\nprint('-> q.txt')\nEOF\nls"
PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a/b.py\n*** Add File: c.py\nEOF"


@pytest.mark.parametrize(
    "text",
    [
        "ls -la",
        "cat a.py | head -20",
        "sed -n '1,200p' src/x.py",
        "grep -rni 'foo > bar.txt' src",
        "cd /a && git log --oneline",
        "find . -exec grep -l x {} +",
        "curl -s http://host/x | jq .a",
        "tool --version",
        "timeout 5 cat a.py 2>/dev/null",
        "git branch -a",
        "npm ls",
    ],
)
def test_what_only_looks(text: str) -> None:
    assert command_of(text).kind == "look"


@pytest.mark.parametrize(
    "text",
    [
        "pytest -q",
        "cd /a/b && python3 -m pytest -q 2>&1 | tail -5",
        "FOO=1 timeout 30 go test ./...",
        "uv run pytest tests",
        "npm run build",
        "pnpm exec tsc --noEmit",
        "make test",
        "cargo clippy",
        "./gradlew test",
        "ruff check . > out.txt",
        "python manage.py test",
        "python3 tests_calc.py",
        "node src/app.test.js --quick",
        "bash scripts/check.sh",
        "python -I -c 'import a; assert a.b() == 1'",
    ],
)
def test_what_checks(text: str) -> None:
    assert command_of(text).kind == "check"


@pytest.mark.parametrize(
    "text",
    [
        "python script.py",
        "python latest.py",
        "python -c 'print(1)'",
        "make",
        "echo hi > out.txt",
        "sed -i 's/a/b/' x.py",
        "find . -name '*.pyc' -delete",
        "ruff check --fix .",
        "git commit -m 'ls'",
        "curl -X POST http://host",
        "ps | xargs kill",
        "wget http://host/file",
        "ls && rm a.txt",
        PATCH,
    ],
)
def test_what_may_change_something(text: str) -> None:
    assert command_of(text).kind == "change"


@pytest.mark.parametrize(
    "text", ["", "echo done", "sleep 5", "cd src", "until test -s a; do sleep 1; done"]
)
def test_what_does_nothing(text: str) -> None:
    assert command_of(text) == Command("none")


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("cat a.py b/c.txt | head -20", ["a.py", "b/c.txt"], []),
        ("nl -ba src/a.py | sed -n '10,40p'", ["src/a.py"], []),
        ("sed -n 1,20p src/x.py", ["src/x.py"], []),
        ('cat "$HOME/skills/s/SKILL.md"', ["$HOME/skills/s/SKILL.md"], []),
        ("echo hi > 'out file.txt'", [], ["out file.txt"]),
        ("make 2>&1 | tee build.log", [], ["build.log"]),
        ("mv a.txt b.txt", ["a.txt"], ["b.txt"]),
        ("rm -f x.py && touch y.py", [], ["x.py", "y.py"]),
        ("cat a.py > /dev/null 2>&1", ["a.py"], []),
        ("python x.py input.csv", [], []),
        ("cat *.py $FILE", [], []),
        ("grep 'a > b.txt' c.txt", [], []),
        (HERE, [], ["new.py"]),
        (PATCH, [], ["a/b.py", "c.py"]),
    ],
)
def test_the_files_of_a_command(text: str, reads: list[str], writes: list[str]) -> None:
    found = command_of(text)
    assert (list(found.reads), list(found.writes)) == (reads, writes)


def test_a_question_about_what_has_changed() -> None:
    assert command_of("git diff HEAD~1").looks_back
    assert not command_of("git log").looks_back


BITS = [
    "ls",
    "cat",
    ">",
    ">>",
    "|",
    "&&",
    ";",
    "'",
    '"',
    "\\",
    "<<",
    "EOF",
    "\n",
    "a.py",
    "$X",
    "\0",
]


@given(st.text() | st.lists(st.sampled_from(BITS)).map(" ".join))
def test_any_text_is_a_command(text: str) -> None:
    found = command_of(text)
    assert all(found.writes)
    assert all(found.reads)
    assert not found.writes or found.kind in ("change", "check")


@pytest.mark.parametrize(
    "text",
    [
        "sed -" + "i" * 5_000,
        '"\\' * 2_000,
        "<<A\n" * 2_000,
        "/" * 9_000,
        "a " * 5_000,
        "*** Add File: " + " " * 200_000,
        "mvn " + "a " * 3_000,
        "> " * 3_000,
        "'" * 4_001,
        "git " + "-a b " * 1_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    begun = time.process_time()
    command_of(text)
    assert time.process_time() - begun < 1
