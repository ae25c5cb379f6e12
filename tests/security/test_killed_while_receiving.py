"""A process that is killed while it is being sent something leaves nothing for good."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.app.opening import app_on
from tests.flows.serving import Serving
from tests.server.calling import caller
from whet.app.app import UPLOADS
from whet.documents.files import temporary_folder

HALF = (
    b"POST %b HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/zip\r\n"
    b"Content-Length: 50000000\r\n\r\n"
)


def left(workspace: Path) -> list[Path]:
    """Files of uploads, and hidden folders where such files were before."""
    hidden = [path for name in ("requests", "projects") for path in workspace.glob(f"{name}/.*")]
    return [*(path for path in workspace.glob(f"{UPLOADS}/**/*") if path.is_file()), *hidden]


@pytest.mark.parametrize("path", [b"/v1/projects/import", b"/v1/sessions/import"])
def test_kill_9_during_an_upload_leaves_nothing_after_the_next_start(
    tmp_path: Path, path: bytes
) -> None:
    workspace = tmp_path / "workspace"
    with Serving.on(workspace) as serving:
        address = ("127.0.0.1", serving.client.base_url.port)
        with socket.create_connection(address, 20) as sending:
            sending.sendall(HALF % path + b"x" * 3_000_000)
            end = time.monotonic() + 20
            while not left(workspace) and time.monotonic() < end:
                time.sleep(0.05)
            assert left(workspace)
            serving.end(signal.SIGKILL)
    assert left(workspace)
    with Serving.on(workspace) as again:
        assert again.client.get("/v1/health").status_code == 200
        assert left(workspace) == []
        again.end(signal.SIGTERM)
    assert [*workspace.glob(f"{UPLOADS}/*")] == []


BUILD = """
import os, pathlib, sys
from whet.documents.files import unfinished_folder
with unfinished_folder(pathlib.Path(sys.argv[1])) as folder:
    (folder / "half").write_text("x")
    print("ready", flush=True)
    sys.stdin.readline()
"""


def test_what_a_killed_process_was_building_goes_and_what_a_living_one_builds_stays(
    tmp_path: Path,
) -> None:
    workspace = tmp_path / "workspace"
    roots = [workspace / "projects", workspace / "evals" / "knives" / "simulated__simulated"]
    for root in roots:
        root.mkdir(parents=True)
    earlier = [workspace / "projects" / ".k3_x9abc", workspace / "requests" / ".abcdefgh"]
    for folder in earlier:
        folder.mkdir(parents=True)
        (folder / "body").write_bytes(b"x")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", BUILD, root], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for root in (*roots, roots[0])
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes[:2]:
        process.kill()
        process.communicate()
    assert len([*workspace.glob("**/.part-*")]) == 3
    with app_on(workspace):
        assert len([*workspace.glob("**/.part-*")]) == 1, "somebody is at it"
        assert not [folder for folder in earlier if folder.exists()]
    processes[2].communicate(b"\n", timeout=20)
    assert not [*workspace.glob("**/.part-*")]


TEMPORARY = """
import os, pathlib, sys
from whet.documents.files import temporary_folder
with temporary_folder() as folder:
    (folder / "outputs").mkdir()
    (folder / "outputs/answer").write_text("x")
    (folder / "outputs").chmod(0o500)
    print(folder, flush=True)
    sys.stdin.readline()
"""


@pytest.mark.parametrize("who", ["the next command", "the next that needs one"])
def test_temporary_files_of_a_killed_process_go_and_those_of_a_living_one_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", TEMPORARY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"TMPDIR": str(tmp_path)},
        )
        for _ in range(2)
    ]
    folders: list[Path] = []
    for process in processes:
        assert process.stdout is not None
        folders.append(Path(process.stdout.readline().decode().strip()))
    processes[0].kill()
    processes[0].communicate()
    assert [folder.is_dir() for folder in folders] == [True, True]
    if who == "the next command":
        with app_on(tmp_path / "workspace"):
            assert [each.is_dir() for each in folders] == [False, True]
    else:
        with temporary_folder() as folder:
            assert folder.parent == tmp_path
            assert [each.is_dir() for each in folders] == [False, True]
    processes[1].communicate(b"\n", timeout=20)


def test_a_stranger_lays_a_temporary_folder_out_for_us_to_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While we remove it they could put a link in its place; so it is left alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bait, link = tmp_path / f"whet-{'a' * 16}", tmp_path / f"whet-{'b' * 16}"
    (bait / "inner").mkdir(parents=True)
    (tmp_path / "precious").mkdir(mode=0o755)
    link.symlink_to(tmp_path / "precious")
    monkeypatch.setattr(os, "geteuid", lambda: bait.stat().st_uid + 1)
    with temporary_folder():
        assert (bait / "inner").is_dir()
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary_folder():
        assert not bait.exists()
    assert (tmp_path / "precious").stat().st_mode & 0o777 == 0o755


def test_a_file_that_was_not_written_to_its_end_goes(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    secrets = tmp_path / "config" / "secrets"
    with app_on(workspace) as app:
        app.secrets.put_aside("made-up-7b7b7b", "environment.A")
        [kept] = secrets.glob("*/*/whet-secret-*.json")
    half = [kept.with_name(".0123456789abcdef.tmp"), workspace / "cli" / ".fedcba9876543210.tmp"]
    new = workspace / ".aaaaaaaaaaaaaaaa.tmp"
    (workspace / "cli").mkdir()
    for path in (*half, new):
        path.write_text("made-up")
    for path in half:
        os.utime(path, (1, 1))

    with caller(workspace) as call:
        end = time.monotonic() + 20
        while any(path.exists() for path in half) and time.monotonic() < end:
            call("GET", "/v1/health")
    assert [path for path in half if path.exists()] == []
    assert new.exists(), "somebody may be at it"
    assert kept.exists()
