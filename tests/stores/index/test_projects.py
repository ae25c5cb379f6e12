"""The index follows projects, whoever wrote them."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.stores.index.libraries import add, counts, identity, settled, write
from tests.stores.index.tested import (
    add_project,
    change,
    ranking,
    told,
    write_config,
    write_summary,
)
from whet.stores.index import FileIndex
from whet.stores.index.project import MOST_SUMMARY
from whet.stores.index.schema import STAMP

ONE = ("One", "Writer@v1", "Tests@v1", 80)
TWO = ("Two", "Writer@v1", "Tests@v1", 80)
SUMMARY = "results/summary.json"


def test_what_comes_and_goes_is_counted(tmp_path: Path, index: FileIndex) -> None:
    first = add_project(tmp_path, "One")
    assert counts(index.refresh()) == (1, 0, 0, 0)
    second = add_project(tmp_path, "Two")
    assert counts(index.refresh()) == (1, 0, 0, 0)
    assert counts(index.refresh()) == (0, 0, 0, 0)
    assert sorted(told(index)) == [ONE, TWO]
    write_summary(first, "One", {"Writer": 90, "Stranger": 99}, ["Tests"])
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert sorted(told(index)) == [("One", "Writer@v1", "Tests@v1", 90), TWO]
    shutil.rmtree(second)
    assert counts(index.refresh()) == (0, 0, 1, 0)
    (first / SUMMARY).unlink()
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert told(index) == []
    assert index.test_summaries([identity("Writer")]) == {}


def test_only_a_project_with_a_summary_counts(tmp_path: Path, index: FileIndex) -> None:
    folder = tmp_path / "projects/project_one_1"
    write_config(folder, "One", ["Writer"], ["Tests"])
    assert counts(index.refresh()) == (1, 0, 0, 0)
    assert told(index) == []
    (folder / "results").mkdir()
    index.refresh()
    assert told(index) == []
    write_summary(folder, "One", {"Writer": 80}, ["Tests"])
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert told(index) == [ONE]
    change(folder / "config.json", name="Other", status="running")
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert told(index) == [("Other", *ONE[1:])]


def beyond(folder: Path) -> None:
    change(folder / SUMMARY, ranking=ranking({"Writer": 100.1}))


def below(folder: Path) -> None:
    change(folder / SUMMARY, ranking=ranking({"Writer": -1}))


def huge(folder: Path) -> None:
    change(folder / SUMMARY, ranking=ranking({"Writer": 10**400}))


def twice(folder: Path) -> None:
    change(folder / SUMMARY, ranking=ranking({"Writer": 1}) + ranking({"Writer": 2}))


def foreign(folder: Path) -> None:
    change(folder / SUMMARY, project_id="other")


def nameless(folder: Path) -> None:
    change(folder / "config.json", id="")


def together(folder: Path) -> None:
    write_config(folder, "One", ["Writer"], ["Tests", "More"])


def cut_off(folder: Path) -> None:
    (folder / SUMMARY).write_text('{"project_id": ')


def no_configuration(folder: Path) -> None:
    (folder / "config.json").unlink()


def too_large(folder: Path) -> None:
    (folder / SUMMARY).write_bytes(b" " * (MOST_SUMMARY + 1))


def no_number(folder: Path) -> None:
    text = (folder / SUMMARY).read_text()
    (folder / SUMMARY).write_text(text.replace("80", "NaN"))


def piped(folder: Path) -> None:
    (folder / SUMMARY).unlink()
    os.mkfifo(folder / SUMMARY)


def linked(folder: Path) -> None:
    (folder / SUMMARY).rename(folder.parents[1] / "summary.json")
    (folder / SUMMARY).symlink_to(folder.parents[1] / "summary.json")


def linked_above(folder: Path) -> None:
    (folder / "results").rename(folder.parents[1] / "results")
    (folder / "results").symlink_to(folder.parents[1] / "results")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (beyond, "results/summary.json: ranking: has a score outside 0 to 100"),
        (below, "results/summary.json: ranking: has a score outside 0 to 100"),
        (huge, "results/summary.json: "),
        (twice, "results/summary.json: ranking: has a version of a skill twice"),
        (foreign, "results/summary.json: project_id: is that of another project"),
        (nameless, "config.json: id: must not be empty"),
        (together, "results/summary.json: by_baseline: is missing"),
        (cut_off, "results/summary.json: line 1, column 15: broken JSON"),
        (no_configuration, "config.json: no such file"),
        (too_large, "results/summary.json: more than"),
        (no_number, "results/summary.json: "),
        (piped, "results/summary.json: is no file"),
        (linked, "results/summary.json: Too many levels of symbolic links"),
        (linked_above, "results: is a link, which is not followed"),
    ],
)
def test_a_broken_project_is_named_and_hurts_nothing_else(
    tmp_path: Path, index: FileIndex, spoil: Callable[[Path], None], reason: str
) -> None:
    add(tmp_path, "Writer")
    folder = add_project(tmp_path, "One")
    add_project(tmp_path, "Two")
    index.refresh()
    assert sorted(told(index)) == [ONE, TWO]
    spoil(folder)
    assert index.refresh().broken == 1
    (found,) = index.broken()
    assert found.path == folder.relative_to(tmp_path).as_posix()
    assert found.reason.startswith(reason)
    assert told(index) == [TWO]
    assert index.test_summaries([identity("Writer")])[identity("Writer")].test_count == 1
    shutil.rmtree(folder)
    add_project(tmp_path, "One")
    assert index.refresh().broken == 0
    assert sorted(told(index)) == [ONE, TWO]


def test_what_is_no_folder_of_a_project_is_left_alone(tmp_path: Path, index: FileIndex) -> None:
    inside = add_project(tmp_path / "elsewhere", "One")
    shelf = tmp_path / "projects"
    shelf.mkdir()
    (shelf / "project_linked").symlink_to(inside)
    (shelf / ".new-1234").mkdir()
    (shelf / "notes").mkdir()
    (shelf / "project_file").write_text("")
    (shelf / os.fsdecode(b"project_\xff")).mkdir()
    assert told(index) == []
    assert {found.path: found.reason for found in index.broken()} == {
        "projects/project_linked": "is a link, which is not followed",
        "projects/project_\\xff": "its name is no UTF-8",
    }
    assert counts(index.refresh()) == (0, 0, 0, 2)


def test_a_project_in_two_folders_counts_once(tmp_path: Path, index: FileIndex) -> None:
    first = add_project(tmp_path, "One")
    second = shutil.copytree(first, first.with_name("project_A"))
    change(second / "config.json", name="Copy")
    assert told(index) == [("Copy", *ONE[1:])]
    (found,) = index.broken()
    assert found.path == first.relative_to(tmp_path).as_posix()
    assert found.reason == "the same project as projects/project_A"
    (second / SUMMARY).unlink()
    index.refresh()
    assert told(index) == [ONE]
    assert index.broken() == []
    write_summary(second, "One", {"Writer": 7}, ["Tests"])
    index.refresh()
    assert told(index) == [("Copy", "Writer@v1", "Tests@v1", 7)]
    shutil.rmtree(second)
    index.refresh()
    assert told(index) == [ONE]


def test_a_folder_that_becomes_another_project_leaves_nothing_behind(
    tmp_path: Path, index: FileIndex
) -> None:
    folder = add_project(tmp_path, "One")
    index.refresh()
    write_config(folder, "Two", ["Writer"], ["Tests"])
    write_summary(folder, "Two", {"Writer": 80}, ["Tests"])
    index.refresh()
    assert told(index) == [TWO]
    folder.rename(folder.with_name("project_moved"))
    assert counts(index.refresh()) == (1, 0, 1, 0)
    assert told(index) == [TWO]


@pytest.mark.parametrize("is_old", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_write_in_place_is_seen(tmp_path: Path, index: FileIndex, is_old: object) -> None:
    folder = add_project(tmp_path, "One")
    if is_old:
        settled(folder)
    index.refresh()
    state = (folder / SUMMARY).stat()
    text = (folder / SUMMARY).read_text()
    (folder / SUMMARY).write_text(text.replace("80", "81"))
    os.utime(folder / SUMMARY, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert told(index) == [(*ONE[:3], 81)]


def test_a_rebuilt_index_says_the_same(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "Writer", 2)
    folder = add_project(tmp_path, "One", {"Writer": 80, "b": None}, ("Tests", "More"))
    write(add_project(tmp_path, "Two") / "config.json", {})
    shutil.copytree(folder, folder.with_name("project_copy"))
    before = told(index), index.broken(), index.test_summaries([identity("Writer")])
    assert (len(before[0]), len(before[1])) == (4, 2)
    with closing(sqlite3.connect(tmp_path / "index.db")) as database, database:
        database.execute("UPDATE results SET project = 'nobody'")
    index.rebuild()
    assert (told(index), index.broken(), index.test_summaries([identity("Writer")])) == before
    (tmp_path / "index.db").unlink()
    assert (told(index), index.broken(), index.test_summaries([identity("Writer")])) == before


def test_an_index_from_before_there_were_results_is_made_anew(
    tmp_path: Path, index: FileIndex
) -> None:
    add_project(tmp_path, "One")
    index.refresh()
    index.close()
    with closing(sqlite3.connect(tmp_path / "index.db")) as database, database:
        database.execute("DELETE FROM results")
        database.execute("UPDATE about SET stamp = ?", (f"1, {STAMP.partition(', ')[2]}",))
    assert told(index) == [ONE]
