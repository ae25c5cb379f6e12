"""Files that a program keeps, in the reach of an agent that may be at work."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import JsonValue

from whet.core.case import Stimulus
from whet.core.errors import EngineFailure
from whet.core.foreign import count, decoded, strictly
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.engines.agent_cli.drive import drive
from whet.engines.agent_cli.follow import Followed
from whet.engines.agent_cli.home import Home
from whet.engines.agent_cli.inside import put
from whet.engines.agent_cli.options import AgentOptions
from whet.engines.agent_cli.task import Task
from whet.engines.claude_reader import ClaudeReader
from whet.ports.workdir import Workdir
from whet.shell.command import Command
from whet.shell.process import started

HALF = "cut off: \\ud83d"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    (made / "home/kept").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.jsonl").write_text('{"whose": "the user\'s own"}\n')
    return made


def news(followed: Followed) -> list[dict[str, JsonValue]]:
    return [entry for path in followed.paths() for entry in followed.news(path)]


@pytest.mark.parametrize("place", ["home", "home/kept"])
def test_no_folder_on_the_way_is_a_link(root: Path, place: str) -> None:
    followed = Followed(root / "home/kept", root)
    (root / "home/kept/a.jsonl").write_text('{"n": 1}\n')
    assert news(followed) == [{"n": 1}]
    moved = root / place
    moved.rename(root / "moved")
    target = root.parent / "outside"
    (target / "kept").mkdir()
    for folder in (target, target / "kept"):
        (folder / "a.jsonl").write_text('{"n": 1}\n{"whose": "the user\'s own"}\n')
    moved.symlink_to(target)
    assert news(followed) == []


def test_nor_is_one_that_becomes_a_link_between_two_looks(root: Path) -> None:
    (root / "home/kept/deep").mkdir()
    followed = Followed(root / "home/kept", root)
    (root / "home/kept/deep/a.jsonl").write_text('{"n": 1}\n')
    [path] = followed.paths()
    (root / "home/kept/deep").rename(root / "moved")
    (root / "home/kept/deep").symlink_to(root.parent / "outside")
    assert list(followed.news(path)) == []


def test_what_is_half_an_emoji_is_read_and_what_is_no_object_is_not(root: Path) -> None:
    followed = Followed(root / "home/kept", root)
    lines = ["[1]", "no sense", '{"n": NaN}', f'{{"said": "{HALF}"}}', '{"n": 2}']
    (root / "home/kept/a.jsonl").write_text("\n".join(lines) + "\n")
    assert news(followed) == [{"said": "cut off: \ud83d"}, {"n": 2}]


def _file_becomes_link(folder: Path, outside: Path) -> None:
    (folder / "1.json.new").symlink_to(outside / "a.jsonl")
    (folder / "1.json").symlink_to(outside / "a.jsonl")


def _file_becomes_pipe(folder: Path, _outside: Path) -> None:
    os.mkfifo(folder / "1.json.new")


@pytest.mark.parametrize("trick", [_file_becomes_link, _file_becomes_pipe])
def test_a_file_is_written_in_its_place_only(
    root: Path, trick: Callable[[Path, Path], None]
) -> None:
    folder, outside = root / "home/kept", root.parent / "outside"
    before = (outside / "a.jsonl").read_text()
    trick(folder, outside)
    put(folder / "1.json", root, "told")
    assert (folder / "1.json").read_text() == "told"
    assert not (folder / "1.json").is_symlink()
    assert (outside / "a.jsonl").read_text() == before


@pytest.mark.parametrize("place", ["home", "home/kept"])
def test_a_file_is_not_written_through_a_folder_elsewhere(root: Path, place: str) -> None:
    outside = root.parent / "outside"
    (outside / "kept").mkdir()
    (root / place).rename(root / "moved")
    (root / place).symlink_to(outside)
    with pytest.raises(EngineFailure, match="in the way"):
        put(root / "home/kept/1.json", root, "told")
    assert not list(outside.rglob("1.json*"))


@pytest.mark.parametrize("words", ['{"a": 1e999}', f'{{"a": {"9" * 400}.0}}', "NaN", "[" * 99_999])
def test_what_no_json_number_is_or_has_no_end_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        strictly(words)


@pytest.mark.parametrize("words", ["[Infinity]", "[" * 99_999, "{", '"\\ud83'])
def test_what_a_program_writes_is_json_or_nothing(words: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decoded(words)


@pytest.mark.parametrize(
    ("said", "number"), [(7, 7), (-1, 0), (True, 0), (10**30, 0), ("7", 0), (7.5, 0), (None, 0)]
)
def test_a_number_of_tokens_is_one_or_none(said: JsonValue, number: int) -> None:
    assert count(said) == number


async def _steps(task: Task, line: str) -> list[Step]:
    code = f"print({line!r})"
    command = Command((sys.executable, "-c", code), task.workdir.work, {}, timeout=120)
    async with started(command) as process:
        return [step async for step in drive(process, ClaudeReader("m"), task)]


def test_an_answer_that_was_cut_in_the_middle_of_an_emoji_is_an_answer(root: Path) -> None:
    (root / "work").mkdir()
    workdir = Workdir(root, root / "work", None)
    stimulus = Stimulus(prompt="?")
    spec = TrialSpec(skill=None, stimulus=stimulus, engine="e", engine_version="1", model="m")
    task = Task(spec, workdir, AgentOptions(), Home.below(workdir))
    line = json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "#"})
    ended = asyncio.run(_steps(task, line.replace("#", HALF)))[-1]
    assert isinstance(ended, Ended)
    assert (ended.failure, ended.answer) == (None, "cut off: \ud83d")
