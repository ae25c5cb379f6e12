"""Real processes that do different things to one asset at once: edit, list, archive, tag, die."""

import itertools
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.curate.assets import LATER, NOW, package_skill, text_skill
from tests.curate.test_race import PRELUDE, assert_whole, finished, started
from whet.curate import tags
from whet.curate.change import SkillChange
from whet.curate.library import skills
from whet.curate.locks import locked
from whet.curate.snapshot import read
from whet.curate.versions import edit, versions

EDITS = 12

EDIT = f"""
def edit_all():
    for number in range({EDITS}):
        while True:
            newest = versions(workspace, identity).newest.meta
            purpose = "docs" if newest.purpose == "code" else "code"
            change = SkillChange(purpose=purpose, content=f"{{who}} {{number}}")
            try:
                edit(workspace, identity, newest.version, change, now)
                break
            except Conflict:
                pass
"""

LIST = f"""
import time
from whet.curate.library import skills
from whet.curate.snapshot import read
def list_until_the_end():
    last, looks, deadline = 0, 0, time.monotonic() + 100
    while last < 1 + 2 * {EDITS}:
        assert time.monotonic() < deadline, last
        shelf = skills(workspace)
        assert shelf.problems == (), shelf.problems
        numbers = [int(asset.meta.version[1:]) for asset in shelf.assets]
        assert len(set(numbers)) == len(numbers), numbers
        assert max(numbers) >= last, (numbers, last)
        for asset in shelf.assets:
            assert asset.folder.parent.parent.name == asset.meta.purpose
            assert read(asset).text
        last, looks = max(numbers), looks + 1
        assert versions(workspace, identity).newest.meta.id == identity
    print(looks, flush=True)
edit_all() if who != "2" else list_until_the_end()
"""

ARCHIVE = f"""
from whet.curate.versions import archive, restore
def archive_often():
    for _ in range({EDITS}):
        assert archive(workspace, identity).meta.status == "archived"
        assert restore(workspace, identity).meta.status == "active"
    archive(workspace, identity)
edit_all() if who == "0" else archive_often()
"""

TAG = f"""
def tag_often():
    for number in range({EDITS}):
        tags.add(workspace, identity, f"{{who}} kept {{number}}", now)
        mine = f"{{who}} passing {{number}}"
        every = tags.add(workspace, identity, mine, now).manual
        tags.remove(workspace, identity, next(tag.id for tag in every if tag.value == mine))
edit_all() if who == "0" else tag_often()
"""

FOREVER = """
from whet.curate.versions import archive, restore
number = 0
while True:
    number += 1
    newest = versions(workspace, identity).newest.meta
    purpose = "docs" if newest.purpose == "code" else "code"
    files = {"SKILL.md": f"{who} {number}".encode(), **{f"f{n}": b"x" * 1000 for n in range(20)}}
    try:
        edit(workspace, identity, newest.version, SkillChange(purpose=purpose, package=files), now)
    except Conflict:
        pass
    mine = f"{who} {number} {now}"
    every = tags.add(workspace, identity, mine, now).manual
    tags.remove(workspace, identity, next(tag.id for tag in every if tag.value == mine))
    archive(workspace, identity)
    restore(workspace, identity)
"""


@pytest.mark.slow
def test_whoever_lists_meanwhile_sees_whole_versions_only(tmp_path: Path) -> None:
    """Two edit and move the skill between purposes; the newest version never goes back."""
    first = text_skill(tmp_path)
    *_, looks = finished(started(tmp_path, first.meta.id, EDIT + LIST, 3))
    assert int(looks) > 0
    texts = [read(asset).text for asset in skills(tmp_path).assets]
    expected = {f"{who} {number}" for who in range(2) for number in range(EDITS)}
    assert sorted(texts) == sorted({"Be careful.\n", *expected})
    assert_whole(tmp_path, first.meta.id)


