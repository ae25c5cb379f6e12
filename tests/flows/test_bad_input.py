"""Bad input and bad machines end in one clear line, and nothing is left half done."""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.flows.command import WHET, demo, environment, whet

pytestmark = pytest.mark.slow

USAGE, ENVIRONMENT = 2, 3


def assert_refused(done: subprocess.CompletedProcess[str], code: int, *says: str | Path) -> None:
    """One line on stderr that names what and where; nothing on stdout."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("whet: ")
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1, done.stderr
    for words in says:
        assert str(words) in done.stderr
    assert "None" not in done.stderr


def hidden(folder: Path) -> list[str]:
    """Temporary files and folders; those of owners and of locks have a dot as well, and so has the
    folder that long trials are followed in, which is empty once they are over."""
    ours = (".owners", ".locks")
    found = [path for path in folder.rglob(".*") if path.name not in ours and path.exists()]
    return [str(path) for path in found if path.name != ".live" or [*path.iterdir()]]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the demo in it; its folders did not exist before."""
    workspace = tmp_path_factory.mktemp("finished") / "not/there/yet"
    demo(workspace)
    return workspace


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """That workspace, to be spoilt."""
    return Path(shutil.copytree(finished, tmp_path / "copy"))


def project(workspace: Path) -> Path:
    (folder,) = (workspace / "projects").iterdir()
    return folder


@pytest.mark.parametrize("name", ["file", "file/far/below"])
def test_a_workspace_that_is_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    done = whet("demo", "--workspace", tmp_path / name)
    assert_refused(done, ENVIRONMENT, tmp_path / name, "Not a directory")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_workspace_where_no_folder_can_be() -> None:
    done = whet("demo", "--workspace", "/proc/nowhere")
    assert_refused(done, ENVIRONMENT, "/proc/nowhere")


BROKEN = {
    "config.json": '{"id": ',
    "baselines/*/cases.json": '{"cases": 5}',
    "skills/*/content.txt": None,
}


@pytest.mark.parametrize("pattern", BROKEN)
def test_a_broken_document_in_the_project(copy: Path, pattern: str) -> None:
    path = sorted(project(copy).glob(pattern))[0]
    whole = path.read_text()
    text = BROKEN[pattern]
    path.unlink() if text is None else path.write_text(text)
    done = whet("demo", "--workspace", copy)
    assert_refused(done, USAGE, path.parent, path.name)
    assert project(copy).is_dir(), "no second project beside the broken one"
    assert not hidden(copy)
    path.write_text(whole)
    if pattern == "config.json":
        assert demo(copy)["trials"]["reused"] == 90


def test_an_empty_list_of_cases(copy: Path) -> None:
    cases = next(project(copy).glob("baselines/*/cases.json"))
    cases.write_text("[]")
    assert_refused(whet("demo", "--workspace", copy), USAGE, project(copy), "no cases")


def test_a_case_that_would_be_written_elsewhere(copy: Path) -> None:
    cases = next(project(copy).glob("baselines/*/cases.json"))
    cases.write_text(cases.read_text().replace('"case_001"', '"../../../../escaped"'))
    assert_refused(whet("demo", "--workspace", copy), USAGE, cases, "'../../../../escaped'")
    assert not list(copy.parent.rglob("escaped*"))


def test_a_broken_asset_in_the_library_does_not_concern_a_project(copy: Path) -> None:
    for meta in copy.glob("skills/*/*/*/meta.json"):
        meta.write_text("{")
    assert demo(copy)["trials"]["reused"] == 90


def test_a_broken_asset_of_the_sample(finished: Path, tmp_path: Path) -> None:
    for name in ("skills", "baselines"):
        shutil.copytree(finished / name, tmp_path / name)
    meta = next(tmp_path.glob("baselines/*/*/*/meta.json"))
    meta.write_text('{"id": 1}')
    assert_refused(whet("demo", "--workspace", tmp_path), USAGE, meta)
    assert not list(tmp_path.glob("projects/*"))


def test_an_unknown_engine(copy: Path) -> None:
    path = project(copy) / "config.json"
    config = json.loads(path.read_text())
    config["cli_config"]["engine"] = "nope"
    path.write_text(json.dumps(config))
    done = whet("demo", "--workspace", copy)
    assert_refused(done, USAGE, "unknown engine 'nope'", "known: api, claude")
    assert json.loads(path.read_text()) == config


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\0" + b"x" * 5000])
def test_a_database_that_is_none(copy: Path, content: bytes) -> None:
    database = copy / "whet.db"
    whole = database.read_bytes()
    database.write_bytes(content)
    assert_refused(whet("demo", "--workspace", copy), ENVIRONMENT, database)
    assert database.read_bytes() == content, "nobody's file is overwritten"
    database.write_bytes(whole)
    assert demo(copy)["trials"]["reused"] == 90


