"""Real processes at the same asset at once, and processes that are killed in the middle."""

import itertools
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.curate.assets import LATER, baseline, package_skill, text_skill, tree
from whet.curate.change import SkillChange
from whet.curate.library import cases, skills
from whet.curate.snapshot import read
from whet.curate.tags import tags_of
from whet.curate.versions import edit, history, versions

PRELUDE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from whet.core.errors import Conflict
from whet.curate.change import BaselineChange, SkillChange
from whet.curate import tags
from whet.curate.draft import About, SkillDraft
from whet.curate.versions import create, edit, rollback, versions
from whet.documents.cases import BaselineCase
workspace, identity, who = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
now = datetime.now(UTC)
print("ready", flush=True)
sys.stdin.readline()
"""

ONCE = """
change = SkillChange(purpose="docs") if who == "0" else SkillChange(content=who)
try:
    edit(workspace, identity, "v1", change, now)
    print("won", flush=True)
except Conflict as error:
    print(f"{error.expected} {error.actual}", flush=True)
"""

PERSISTENT = """
for number in range(10):
    while True:
        newest = versions(workspace, identity).newest.meta
        purpose = "docs" if newest.purpose == "code" else "code"
        change = SkillChange(purpose=purpose, content=f"{who} {number}")
        try:
            made = edit(workspace, identity, newest.version, change, now)
            print(made.meta.version, flush=True)
            break
        except Conflict:
            pass
"""

CASES = """
for number in range(5):
    while True:
        newest = versions(workspace, identity).newest
        from whet.curate.library import cases
        own = cases(newest.folder).cases
        one = own[0].model_copy(update={"id": "", "input": f"{who} {number}"})
        try:
            edit(workspace, identity, newest.meta.version, BaselineChange(cases=(*own, one)), now)
            break
        except Conflict:
            pass
"""

TAGS = """
for number in range(10):
    tags.add(workspace, identity, f"{who} {number}", now)
"""

FOREVER = """
number = 0
while True:
    newest = versions(workspace, identity).newest.meta
    number += 1
    purpose = "docs" if newest.purpose == "code" else "code"
    files = {"SKILL.md": f"{who} {number}".encode(), **{f"f{n}": b"x" * 1000 for n in range(20)}}
    try:
        edit(workspace, identity, newest.version, SkillChange(purpose=purpose, package=files), now)
    except Conflict:
        pass
"""

CREATE = """
for number in range(10):
    print(create(workspace, SkillDraft(About("N", "code", "me"), content=who), now).meta.id)
"""


def started(workspace: Path, identity: str, code: str, count: int) -> list[subprocess.Popen[str]]:
    """Processes that all begin at the same moment."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PRELUDE + code, str(workspace), identity, str(who)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for who in range(count)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    return processes


def finished(processes: Sequence[subprocess.Popen[str]]) -> list[str]:
    """What each of them said."""
    said = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return said


def assert_whole(workspace: Path, identity: str) -> None:
    """Versions without a gap or a twin, each readable, each told by its own history."""
    shelf = skills(workspace)
    assert shelf.problems == ()
    found = versions(workspace, identity).versions
    assert len(found) == len([asset for asset in shelf.assets if asset.meta.id == identity])
    assert [asset.meta.version for asset in found] == [f"v{n + 1}" for n in range(len(found))]
    assert [asset.meta.version_count for asset in found] == [n + 1 for n in range(len(found))]
    told = history(workspace, identity)
    assert told.problems == ()
    assert [record.to_version for record in told.records] == [a.meta.version for a in found[1:]]
    for asset in found:
        assert asset.folder.parent.parent.name == asset.meta.purpose
        assert (asset.folder / "tags.json").is_file()
        assert read(asset)


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_of_two_edits_of_one_version_one_wins(tmp_path: Path, count: int) -> None:
    """One of them moves the skill to another purpose."""
    first = text_skill(tmp_path)
    said = finished(started(tmp_path, first.meta.id, ONCE, count))
    assert sorted(said) == ["v1 v2\n"] * (count - 1) + ["won\n"]
    assert len(versions(tmp_path, first.meta.id).versions) == 2
    assert_whole(tmp_path, first.meta.id)