@pytest.mark.slow
def test_an_asset_that_is_archived_meanwhile_stays_so(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    finished(started(tmp_path, first.meta.id, EDIT + ARCHIVE, 2))
    assert versions(tmp_path, first.meta.id).newest.meta.status == "archived"
    texts = {read(asset).text for asset in skills(tmp_path).assets}
    assert texts == {"Be careful.\n", *(f"0 {number}" for number in range(EDITS))}
    assert len(versions(tmp_path, first.meta.id).versions) == 1 + EDITS
    assert_whole(tmp_path, first.meta.id)


@pytest.mark.slow
def test_no_tag_is_lost_or_comes_back_when_it_is_edited_meanwhile(tmp_path: Path) -> None:
    """A tag that is added while a new version is made is in the new version too."""
    first = text_skill(tmp_path)
    tags.add(tmp_path, first.meta.id, "before", NOW)
    finished(started(tmp_path, first.meta.id, EDIT + TAG, 3))
    values = [tag.value for tag in tags.tags_of(tmp_path, first.meta.id).manual]
    kept = {f"{who} kept {number}" for who in (1, 2) for number in range(EDITS)}
    assert sorted(values) == sorted({"before", *kept})
    assert len(versions(tmp_path, first.meta.id).versions) == 1 + EDITS
    assert_whole(tmp_path, first.meta.id)


@pytest.mark.slow
def test_when_a_writer_is_killed_the_others_go_on(tmp_path: Path) -> None:
    """Whatever it was at: an edit, a tag, the archive."""
    first = package_skill(tmp_path)
    chance = random.Random(7)
    for attempt in range(6):
        killed, survivor = started(tmp_path, first.meta.id, FOREVER, 2)
        try:
            time.sleep(chance.uniform(0.02, 0.5))
            killed.kill()
            killed.communicate()
            count = len(versions(tmp_path, first.meta.id).versions)
            deadline = time.monotonic() + 60
            while len(versions(tmp_path, first.meta.id).versions) <= count + 1:
                assert survivor.poll() is None
                assert time.monotonic() < deadline
        finally:
            survivor.kill()
            survivor.communicate()
        with locked(tmp_path, first.meta.id, patience=0):
            assert skills(tmp_path).problems == ()
        newest = versions(tmp_path, first.meta.id).newest
        change = SkillChange(content=f"after {attempt}")
        made = edit(tmp_path, first.meta.id, newest.meta.version, change, LATER)
        assert int(made.meta.version[1:]) == int(newest.meta.version[1:]) + 1
        assert len(tags.tags_of(tmp_path, first.meta.id).manual) <= 2 * (attempt + 1)
        assert_whole(tmp_path, first.meta.id)


DYING = """
import os
from whet.curate.versions import archive
left = int(who)
def dying(real):
    def call(*arguments, **more):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
        return real(*arguments, **more)
    return call
for name in ("open", "write", "mkdir", "replace", "fsync", "close", "unlink"):
    setattr(os, name, dying(getattr(os, name)))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "act", ["archive(workspace, identity)", "tags.add(workspace, identity, 'x', now)"]
)
def test_killed_before_any_system_call_it_is_as_before_or_done(tmp_path: Path, act: str) -> None:
    seen: set[str] = set()
    for limit in itertools.count():
        workspace = tmp_path / f"{limit}"
        first = text_skill(workspace)
        process = subprocess.run(
            [sys.executable, "-c", PRELUDE + DYING + act, workspace, first.meta.id, f"{limit}"],
            input="\n",
            capture_output=True,
            text=True,
            check=False,
        )
        newest = versions(workspace, first.meta.id).newest
        values = [tag.value for tag in tags.load(newest.folder).manual]
        seen.add(f"{newest.meta.status} {values}")
        made = edit(workspace, first.meta.id, "v1", SkillChange(content="after"), LATER)
        assert tags.load(made.folder) == tags.load(newest.folder)
        assert made.meta.status == newest.meta.status
        assert_whole(workspace, first.meta.id)
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, process.stderr
    done = "archived []" if act.startswith("archive") else "active ['x']"
    assert seen == {"active []", done}
