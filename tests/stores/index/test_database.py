"""``index.db`` may be deleted, damaged and shared at any time."""

import sqlite3
import threading
from pathlib import Path

import pytest

from tests.stores.index.libraries import add
from tests.stores.processes import programs
from whet.core.asset_query import AssetQuery
from whet.core.errors import EnvironmentProblem
from whet.ports.listing import TextQuery
from whet.stores.index import FileIndex

EVERY = AssetQuery(page_size=200)

FOLLOW = """
import pathlib, sys
from tests.stores.index.libraries import add
from whet.core.asset_query import AssetQuery
from whet.ports.listing import TextQuery
from whet.stores.index import FileIndex

workspace, mine = pathlib.Path(sys.argv[1]), sys.argv[2]
index = FileIndex(workspace)
print("ready", flush=True)
sys.stdin.readline()
for number in range(12):
    folder = add(workspace, f"{mine}{number}", content=f"text {mine} {number}")
    index.refresh()
    assert index.get("skill", f"{mine}{number}").meta.name == f"{mine}{number}"
    (folder / "content.txt").write_text(f"edited {mine} {number}")
    index.refresh()
    assert index.search(TextQuery(f"edited {mine} {number}")).total >= 1
index.close()
print("done", flush=True)
sys.stdin.readline()
"""


def names(index: FileIndex) -> list[str]:
    return sorted(entry.meta.name for entry in index.skills(EVERY).items)


def test_it_fills_itself_whenever_it_is_gone(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "a", content="needle")
    assert names(index) == ["a"]
    (tmp_path / "index.db").unlink()
    assert index.search(TextQuery("needle")).total == 1
    for suffix in ("", "-wal", "-shm"):
        (tmp_path / f"index.db{suffix}").unlink()
    assert index.refresh().added == 1


@pytest.mark.parametrize(
    "junk", [b"", b"no database at all" * 500, b"SQLite format 3\0" + b"x" * 5000]
)
def test_what_is_no_index_is_thrown_away(tmp_path: Path, junk: bytes) -> None:
    add(tmp_path, "a")
    (tmp_path / "index.db").write_bytes(junk)
    index = FileIndex(tmp_path)
    assert names(index) == ["a"]
    index.close()


@pytest.mark.parametrize("offset", [0, 4096, 8192, 40_000])
def test_a_damaged_index_is_made_anew(tmp_path: Path, offset: int) -> None:
    for number in range(30):
        add(tmp_path, f"n{number}", content="some needle " * 20)
    index = FileIndex(tmp_path)
    index.refresh()
    index.close()
    with (tmp_path / "index.db").open("r+b") as file:
        file.seek(offset)
        file.write(b"\xff" * 4096)
    index = FileIndex(tmp_path)
    index.refresh()
    assert len(names(index)) == 30
    assert index.search(TextQuery("needle")).total == 30
    index.rebuild()
    assert index.search(TextQuery("needle")).total == 30
    index.close()


def test_a_database_of_another_make_is_made_anew(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "a")
    for statement in ("UPDATE about SET stamp = 'other'", "DROP TABLE shown"):
        index.refresh()
        index.close()
        database = sqlite3.connect(tmp_path / "index.db")
        database.execute(statement)
        database.commit()
        database.close()
        assert names(index) == ["a"]
    with sqlite3.connect(tmp_path / "index.db") as database:
        assert database.execute("SELECT count(*) FROM shown").fetchone() == (1,)
    database.close()


def test_a_place_that_cannot_hold_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "index.db").mkdir()
    index = FileIndex(tmp_path)
    with pytest.raises(EnvironmentProblem, match=r"index\.db"):
        index.refresh()
    index.close()
    (tmp_path / "file").write_text("")
    index = FileIndex(tmp_path / "file")
    with pytest.raises(EnvironmentProblem, match="file"):
        index.refresh()
    index.close()


def test_threads_share_it(tmp_path: Path, index: FileIndex) -> None:
    add(tmp_path, "a", content="needle")
    failures: list[BaseException] = []

    def ask(number: int) -> None:
        try:
            for each in range(5):
                add(tmp_path, f"t{number}-{each}")
                index.refresh()
                assert index.search(TextQuery("needle")).total == 1
                assert index.get("skill", f"t{number}-{each}")
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(names(index)) == 16


@pytest.mark.slow
def test_processes_share_it(tmp_path: Path) -> None:
    with programs(FOLLOW, *((tmp_path, mine) for mine in "xyz")) as three:
        assert [program.line() for program in three] == ["ready"] * 3
        for program in three:
            program.go()
        assert [program.line() for program in three] == ["done"] * 3
    index = FileIndex(tmp_path)
    index.refresh()
    entries = index.skills(EVERY).items
    assert len(entries) == 36
    assert all(entry.edited_outside for entry in entries)
    assert index.search(TextQuery("edited", page_size=200)).total == 36
    index.close()


@pytest.mark.slow
def test_one_that_is_killed_leaves_a_sound_index(tmp_path: Path) -> None:
    for number in range(40):
        add(tmp_path, f"n{number}", content="needle " * 500)
    build = "import pathlib, sys; from whet.stores.index import FileIndex\n"
    build += "print('go', flush=True); FileIndex(pathlib.Path(sys.argv[1])).refresh(); input()"
    for _ in range(3):
        with programs(build, (tmp_path,)) as (program,):
            assert program.line() == "go"
            program.kill()
    index = FileIndex(tmp_path)
    assert index.search(TextQuery("needle")).total == 40
    index.close()


def test_the_guard_is_no_way_to_other_files(tmp_path: Path) -> None:
    """A workspace may come from somebody else, with links in it."""
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "workspace/.locks").mkdir(parents=True)
    (tmp_path / "workspace/.locks/index").symlink_to(tmp_path / "precious")
    index = FileIndex(tmp_path / "workspace")
    with pytest.raises(EnvironmentProblem, match="cannot use"):
        index.refresh()
    index.close()
    assert (tmp_path / "precious").read_text() == "precious"


def test_the_guard_is_not_put_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace/.locks").symlink_to(tmp_path / "outside")
    index = FileIndex(tmp_path / "workspace")
    with pytest.raises(EnvironmentProblem, match="is a link"):
        index.refresh()
    index.close()
    assert list((tmp_path / "outside").iterdir()) == []
