"""Plainly worded tasks about files, as the simulated agent does them."""

import asyncio
import json
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.engines.clerking import do, trial, work
from tests.engines.driving import SANDBOX
from tests.engines.simulation import execute, spec
from whet.core.failure import Failure
from whet.core.step import Triggered
from whet.engines.simulated import SimulatedEngine
from whet.engines.simulated.errands.commands import is_harmless
from whet.testing import engine

POEM = "roses are red\nviolets are blue\nsugar is sweet\n"


class Task(NamedTuple):
    prompt: str
    tools: list[str]
    files: dict[str, str]
    """What must be there afterwards."""

    answer: str | None = None
    given: dict[str, str] = {}


WRITING = [
    Task(
        'Create a file named a.txt with the content "hello there".',
        ["Write"],
        {"a.txt": "hello there"},
    ),
    Task(
        "Create the file `sub/b.md` containing the text `x = 1`.", ["Write"], {"sub/b.md": "x = 1"}
    ),
    Task('Write "one, two" to the file c.txt.', ["Write"], {"c.txt": "one, two"}),
    Task(
        "Create d.txt with exactly this content: It was late. It rained.",
        ["Write"],
        {"d.txt": "It was late. It rained."},
    ),
    Task(
        'Create e.txt with the text "1" and create f.txt with the text "2". Reply with "DONE".',
        ["Write", "Write"],
        {"e.txt": "1", "f.txt": "2"},
        "DONE",
    ),
    Task(
        'Create the JSON file g.json with the fields name = "Ada", age = 36 and active = true.',
        ["Write"],
        {"g.json": '{"name": "Ada", "age": 36, "active": true}'},
    ),
    Task(
        'Write the file h.json with the content {"a": [1, 2]}',
        ["Write"],
        {"h.json": '{"a": [1, 2]}'},
    ),
    Task("创建文件 a.txt，内容为“你好，世界”。", ["Write"], {"a.txt": "你好，世界"}),
    Task("新建一个文件 `b.txt`，内容为：第一行。", ["Write"], {"b.txt": "第一行。"}),
    Task("将“晴天”写入文件 c.txt，然后回复“完成”。", ["Write"], {"c.txt": "晴天"}, "完成"),
    Task(
        "创建文件 d.json，字段“城市”的值为“杭州”，字段“人数”的值为 3。",
        ["Write"],
        {"d.json": '{"城市": "杭州", "人数": 3}'},
    ),
]
CHANGING = [
    Task(
        'Append the line "and so are you" to poem.txt.',
        ["Read", "Edit"],
        {"poem.txt": POEM + "and so are you\n"},
        given={"poem.txt": POEM},
    ),
    Task(
        'In poem.txt, replace "red" with "white".',
        ["Read", "Edit"],
        {"poem.txt": POEM.replace("red", "white")},
        given={"poem.txt": POEM},
    ),
    Task(
        'Change line 2 of poem.txt to "violets are grey".',
        ["Read", "Edit"],
        {"poem.txt": POEM.replace("violets are blue", "violets are grey")},
        given={"poem.txt": POEM},
    ),
    Task(
        'Replace the last line of poem.txt with "the end".',
        ["Read", "Edit"],
        {"poem.txt": POEM.replace("sugar is sweet", "the end")},
        given={"poem.txt": POEM},
    ),
    Task(
        "把 poem.txt 的第二行改成“天是蓝的”。",
        ["Read", "Edit"],
        {"poem.txt": POEM.replace("violets are blue", "天是蓝的")},
        given={"poem.txt": POEM},
    ),
    Task(
        "在 poem.txt 的末尾追加一行“完”。",
        ["Read", "Edit"],
        {"poem.txt": POEM + "完\n"},
        given={"poem.txt": POEM},
    ),
    Task(
        "在文件 poem.txt 中把“red”替换为“white”。",
        ["Read", "Edit"],
        {"poem.txt": POEM.replace("red", "white")},
        given={"poem.txt": POEM},
    ),
]
FOLDER = {"notes/a.txt": "the owl\n", "notes/b.txt": "a cat\nan owl\n", "notes/c.md": "dog\n"}
LOOKING = [
    Task(
        'Search the folder notes for the word "cat" and reply with the name of the file.',
        ["Grep"],
        {},
        "notes/b.txt",
        FOLDER,
    ),
    Task(
        'Which files contain "owl"?',
        ["Grep"],
        {},
        "notes/a.txt:the owl\nnotes/b.txt:an owl",
        FOLDER,
    ),
    Task("List the files in notes and reply with the number of files.", ["LS"], {}, "3", FOLDER),
    Task("List the folder `notes`.", ["LS"], {}, "a.txt\nb.txt\nc.md", FOLDER),
    Task("What does the second line of notes/b.txt say?", ["Read"], {}, "an owl", FOLDER),
    Task('How many lines of notes/b.txt contain "owl"?', ["Grep"], {}, "1", FOLDER),
    Task(
        "Find all files that contain “dog” and tell me which ones.",
        ["Grep"],
        {},
        "notes/c.md",
        FOLDER,
    ),
    Task("notes/b.txt 的第一行是什么？", ["Read"], {}, "a cat", FOLDER),
    Task("查找包含“dog”的文件，并告诉我文件名。", ["Grep"], {}, "notes/c.md", FOLDER),
    Task("Read notes/b.txt and tell me the second line.", ["Read"], {}, "an owl", FOLDER),
    Task(
        "Read poem.txt and reply with the last line.",
        ["Read"],
        {},
        "sugar is sweet",
        {"poem.txt": POEM},
    ),
    Task(
        "Read server.ini and reply with the value of port.",
        ["Read"],
        {},
        "8080",
        {"server.ini": "host = here\nport = 8080\n"},
    ),
    Task(
        "在文件夹 notes 中搜索“cat”，并回答包含它的文件的名字。",
        ["Grep"],
        {},
        "notes/b.txt",
        FOLDER,
    ),
    Task("列出文件夹 notes 的内容，并回答有多少个文件。", ["LS"], {}, "3", FOLDER),
    Task("读取文件 notes/b.txt，并回答第二行。", ["Read"], {}, "an owl", FOLDER),
    Task("Run the command `echo good day` and reply with its output.", ["Bash"], {}, "good day"),
    Task("运行命令 `cat a.txt | wc -l`，并回答它的输出。", ["Bash"], {}, "3", {"a.txt": POEM}),
]
STEPS = [
    Task(
        "1. Read data.csv.\n2. Create the file sum.json with a JSON object that has the keys "
        '"rows" (the number of rows) and "all" (the sum of all prices).\n3. Reply with "ready".',
        ["Read", "Write"],
        {"sum.json": '{"rows": 2, "all": 7.5}'},
        "ready",
        {"data.csv": "item,price\npen,2.5\nink,5\n"},
    ),
    Task(
        'Search the folder conf for the file that contains the line "on = 1". '
        'In that file replace the line by "on = 0". Reply with the name of the file you changed.',
        ["Grep", "Read", "Edit"],
        {"conf/b.ini": "on = 0\n"},
        "conf/b.ini",
        {"conf/a.ini": "off\n", "conf/b.ini": "on = 1\n"},
    ),
    Task(
        "Read list.txt, sort its lines and write the result to the file out.txt.",
        ["Read", "Write"],
        {"out.txt": "a\nb\nc\n"},
        None,
        {"list.txt": "c\na\nb\n"},
    ),
]