@pytest.mark.slow
def test_no_edit_is_lost_and_none_is_made_twice(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    said = finished(started(tmp_path, first.meta.id, PERSISTENT, 3))
    made = [version for one in said for version in one.split()]
    assert sorted(made, key=lambda version: int(version[1:])) == [f"v{n}" for n in range(2, 32)]
    texts = {read(asset).text for asset in skills(tmp_path).assets}
    assert texts == {"Be careful.\n", *(f"{who} {n}" for who in range(3) for n in range(10))}
    assert_whole(tmp_path, first.meta.id)


@pytest.mark.slow
def test_cases_added_at_once_get_ids_of_their_own(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    finished(started(tmp_path, first.meta.id, CASES, 3))
    newest = versions(tmp_path, first.meta.id).newest
    own = cases(newest.folder).cases
    assert [case.id for case in own] == [f"case_{n:03}" for n in range(1, 18)]
    assert {case.input for case in own[2:]} == {f"{w} {n}" for w in range(3) for n in range(5)}


@pytest.mark.slow
def test_tags_added_at_once_are_all_there(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    finished(started(tmp_path, first.meta.id, TAGS, 3))
    assert set(tags_of(tmp_path, first.meta.id).effective) == {
        f"{who} {number}" for who in range(3) for number in range(10)
    }


@pytest.mark.slow
def test_assets_made_at_once_are_all_there(tmp_path: Path) -> None:
    said = finished(started(tmp_path, "", CREATE, 3))
    made = sorted(one for text in said for one in text.split())
    assert sorted(asset.meta.id for asset in skills(tmp_path).assets) == made
    assert len(made) == 30


@pytest.mark.slow
def test_killed_at_any_moment_a_writer_leaves_no_half_version(tmp_path: Path) -> None:
    """The next writer goes on at once: the lock died with the process."""
    first = package_skill(tmp_path)
    chance = random.Random(5)
    for _ in range(12):
        processes = started(tmp_path, first.meta.id, FOREVER, 2)
        time.sleep(chance.uniform(0.02, 0.4))
        for process in processes:
            process.send_signal(signal.SIGKILL)
        for process in processes:
            process.communicate()
        assert_whole(tmp_path, first.meta.id)
    newest = versions(tmp_path, first.meta.id).newest
    assert len(versions(tmp_path, first.meta.id).versions) > 1
    made = edit(tmp_path, first.meta.id, newest.meta.version, SkillChange(name="after"), LATER)
    assert made.meta.name == "after"
    assert_whole(tmp_path, first.meta.id)


SYSCALLS = """
import os
from whet.curate import shelving
left = int(who)
def dying(real):
    def call(*arguments, **more):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
        return real(*arguments, **more)
    return call
for name in ("open", "mkdir", "rename", "fsync", "chmod", "close"):
    setattr(os, name, dying(getattr(os, name)))
files = {"SKILL.md": b"new", "a/run.sh": b"x"}
change = SkillChange(purpose="docs", package=files, executables=frozenset({"a/run.sh"}))
edit(workspace, identity, "v1", change, now)
print("done", flush=True)
"""


@pytest.mark.slow
def test_killed_before_any_system_call_there_is_the_old_version_or_the_new(tmp_path: Path) -> None:
    """Every call that touches the disk is once the last one."""
    seen: set[int] = set()
    for limit in itertools.count():
        workspace = tmp_path / f"{limit}"
        first = text_skill(workspace)
        before = tree(first.folder)
        process = subprocess.run(
            [sys.executable, "-c", PRELUDE + SYSCALLS, workspace, first.meta.id, f"{limit}"],
            input="\n",
            capture_output=True,
            text=True,
            check=False,
        )
        found = versions(workspace, first.meta.id).versions
        seen.add(len(found))
        assert tree(first.folder) == before
        assert_whole(workspace, first.meta.id)
        if len(found) == 2:
            assert read(found[1]).facts().executables == ("a/run.sh",)
        if process.returncode == 0:
            assert limit > 10
            break
        assert process.returncode == -signal.SIGKILL, process.stderr
    assert seen == {1, 2}
