"""Turns of one conversation share a path, and begin with what the turn before them left."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from tests.run.agents import answers, files, runner, skill, spec
from whet.app.clock import SystemClock
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.redaction import NOTHING, redactor
from whet.core.trial import TrialSpec
from whet.ports.store import Store
from whet.run.lodging import Stay, lodged, preserve
from whet.run.workdir import keep, remove
from whet.stores.memory import MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(lambda _owner: True, SystemClock())


@pytest.fixture
def trial(store: Store) -> TrialSpec:
    package = skill(files({"content.txt": b"Be sharp."}, store.blobs))
    return spec(given=files({"uploads/a": b"A"}, store.blobs), skill=package)


def test_a_turn_begins_with_what_the_one_before_left(
    store: Store, trial: TrialSpec, tmp_path: Path
) -> None:
    stay = Stay(root=tmp_path / "root", folders=("artifacts",))
    kept = tmp_path / "kept" / "1"
    with lodged(stay, trial, store.blobs) as folder:
        assert (folder.work / "uploads/a").read_bytes() == b"A"
        assert list((folder.work / "artifacts").iterdir()) == []
        (folder.work / "artifacts/x").write_bytes(b"one")
        (folder.work / "run.sh").write_bytes(b"#!")
        (folder.work / "run.sh").chmod(0o755)
        (folder.work / "link").symlink_to("/etc")
        (folder.root / "home/deep").mkdir(parents=True)
        (folder.root / "home/deep/memory").write_bytes(b"I know")
        (folder.root / "tmp").mkdir()
        preserve(folder, kept, NOTHING)
    assert not stay.root.exists()
    later = Stay(root=stay.root, origin=kept)
    new = trial.model_copy(
        update={
            "stimulus": trial.stimulus.model_copy(
                update={"files": files({"uploads/b": b"B"}, store.blobs)}
            )
        }
    )
    for _ in range(2):  # the same, however often the turn is taken
        with lodged(later, new, store.blobs) as folder:
            assert folder.root == stay.root
            assert (folder.work / "artifacts/x").read_bytes() == b"one"
            assert (folder.work / "uploads/a").read_bytes() == b"A"
            assert (folder.work / "uploads/b").read_bytes() == b"B"
            assert os.access(folder.work / "run.sh", os.X_OK)
            assert (folder.work / "link").is_symlink()
            assert (folder.root / "home/deep/memory").read_bytes() == b"I know"
            assert not (folder.root / "tmp").exists()
            (folder.work / "artifacts/x").write_bytes(b"changed")


def test_no_secret_and_nothing_odd_is_kept(store: Store, trial: TrialSpec, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    with lodged(Stay(root=tmp_path / "root"), trial, store.blobs) as folder:
        (folder.root / "home").mkdir()
        (folder.root / "home/login.json").write_text('{"token": "sk-very-secret-1234"}')
        os.mkfifo(folder.work / "pipe")
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(folder.work / "s"))
        preserve(folder, kept, redactor(("sk-very-secret-1234",)))
        server.close()
    assert "very-secret" not in (kept / "home/login.json").read_text()
    assert sorted(path.name for path in (kept / "work").iterdir()) == ["uploads"]
    assert kept.stat().st_mode & 0o077 == 0


def test_too_much_is_not_kept(
    store: Store, trial: TrialSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whet.run.lodging.MOST_BYTES", 10)
    with lodged(Stay(root=tmp_path / "root"), trial, store.blobs) as folder:
        (folder.work / "large").write_bytes(b"x" * 11)
        with pytest.raises(EnvironmentProblem, match="keep the folder"):
            preserve(folder, tmp_path / "kept", NOTHING)
    assert not (tmp_path / "kept").exists()


def test_what_a_killed_process_left_is_cleared_and_links_are_not_followed(
    store: Store, trial: TrialSpec, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "precious").write_bytes(b"!")
    root = tmp_path / "root"
    root.mkdir()
    (root / "way out").symlink_to(mine)
    (root / "work").mkdir()
    (root / "work/old").write_bytes(b"old")
    (root / "stray").write_bytes(b"")
    with lodged(Stay(root=root), trial, store.blobs) as folder:
        assert sorted(path.name for path in folder.root.iterdir()) == ["skill", "work"]
        assert not (folder.work / "old").exists()
    assert (mine / "precious").read_bytes() == b"!"


@pytest.mark.parametrize(
    "in_the_way",
    ["uploads", "uploads/replies", "uploads/replies/1", "uploads/replies/1/key", "artifacts"],
)
@pytest.mark.parametrize("kind", ["link", "dangling", "file", "folder"])
def test_what_an_agent_leaves_where_files_come_next_leads_nowhere(
    store: Store, trial: TrialSpec, tmp_path: Path, in_the_way: str, kind: str
) -> None:
    """Between two turns it may replace folders by links: the next files are laid by us, and we may
    write where it may not."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "key").write_bytes(b"mine")
    kept = tmp_path / "kept"
    with lodged(Stay(root=tmp_path / "root"), trial, store.blobs) as folder:
        place = folder.work / in_the_way
        remove(str(place))
        place.parent.mkdir(parents=True, exist_ok=True)
        match kind:
            case "link":
                place.symlink_to(mine / "key" if in_the_way.endswith("key") else mine)
            case "dangling":
                place.symlink_to(mine / "new")
            case "file":
                place.write_bytes(b"theirs")
            case _:
                place.mkdir()
        preserve(folder, kept, NOTHING)
    given = files({"uploads/replies/1/key": b"reply"}, store.blobs)
    new = trial.model_copy(update={"stimulus": trial.stimulus.model_copy(update={"files": given})})
    later = Stay(root=tmp_path / "root", folders=("artifacts",), origin=kept)
    with lodged(later, new, store.blobs) as folder:
        assert (folder.work / "uploads/replies/1/key").read_bytes() == b"reply"
        assert (folder.work / "uploads/replies/1/key").resolve().is_relative_to(folder.work)
        assert (folder.work / "artifacts").is_dir()
        assert not (folder.work / "artifacts").is_symlink()
    assert {path.name: path.read_bytes() for path in mine.iterdir()} == {"key": b"mine"}


def test_a_working_folder_that_became_a_link_is_not_followed(
    store: Store, trial: TrialSpec, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "key").write_bytes(b"mine")
    with lodged(Stay(root=tmp_path / "root"), trial, store.blobs) as folder:
        remove(str(folder.work))
        folder.work.symlink_to(mine)
        found = keep(folder, trial.stimulus.files)
        preserve(folder, tmp_path / "kept", NOTHING)
    assert (found.files, found.cut) == ({}, True)
    assert list((tmp_path / "kept/work").iterdir()) == []
    assert (mine / "key").read_bytes() == b"mine"


def test_two_are_never_in_one_folder(store: Store, trial: TrialSpec, tmp_path: Path) -> None:
    stay = Stay(root=tmp_path / "root")
    with (
        lodged(stay, trial, store.blobs),
        pytest.raises(EnvironmentProblem, match="another process"),
        lodged(stay, trial, store.blobs),
    ):
        pass


def test_an_agent_that_forgets_cannot_go_on(store: Store, trial: TrialSpec, tmp_path: Path) -> None:
    run, _ = runner(store, tmp_path / "scratch", answers)
    handled = asyncio.run(run(trial, Stay(root=tmp_path / "root", conversation="c")))
    assert isinstance(handled.error, UsageError)
    assert "cannot go on" in str(handled.error)
