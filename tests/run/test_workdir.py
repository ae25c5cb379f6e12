"""The folders of an execution: fresh, filled, gone afterwards; and what is kept of them."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.run.agents import content, files, skill, spec
from whet.app.clock import SystemClock
from whet.core.errors import EnvironmentProblem, NotFound
from whet.core.files import FileRef
from whet.core.trial import TrialSpec
from whet.ports.workdir import Workdir
from whet.run import workdir as module
from whet.run.workdir import Scratch, keep
from whet.stores.memory import MemoryStore

INPUTS = {"data/in.csv": b"1,2", "notes.md": "磨刀".encode()}


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(lambda _owner: True, SystemClock())


@pytest.fixture
def trial(store: MemoryStore) -> TrialSpec:
    package = skill(files({"content.txt": b"Be sharp.", "lib/tool.py": b"pass"}, store.blobs))
    return spec(given=files(INPUTS, store.blobs), skill=package)


def tree(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_an_execution_gets_its_inputs_and_beside_them_the_skill(
    store: MemoryStore, scratch: Path, trial: TrialSpec
) -> None:
    with Scratch(scratch, store.blobs).workdir("one", trial) as folder:
        assert tree(folder.work) == INPUTS
        assert folder.skill is not None
        assert tree(folder.skill) == {"content.txt": b"Be sharp.", "lib/tool.py": b"pass"}
        assert not folder.skill.is_relative_to(folder.work)
        assert folder.root == scratch / "one"
        assert {folder.work.parent, folder.skill.parent} == {folder.root}


def test_without_a_skill_there_is_no_skill_folder(store: MemoryStore, scratch: Path) -> None:
    with Scratch(scratch, store.blobs).workdir("one", spec()) as folder:
        assert folder.skill is None
        assert tree(folder.root) == {}
        assert sorted(path.name for path in folder.root.iterdir()) == ["work"]


def test_executions_do_not_see_each_other(
    store: MemoryStore, scratch: Path, trial: TrialSpec
) -> None:
    root = Scratch(scratch, store.blobs)
    with root.workdir("one", trial) as one, root.workdir("two", trial) as two:
        (one.work / "notes.md").write_text("changed")
        assert tree(two.work) == INPUTS
    with root.workdir("three", trial) as three:
        assert tree(three.work) == INPUTS


def test_the_scratch_root_is_ours_alone_and_new(store: MemoryStore, scratch: Path) -> None:
    root = Scratch(scratch, store.blobs)
    assert scratch.stat().st_mode & 0o777 == 0o700
    with pytest.raises(EnvironmentProblem, match="cannot make the scratch folder"):
        Scratch(scratch, store.blobs)
    root.close()
    assert not scratch.exists()


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_the_folder_is_gone_afterwards_whatever_happens(
    store: MemoryStore, scratch: Path, trial: TrialSpec, error: type[BaseException]
) -> None:
    def work() -> None:
        with Scratch(scratch, store.blobs).workdir("one", trial) as folder:
            (folder.root / "home").mkdir()
            (folder.root / "home" / "link").symlink_to("/etc")
            raise error

    with pytest.raises(error):
        work()
    assert list(scratch.iterdir()) == []
    assert Path("/etc/passwd").exists()


def test_a_folder_that_could_not_be_filled_is_gone_too(store: MemoryStore, scratch: Path) -> None:
    root = Scratch(scratch, store.blobs)
    lost = FileRef(path="lost.txt", digest="0" * 64, size=1)
    with pytest.raises(NotFound), root.workdir("one", spec(given=(lost,))):
        pass
    clash = files({"a": b"file", "a/b": b"below a file"}, store.blobs)
    with (
        pytest.raises(EnvironmentProblem, match="cannot fill the folder"),
        root.workdir("two", spec(given=clash)),
    ):
        pass
    assert list(scratch.iterdir()) == []


def folders(root: Path) -> Workdir:
    (root / "work").mkdir(parents=True)
    return Workdir(root, root / "work", None)


def test_created_and_changed_files_are_kept_and_told_apart(
    store: MemoryStore, tmp_path: Path
) -> None:
    given = files({"same.txt": b"same", "old.txt": b"old", "gone.txt": b"gone"}, store.blobs)
    where = folders(tmp_path)
    (where.work / "same.txt").write_bytes(b"same")
    (where.work / "old.txt").write_bytes(b"new")
    (where.work / "sub").mkdir()
    (where.work / "sub" / "new.bin").write_bytes(b"\0\xff")
    (where.root / "outside.txt").write_text("not in work")
    kept = keep(where, given)
    assert kept.files == {"old.txt": b"new", "sub/new.bin": b"\0\xff"}
    assert kept.created == ("sub/new.bin",)
    assert kept.modified == ("old.txt",)
    assert not kept.cut
    assert kept.refs() == (
        FileRef(path="old.txt", digest=content(b"new"), size=3),
        FileRef(path="sub/new.bin", digest=content(b"\0\xff"), size=2),
    )


def test_links_and_other_odd_things_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    where = folders(tmp_path / "execution")
    (where.work / "link.txt").symlink_to(tmp_path / "secret.txt")
    (where.work / "etc").symlink_to("/etc", target_is_directory=True)
    (where.work / "loop").symlink_to(where.work, target_is_directory=True)
    (where.work / "broken").symlink_to("nowhere")
    os.mkfifo(where.work / "pipe")
    (where.work / "real.txt").write_text("real")
    assert keep(where, ()).files == {"real.txt": b"real"}


@pytest.mark.slow
def test_more_files_than_are_kept_are_cut(tmp_path: Path) -> None:
    where = folders(tmp_path)
    for number in range(module.MOST_FILES + 3):
        (where.work / f"{number:05}").touch()
    kept = keep(where, ())
    assert len(kept.files) == module.MOST_FILES
    assert kept.cut


def test_a_file_too_large_is_cut_and_smaller_ones_are_kept(tmp_path: Path) -> None:
    where = folders(tmp_path)
    with (where.work / "a-huge").open("wb") as sparse:
        sparse.truncate(module.MOST_BYTES + 1)
    (where.work / "b-small").write_text("small")
    kept = keep(where, ())
    assert kept.files == {"b-small": b"small"}
    assert kept.cut


def test_together_they_may_not_be_too_large_either(tmp_path: Path) -> None:
    where = folders(tmp_path)
    for name in "abc":
        with (where.work / name).open("wb") as sparse:
            sparse.truncate(module.MOST_BYTES // 2)
    kept = keep(where, ())
    assert list(kept.files) == ["a", "b"]
    assert kept.cut


def test_an_agent_that_removes_its_folder_leaves_nothing(tmp_path: Path) -> None:
    where = folders(tmp_path)
    where.work.rmdir()
    kept = keep(where, ())
    assert kept.files == {}


def test_names_that_are_no_paths_are_cut(tmp_path: Path) -> None:
    r"""A\b.txt is a path elsewhere, and what is not UTF-8 cannot be written into any document."""
    where = folders(tmp_path)
    (where.work / "a\\b.txt").write_text("backslash")
    Path(os.fsdecode(bytes(where.work) + b"/\xff.txt")).write_text("not UTF-8")
    (where.work / "good.txt").write_text("good")
    kept = keep(where, ())
    assert kept.files == {"good.txt": b"good"}
    assert kept.cut


def nest(folder: Path, depth: int) -> None:
    """So many folders in each other, with a file in the last one."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


