"""The index follows the files, whoever wrote them."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.stores.index.libraries import ALL, add, counts, identity, previews, settled, write_tags
from whet.core.errors import NotFound
from whet.stores.index import FileIndex
from whet.stores.index.folder import read_folder


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
        ("meta.json", "{}", "meta.json: id: is required"),
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
    (shelf / os.fsdecode(b"skill_\xff_v1")).mkdir()
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


@pytest.mark.parametrize("is_old", [False, pytest.param(True, marks=pytest.mark.slow)])
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


def test_what_was_young_is_read_again_though_nothing_seems_to_differ(
    tmp_path: Path, index: FileIndex
) -> None:
    folder = add(tmp_path, content="one")
    index.refresh()
    (folder / "content.txt").write_text("two")
    # As on a file system whose clock has not ticked between the two.
    same = read_folder(str(folder), "skill")
    assert same.is_young
    with closing(sqlite3.connect(tmp_path / "index.db")) as database, database:
        database.execute("UPDATE versions SET is_young = 0, stamps = ?", (same.stamps,))
    assert counts(index.refresh()) == (0, 0, 0, 0)
    with closing(sqlite3.connect(tmp_path / "index.db")) as database, database:
        database.execute("UPDATE versions SET is_young = 1")
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert previews(index) == {"Writer": "two"}


@pytest.mark.slow
def test_what_has_settled_is_not_young(tmp_path: Path) -> None:
    folder = add(tmp_path, content="one")
    settled(folder)
    assert not read_folder(str(folder), "skill").is_young


def test_whoever_wrote_a_folder_has_it_followed_alone(tmp_path: Path, index: FileIndex) -> None:
    first = add(tmp_path, "a", content="one")
    add(tmp_path, "b", content="other")
    index.refresh()
    second = add(tmp_path, "a", version=2, content="two")
    (first / "content.txt").write_text("edited")
    add(tmp_path, "c")
    index.look_at(second.relative_to(tmp_path).as_posix())
    found = index.get("skill", "a")
    assert (found.meta.version, found.content_preview) == ("v2", "two")
    assert [one.edited_outside for one in found.versions] == [False, False]
    with pytest.raises(NotFound):
        index.get("skill", "c")
    assert (index.refresh().added, index.get("skill", "c").meta.name) == (1, "c")
    assert [one.edited_outside for one in index.get("skill", "a").versions] == [True, False]


def test_an_empty_index_is_filled_before_one_folder_is_followed(
    tmp_path: Path, index: FileIndex
) -> None:
    add(tmp_path, "a")
    index.look_at(add(tmp_path, "b").relative_to(tmp_path).as_posix())
    assert index.get("skill", "a").meta.name == "a"


def test_a_twin_that_is_gone_is_no_longer_named(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "a", purpose="one")
    twin = add(tmp_path, "a", purpose="two")
    (found,) = index.broken()
    assert (found.path, found.reason.split()[-1]) == (
        twin.relative_to(tmp_path).as_posix(),
        f"skills/one/me/{twin.name}",
    )
    index.rebuild()
    assert len(index.broken()) == 1
    twin.rename(tmp_path / "away")
    index.refresh()
    assert index.broken() == []