def test_a_database_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "whet.db").mkdir()
    assert_refused(whet("demo", "--workspace", tmp_path), ENVIRONMENT, tmp_path / "whet.db")


def test_a_scratch_folder_that_cannot_be(tmp_path: Path) -> None:
    done = whet("demo", "--workspace", tmp_path, WHET_SCRATCH="/dev/null/scratch")
    assert_refused(done, ENVIRONMENT, "/dev/null/scratch")


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = whet("serve", "--port", port, "--workspace", tmp_path / "w")
    assert_refused(
        done, ENVIRONMENT, f"127.0.0.1 port {port}", "in use; choose another with --port"
    )
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize("host", ["no.such.host.invalid", "x" * 70])
def test_a_host_that_is_not_here(tmp_path: Path, host: str) -> None:
    arguments = ("--host", host, "--port", "0", "--workspace", tmp_path / "w")
    done = whet("serve", *arguments, WHET_TOKEN="a-long-secret-of-tests")
    assert_refused(done, ENVIRONMENT, f"cannot listen on {host} port 0")


def test_beyond_loopback_without_a_token(tmp_path: Path) -> None:
    arguments = ("--host", "0.0.0.0", "--port", "0", "--workspace", tmp_path / "w")
    assert_refused(whet("serve", *arguments), USAGE, "0.0.0.0", "WHET_TOKEN")
    assert not (tmp_path / "w").exists()


def test_wrong_use() -> None:
    assert_refused(whet("demo", "--nosuch"), USAGE, "--nosuch", "whet demo --help")
    assert_refused(whet("nosuch"), USAGE, "'nosuch'", "whet --help")
    assert_refused(whet("serve", "--port", "70000"), USAGE, "--port", "65535")


@pytest.mark.parametrize("arguments", [("--version",), ("demo",), ("demo", "--json")])
def test_an_output_that_cannot_be_written(finished: Path, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [WHET, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(WHET_WORKSPACE=str(finished)),
            check=False,
        )
    done.stdout = ""
    assert_refused(done, ENVIRONMENT, "cannot write the output: No space left")


@contextmanager
def mounted(folder: Path, options: str) -> Generator[Path]:
    """A file system of its own, for the time of the block."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("mounting a file system needs rights that are not given here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_disk_that_is_read_only(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "ro") as disk:
        done = whet("demo", "--workspace", disk / "w")
        assert_refused(done, ENVIRONMENT, disk / "w", "Read-only file system")


def test_a_workspace_that_becomes_read_only(finished: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=16m") as disk:
        shutil.copytree(finished, disk / "w")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        done = whet("demo", "--workspace", disk / "w")
        assert_refused(done, ENVIRONMENT, disk / "w", "Read-only file system")
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        assert demo(disk / "w")["trials"]["reused"] == 90


@pytest.mark.parametrize("size", ["64k", "128k", "400k"])
def test_a_disk_that_fills_up(tmp_path: Path, size: str) -> None:
    with mounted(tmp_path / "disk", f"size={size}") as disk:
        done = whet("demo", "--workspace", disk / "w")
        assert_refused(done, ENVIRONMENT, disk / "w")
        assert not hidden(disk)
        subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
        report = demo(disk / "w")
        assert report["ranking"][0]["completed_cases"] == 10
        assert project(disk / "w").name == Path(report["folder"]).name


OBSTACLES = {
    "a link": "ln -s /tmp {folder}",
    "a link to nowhere": "ln -s /nowhere {folder}",
    "a file": "touch {folder}",
}


@pytest.mark.parametrize("obstacle", OBSTACLES)
@pytest.mark.skipif(os.getuid() != 0, reason="only root has a private view of shared memory")
def test_a_scratch_folder_that_is_somebody_elses(tmp_path: Path, obstacle: str) -> None:
    make = OBSTACLES[obstacle].format(folder="/dev/shm/whet-0")
    script = f"mount -t tmpfs tmpfs /dev/shm && {make} && exec {WHET} demo --workspace {tmp_path}"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("a private view of the file system needs rights that are not given here")
    assert_refused(done, ENVIRONMENT, "/dev/shm/whet-0", "WHET_SCRATCH")