@pytest.mark.parametrize(
    "task", WRITING + CHANGING + LOOKING + STEPS, ids=lambda task: task.prompt[:60]
)
def test_a_task_is_done(task: Task) -> None:
    worked = do(task.prompt, task.given)
    assert worked.tools == task.tools
    assert all(worked.outcomes)
    assert worked.end.failure is None
    for path, text in task.files.items():
        same = json.loads if path.endswith(".json") else str
        assert same(worked.files[path]) == same(text)
    untouched = {path: text for path, text in task.given.items() if path not in task.files}
    assert untouched.items() <= worked.files.items()
    assert set(worked.files) == {*task.files, *task.given}
    if task.answer is not None:
        assert worked.answer == task.answer


def test_calls_have_the_parameters_that_agents_share() -> None:
    worked = do('In poem.txt, replace "red" with "white".', {"poem.txt": POEM})
    read, edit = worked.calls
    assert read.params == {"file_path": "poem.txt"}
    assert edit.params == {
        "file_path": "poem.txt",
        "old_string": "red",
        "new_string": "white",
        "replace_all": True,
    }
    (grep,) = do('Search the folder notes for the word "cat".', FOLDER).calls
    assert grep.params == {"pattern": "cat", "path": "notes"}


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ('Use the tool "lookup" of the MCP server "notes".', "I have no tool lookup"),
        (
            "Call notes@lookup with the key a and reply with the note.",
            "I have no tool notes@lookup",
        ),
        ("使用 MCP 服务器“notes”查询笔记。", "我没有工具"),
        ("Search the knowledge base for opening hours.", "knowledge base"),
        ("Read missing.txt and reply with its first line.", "No such file"),
        ('Replace "a" by "b" in poem.txt.', "does not contain"),
        ("Run the command `rm -rf .` and reply with its output.", "do not run"),
        ("Run the command `curl http://x.invalid` now.", "do not run"),
        ("Delete poem.txt.", "do not run"),
        ("Read poem.txt and put the mood of it into mood.txt.", "what to do with mood.txt"),
        ('Change line 9 of poem.txt to "x".', "no line 9"),
    ],
)
def test_what_it_cannot_do_it_says(prompt: str, says: str) -> None:
    worked = do(prompt, {"poem.txt": "roses\n"})
    assert says in worked.answer
    assert worked.files == {"poem.txt": "roses\n"}
    assert worked.end.failure is None


