"""The index follows the files, whoever wrote them."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.stores.index.libraries import MOMENT, add, identity, write, write_cases, write_tags
from whet.core.address import digest_bytes
from whet.curate import library
from whet.ports.index import Refreshed
from whet.ports.listing import AssetQuery
from whet.stores.index import FileIndex
from whet.stores.index.folder import YOUNG_NS

ALL = AssetQuery(status=None, sort="name", descending=False, page_size=200)


def counts(found: Refreshed) -> tuple[int, int, int, int]:
    return found.added, found.changed, found.removed, found.broken


def previews(index: FileIndex) -> dict[str, str]:
    return {entry.meta.name: entry.content_preview for entry in index.skills(ALL).items}


def is_edited(index: FileIndex, name: str = "Writer") -> bool:
    return index.get("skill", name).edited_outside


def settled(folder: Path) -> None:
    """Wait until nothing in the folder is young any more."""
    newest = max(path.lstat().st_ctime_ns for path in (folder, *folder.rglob("*")))
    while time.time_ns() < newest + YOUNG_NS:
        time.sleep(0.05)


def test_what_comes_and_goes_is_counted(tmp_path: Path, index: FileIndex) -> None:
    assert counts(index.refresh()) == (0, 0, 0, 0)
    first = add(tmp_path, "a")
    add(tmp_path, "a", 2)
    add(tmp_path, "b", content=["x"])
    assert counts(index.refresh()) == (3, 0, 0, 0)
    assert counts(index.refresh()) == (0, 0, 0, 0)
    write_tags(first, "t")
    os.utime(first / "meta.json")
    assert counts(index.refresh()) == (0, 1, 0, 0)
    shutil.rmtree(first)
    assert counts(index.refresh()) == (0, 0, 1, 0)
    assert [v.version for v in index.get("skill", "a").versions] == ["v2"]
    shutil.rmtree(tmp_path / "skills")
    assert counts(index.refresh()) == (0, 0, 1, 0)
    assert index.skills(ALL).total == 0


def test_an_older_version_stands_in_for_one_that_is_gone(tmp_path: Path, index: FileIndex) -> None:
    for version in (1, 2, 10):
        add(tmp_path, "a", version, content=f"text {version}")
    index.refresh()
    assert previews(index) == {"a": "text 10"}
    shutil.rmtree(tmp_path / f"skills/code/me/skill_{identity('a')[:8]}_v10")
    index.refresh()
    assert previews(index) == {"a": "text 2"}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("meta.json", "{", "meta.json: line 1, column 1: broken JSON"),
        ("meta.json", "{}", "meta.json: id: is missing"),
        ("meta.json", " " * (1024 * 1024 + 1), "meta.json: more than"),
        ("tags.json", "[]", "tags.json: "),
    ],
)
def test_one_broken_document_hurts_nothing_else(
    tmp_path: Path, index: FileIndex, name: str, content: str, reason: str
) -> None:
    folder = add(tmp_path, "a")
    add(tmp_path, "b")
    sound = (folder / name).read_text()
    (folder / name).write_text(content)
    assert index.refresh().broken == 1
    (found,) = index.broken()
    assert found.path == folder.relative_to(tmp_path).as_posix()
    assert found.reason.startswith(reason)
    assert sorted(previews(index)) == (["b"] if name == "meta.json" else ["a", "b"])
    (folder / name).write_text(sound)
    assert index.refresh().broken == 0
    assert sorted(previews(index)) == ["a", "b"]


def test_a_baseline_with_broken_cases_is_listed_and_named(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, "b", content=["x", "y"])
    (folder / "cases.json").write_text("{")
    (entry,) = index.baselines(ALL).items
    assert (entry.case_count, entry.edited_outside) == (2, False)
    assert [found.path for found in index.broken()] == [entry.folder]


def test_what_is_no_folder_of_a_version_is_left_alone(tmp_path: Path, index: FileIndex) -> None:
    inside = add(tmp_path / "elsewhere", "a")
    shelf = tmp_path / "skills/code/me"
    shelf.mkdir(parents=True)
    (shelf / "skill_00000000_v1").symlink_to(inside)
    (tmp_path / "skills/linked").symlink_to(inside.parents[1])
    (shelf / ".new-1234").mkdir()
    (shelf / "notes").mkdir()
    (shelf / "skill_file").write_text("")
    os.mkdir(os.fsencode(shelf) + b"/skill_\xff_v1")
    assert index.skills(ALL).total == 0
    assert {found.path: found.reason for found in index.broken()} == {
        "skills/linked": "is a link, which is not followed",
        "skills/code/me/skill_00000000_v1": "is a link, which is not followed",
        "skills/code/me/skill_\\xff_v1": "its name is no UTF-8",
    }
    assert counts(index.refresh()) == (0, 0, 0, 3)


def test_links_and_pipes_instead_of_files_are_not_read(tmp_path: Path, index: FileIndex) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    linked, piped = add(tmp_path, "linked"), add(tmp_path, "piped")
    (linked / "content.txt").unlink()
    (linked / "content.txt").symlink_to(secret)
    (piped / "content.txt").unlink()
    os.mkfifo(piped / "content.txt")
    assert previews(index) == {"linked": "", "piped": ""}
    assert len(index.broken()) == 2


def test_one_version_in_two_folders_is_named(tmp_path: Path, index: FileIndex) -> None:
    first = add(tmp_path, "a", content="first")
    shutil.copytree(first, first.with_name("skill_copy_v1"))
    (first.with_name("skill_copy_v1") / "content.txt").write_text("copy")
    assert previews(index) == {"a": "first"}
    (found,) = index.broken()
    assert found.path.endswith("skill_copy_v1")
    assert found.reason == f"the same version as {first.relative_to(tmp_path).as_posix()}"


@pytest.mark.parametrize("is_old", [False, True])
def test_a_write_in_place_is_seen(tmp_path: Path, index: FileIndex, is_old: object) -> None:
    folder = add(tmp_path, content="one")
    if is_old:
        settled(folder)
    index.refresh()
    state = (folder / "content.txt").stat()
    (folder / "content.txt").write_text("two")
    os.utime(folder / "content.txt", ns=(state.st_atime_ns, state.st_mtime_ns))
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert previews(index) == {"Writer": "two"}


def test_only_the_content_counts_as_edited_outside(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, content="one")
    assert not is_edited(index)
    meta = json.loads((folder / "meta.json").read_text())
    write(folder / "meta.json", meta | {"status": "archived"})
    write_tags(folder, "new")
    index.refresh()
    assert not is_edited(index)
    (folder / "content.txt").write_text("two")
    index.refresh()
    assert is_edited(index)
    assert index.rebuild().changed == 1
    assert is_edited(index)
    add(tmp_path, version=2, content="two")
    index.refresh()
    entry = index.get("skill", "Writer")
    assert [v.edited_outside for v in entry.versions] == [True, False]
    assert not entry.edited_outside
    (folder / "content.txt").write_text("one")
    index.refresh()
    assert not index.get("skill", "Writer").versions[0].edited_outside


def test_a_moved_folder_brings_its_past_along(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, content="one")
    index.refresh()
    (folder / "content.txt").write_text("two")
    folder.parents[1].rename(tmp_path / "skills/other")
    assert counts(index.refresh()) == (1, 0, 1, 0)
    assert is_edited(index)


def test_a_document_that_was_broken_for_a_moment_changes_nothing(
    tmp_path: Path, index: FileIndex
) -> None:
    folder = add(tmp_path, content="one")
    index.refresh()
    meta = (folder / "meta.json").read_text()
    (folder / "meta.json").write_text("")
    (folder / "content.txt").write_text("two")
    index.refresh()
    (folder / "meta.json").write_text(meta)
    index.refresh()
    assert is_edited(index)


def test_cases_written_otherwise_are_the_same_cases(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, "b", content=["x"])
    index.refresh()
    cases = json.loads((folder / "cases.json").read_text())
    (folder / "cases.json").write_text(json.dumps(cases, indent=4))
    index.refresh()
    assert not index.get("baseline", "b").edited_outside
    write_cases(folder, ["y"])
    index.refresh()
    assert index.get("baseline", "b").edited_outside


def packaged(workspace: Path) -> Path:
    folder = add(workspace, content="one")
    for name in ("SKILL.md", "scripts/run.py", "evals/evals.json"):
        (folder / "package" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "package" / name).write_text("one")
    return folder


@pytest.mark.parametrize(
    "edit",
    [
        lambda package: (package / "scripts/run.py").write_text("two"),
        lambda package: (package / "evals/evals.json").unlink(),
        lambda package: (package / "scripts/new.py").write_text(""),
        lambda package: (package / "scripts").rename(package / "tools"),
    ],
)
def test_an_edit_anywhere_in_a_package_is_seen(
    tmp_path: Path, index: FileIndex, edit: Callable[[Path], object]
) -> None:
    package = packaged(tmp_path) / "package"
    index.refresh()
    assert index.get("skill", "Writer").is_package
    (package / "__pycache__").mkdir()
    (package / "link").symlink_to(tmp_path)
    index.refresh()
    assert not is_edited(index)
    edit(package)
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert is_edited(index)


def test_a_package_that_lost_its_entry_is_named_until_it_is_back(
    tmp_path: Path, index: FileIndex
) -> None:
    entry = packaged(tmp_path) / "package/SKILL.md"
    entry.rename(entry.with_name("SKILL"))
    index.refresh()
    assert [found.reason for found in index.broken()] == ["package: no SKILL.md"]
    settled(entry.parents[1])
    index.refresh()
    entry.with_name("SKILL").rename(entry)
    index.refresh()
    assert index.broken() == []


def recorded(folder: Path, diff: dict[str, JsonValue]) -> None:
    write(
        folder / "history/v1_to_v2_20240101120000.json",
        {
            "from_version": "v1",
            "to_version": "v2",
            "timestamp": MOMENT,
            "changed_fields": [*diff],
            "diff": diff,
        },
    )


def change(after: JsonValue) -> JsonValue:
    return {"before": None, "after": after}


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        ({"content": change("one")}, False),
        ({"content": change("other")}, True),
        ({"meta": {"name": change("x")}}, False),
        ({"package/scripts/run.py": change(digest_bytes(b"one"))}, False),
        ({"package/scripts/run.py": change(digest_bytes(b"two"))}, True),
        ({"package/gone.py": change(None)}, False),
        ({"package/gone.py": change("some")}, True),
        ({"content": change(7), "rubric": change(None), "executables": change([])}, False),
    ],
)
def test_a_new_index_asks_the_history(
    tmp_path: Path, index: FileIndex, diff: dict[str, JsonValue], expected: object
) -> None:
    folder = packaged(tmp_path)
    meta = json.loads((folder / "meta.json").read_text())
    write(folder / "meta.json", meta | {"version": "v2"})
    recorded(folder, diff)
    assert is_edited(index) is expected
    index.refresh()
    assert is_edited(index) is expected


def test_the_history_of_cases_is_asked_too(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, "b", 2, content=["x"])
    (case,) = json.loads((folder / "cases.json").read_text())["cases"]
    recorded(folder, {"cases": {"case_001": change(case), "case_002": change(None)}})
    assert not index.get("baseline", "b").edited_outside
    other = add(tmp_path, "c", 2, content=["x"])
    recorded(other, {"cases": {"case_001": change(case | {"input": "was"})}})
    index.refresh()
    assert index.get("baseline", "c").edited_outside


def test_a_content_that_differs_from_its_package_was_edited(
    tmp_path: Path, index: FileIndex
) -> None:
    folder = packaged(tmp_path)
    (folder / "package/SKILL.md").write_text("two")
    assert is_edited(index)
    assert previews(index) == {"Writer": "two"}
    (folder / "package/SKILL.md").write_text("one")
    index.refresh()
    assert not is_edited(index)


NAMES = st.sampled_from(["a", "b", "c"])
STEPS = st.one_of(
    st.tuples(st.just("add"), NAMES, st.integers(1, 3), st.text(max_size=5)),
    st.tuples(st.just("edit"), NAMES, st.integers(1, 3), st.text(max_size=5)),
    st.tuples(st.just("tag"), NAMES, st.integers(1, 3), st.sampled_from(["x", "y"])),
    st.tuples(st.just("break"), NAMES, st.integers(1, 3), st.just("")),
    st.tuples(st.just("drop"), NAMES, st.integers(1, 3), st.just("")),
    st.tuples(st.just("look"), NAMES, st.just(1), st.just("")),
)


def step(workspace: Path, kind: str, name: str, version: int, text: str) -> None:
    folder = workspace / f"skills/code/me/skill_{identity(name)[:8]}_v{version}"
    if kind == "add":
        add(workspace, name, version, "", description=text)
        (folder / "content.txt").write_bytes(text.encode())
    elif not folder.exists():
        return
    elif kind == "edit":
        (folder / "content.txt").write_bytes(text.encode())
    elif kind == "tag":
        write_tags(folder, text)
    elif kind == "break":
        (folder / "meta.json").write_text("{")
    elif kind == "drop":
        shutil.rmtree(folder)


@pytest.mark.slow
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, max_size=12))
def test_the_index_is_what_a_walk_finds(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, int, str]]
) -> None:
    workspace = tmp_path_factory.mktemp("library")
    index = FileIndex(workspace)
    try:
        for one in steps:
            if one[0] == "look":
                index.refresh()
            step(workspace, *one)
        index.refresh()
        shelf = library.skills(workspace)
        assert len(index.broken()) == len(shelf.problems)
        entries = {entry.meta.id: entry for entry in index.skills(ALL).items}
        assert entries.keys() == {asset.meta.id for asset in shelf.assets}
        for found in entries.values():
            newest = shelf.find(found.meta.id)
            assert (found.meta, workspace / found.folder) == (newest.meta, newest.folder)
            text = (newest.folder / "content.txt").read_bytes().decode().removeprefix("\ufeff")
            assert found.content_preview == text
            tags = json.loads((newest.folder / "tags.json").read_text())["manual"]
            assert found.tags == tuple(tag["value"] for tag in tags)
            folders = {a.folder for a in shelf.assets if a.meta.id == found.meta.id}
            assert {workspace / version.folder for version in found.versions} == folders
    finally:
        index.close()