@pytest.mark.slow
def test_folders_may_be_nested_deeply(store: MemoryStore, scratch: Path) -> None:
    root = Scratch(scratch, store.blobs)
    with root.workdir("one", spec()) as folder:
        nest(folder.work, 1200)
        kept = keep(folder, ())
    assert list(kept.files.values()) == [b""]
    assert not kept.cut
    assert list(scratch.iterdir()) == []


@pytest.mark.slow
def test_folders_nested_deeper_than_a_path_can_say_are_cut(
    store: MemoryStore, scratch: Path
) -> None:
    root = Scratch(scratch, store.blobs)
    try:
        with root.workdir("one", spec()) as folder:
            nest(folder.work, 3000)
            kept = keep(folder, ())
    finally:
        subprocess.run(["rm", "-rf", scratch], check=True)
    assert kept.files == {}
    assert kept.cut


def test_what_the_agent_removed_is_told(
    store: MemoryStore, scratch: Path, trial: TrialSpec
) -> None:
    with Scratch(scratch, store.blobs).workdir("one", trial) as folder:
        assert keep(folder, trial.stimulus.files).deleted == ()
        (folder.work / "notes.md").rename(folder.work / "data/notes.md")
        kept = keep(folder, trial.stimulus.files)
        assert (kept.deleted, kept.created) == (("notes.md",), ("data/notes.md",))
        (folder.work / "data/in.csv").unlink()
        (folder.work / "data/in.csv").symlink_to("/etc/hostname")
        assert keep(folder, trial.stimulus.files).deleted == ("data/in.csv", "notes.md")