def test_only_allowed_tools_are_used() -> None:
    prompt = 'Create a.txt with the content "x". Read a.txt and reply with the first line.'
    assert do(prompt).tools == ["Write", "Read"]
    by_case = work(trial(prompt, tools=("Read",)))
    assert (by_case.tools, by_case.files) == (["Read"], {})
    assert "may not use the tool Write" in by_case.answer
    by_option = work(trial(prompt, tools=("Read",), allowed_tools=["Write"]))
    assert (by_option.tools, by_option.files) == (["Write"], {"a.txt": "x"})
    assert work(trial(prompt, allowed_tools=[])).tools == []
    # An edit does without reading first if it must.
    edits = trial('Replace "o" by "0" in a.txt.', {"a.txt": "oo"}, tools=("Edit",))
    assert work(edits, {"a.txt": "oo"}).files == {"a.txt": "00"}


def test_limits_of_turns_and_troubles_hold_here_too() -> None:
    prompt = 'Create a.txt with the text "1" and create b.txt with the text "2".'
    stopped = work(trial(prompt, max_turns=1))
    assert stopped.end.failure is Failure.MAX_TURNS
    assert stopped.files == {"a.txt": "1"}
    failed = work(trial(prompt, simulate={"fail": 1, "fail_kind": "refusal"}))
    assert failed.end.failure is Failure.REFUSAL


@pytest.mark.parametrize(
    "command",
    [
        "echo hi",
        "ls -la sub",
        "cat a.txt | sort -r | head -n 2",
        "wc -l a.txt",
        "echo hi > out.txt",
        "echo a && echo b",
        "expr 6 '*' 7",
        "grep -n 'a.c' a.txt",
        'echo "a b" >> out.txt',
    ],
)
def test_harmless_commands(command: str) -> None:
    assert is_harmless(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "rm a.txt",
        "cat /etc/passwd",
        "cat ../secret",
        "cat ~/secret",
        "echo hi > /tmp/x",
        "echo hi > ../x",
        "echo $HOME",
        "echo `id`",
        "echo $(id)",
        "ls; rm x",
        "ls &",
        "cat < /etc/passwd",
        "tail -f a.txt",
        "sort -o x a.txt",
        "echo 'unfinished",
        "ls |",
        "| ls",
        "ls > ",
        "python -c 1",
        "sh -c ls",
        "echo a\nrm b",
        'cat "/etc/passwd"',
        "cat a'/..'/b",
        "grep --file=/etc/passwd a",
        "x" * 600,
    ],
)
def test_other_commands_are_declined(command: str) -> None:
    assert not is_harmless(command)


@pytest.mark.parametrize(
    ("prompt", "writes"),
    [
        ('Create the file note.txt with the content "a note".', "note.txt"),
        ("Run the command `echo a note > note.txt`.", "note.txt"),
        ("Write a Python function that sorts numbers.", "solution.py"),
    ],
    ids=["errand", "command", "code"],
)
@pytest.mark.parametrize("check", engine.CHECKS, ids=lambda check: check.__name__)
def test_it_is_an_engine(check: Callable[[engine.Subject], None], prompt: str, writes: str) -> None:
    check(engine.Subject(make=SimulatedEngine, prompt=prompt, writes=writes, model="simulated"))


def test_a_command_runs_in_the_sandbox_that_is_named() -> None:
    if SANDBOX != "bubblewrap":
        pytest.skip("there is no bubblewrap here")
    prompt = "Run the command `cat a.txt > b.txt && pwd` and reply with its output."
    confined = trial(prompt, {"a.txt": "x\n"}).model_copy(update={"sandbox": SANDBOX})
    worked = work(confined, {"a.txt": "x\n"})
    assert worked.files == {"a.txt": "x\n", "b.txt": "x\n"}
    assert worked.answer.endswith("/execution/work")


def test_a_skill_is_taken_up_before_the_work() -> None:
    skill = {
        "SKILL.md": "---\nname: filing\ndescription: Filing notes into files.\n---\nBe tidy.\n"
    }
    prompt = 'Filing notes: create the file note.txt with the content "x".'
    trace = asyncio.run(execute(spec(skill, prompt), skill))
    assert [step.skill for step in trace.steps if isinstance(step, Triggered)] == ["filing"]
    assert trace.tools == ["Read", "Write"]
    assert trace.outputs == {"note.txt": b"x"}
