"""A disk that is full, or read-only, in the middle of runs: what could not be said is said as soon
as there is room, by the process that lives on. No claim is held that nobody works on."""

import json
import resource
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.evaluating import skill
from tests.app.measuring import sayings, write_set
from tests.app.opening import fill
from tests.flows.command import executions, whet
from tests.flows.serving import Serving
from tests.flows.test_jobs import install
from tests.security.test_told_to_end import DONE, Client, wait_for_trials
from whet.core.errors import EnvironmentProblem
from whet.stores.database import Database
from whet.stores.sqlite import in_file


def filled(workspace: Path) -> Path:
    fill(workspace)
    write_set(workspace, sayings(16))
    install(workspace)
    return workspace


@contextmanager
def tmpfs(folder: Path, size: str) -> Generator[Path]:
    """A small disk of its own; only root can have one."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True
    )
    if done.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def limit_files(process: int, size: int) -> None:
    """As a full disk does it: no file of *process* grows beyond *size*."""
    hard = resource.prlimit(process, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, hard))


@pytest.mark.parametrize("how", ["limited", pytest.param("tmpfs", marks=pytest.mark.slow)])
def test_claims_of_a_living_server_are_closed_once_there_is_room(tmp_path: Path, how: str) -> None:
    if how == "limited":
        _full_and_free(filled(tmp_path / "workspace"), tmp_path, None)
        return
    with tmpfs(tmp_path / "disk", "24m") as disk:
        _full_and_free(filled(disk / "workspace"), tmp_path, disk)


def _full_and_free(workspace: Path, tmp_path: Path, disk: Path | None) -> None:
    with Serving.on(workspace, WHET_DRAIN_SECONDS="0") as serving:
        client = Client(serving)
        ids = client.begin(skill(tmp_path), 600)
        wait_for_trials(workspace, 3)
        if disk is None:
            limit_files(serving.process.pid, 0)
        else:
            _fill(disk / "ballast")
        time.sleep(1.5)  # so that whatever is under way ends meanwhile
        wait = time.monotonic() + 20
        if disk is None:
            limit_files(serving.process.pid, resource.RLIM_INFINITY)
        else:
            (disk / "ballast").unlink()
        expected = {**DONE, "project": "interrupted", "eval": "interrupted", "run": "failed"}
        client.until(ids, expected)
        assert time.monotonic() < wait, "soon, and not at the next start"
        project = client.get(f"/v1/runs/{ids['project']}")
        assert project["error"]
        assert project["wish"] != "paused"
        assert not [one for one in executions(workspace) if one[1] is None], "no claim is left"
        client.post(f"/v1/runs/{ids['project']}/resume")
        client.post(f"/v1/evals/{ids['eval']}/resume")
        client.post(f"/v1/evaluation/runs/{ids['run']}/resume")
        client.until(ids, DONE)
        serving.end(signal.SIGTERM)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 65536):
                pass
        except OSError:
            pass
        try:
            while file.write(b"x"):
                pass
        except OSError:
            pass


def test_on_a_read_only_disk_messages_and_doctor_say_so(tmp_path: Path) -> None:
    with tmpfs(tmp_path / "disk", "32m") as disk:
        workspace = disk / "workspace"
        fill(workspace)
        assert whet("skill", "list", "--workspace", workspace).returncode == 0
        assert whet("project", "list", "--workspace", workspace).returncode == 0
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        for command in (("project", "list"), ("skill", "list"), ("session", "list")):
            done = whet(*command, "--workspace", workspace)
            assert done.returncode == 3
            assert "read-only" in done.stderr.lower()
            assert ".lock" not in done.stderr
        found = whet("doctor", "--json", "--workspace", workspace)
        assert found.returncode == 3
        said = json.loads(found.stdout)
        assert "read-only" in said["database"]["problem"]
        assert "read-only" in said["disks"][0]["problem"]


def test_a_database_that_turns_read_only_in_mid_run_is_called_so(tmp_path: Path) -> None:
    """As SQLite itself says it, whoever we are."""
    database = Database(in_file(tmp_path / "whet.db"))
    insert = "INSERT INTO states VALUES ('k', '1', 1, '', '{}')"
    with pytest.raises(EnvironmentProblem, match="read-only"):
        _write_read_only(database, insert)
    database.close()


def _write_read_only(database: Database, insert: str) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("PRAGMA query_only=ON")
        connection.exec_driver_sql(insert)
