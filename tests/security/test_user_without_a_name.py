"""A container may run as a number that its system does not know, and with no home."""

import json
import os
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.flows.command import WHET

ROOT = Path(__file__).parents[2]
NOBODY = 12345
AS_NOBODY = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")
"""Under that number, with the rights of the user who runs these tests."""

_can_be_nobody = subprocess.run([*AS_NOBODY, "true"], capture_output=True, check=False)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(_can_be_nobody.returncode != 0, reason="needs user namespaces"),
]


def command(tmp_path: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    (tmp_path / "scratch").mkdir(exist_ok=True)
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "WHET_WORKSPACE": str(tmp_path / "workspace"),
        "WHET_SCRATCH": str(tmp_path / "scratch"),
    }
    return [*AS_NOBODY, str(WHET), *arguments], environment


def whet(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    argv, environment = command(tmp_path, *arguments)
    return subprocess.run(
        argv,
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_commands_and_agents_work_without_a_passwd_entry(tmp_path: Path) -> None:
    for arguments in (["--version"], ["doctor", "--json"], ["demo", "--json"], ["project", "list"]):
        done = whet(tmp_path, *arguments)
        assert "Traceback" not in done.stderr
        assert done.returncode == 0, (arguments, done.stderr)


def test_the_server_works_without_a_passwd_entry(tmp_path: Path) -> None:
    argv, environment = command(tmp_path, "serve", "--port", "0", "--json")
    with subprocess.Popen(
        argv, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            url = json.loads(process.stdout.readline())["url"]
            assert httpx.get(f"{url}/v1/home", timeout=20).status_code == 200
            assert httpx.get(f"{url}/v1/engines", timeout=60).status_code == 200
        finally:
            process.send_signal(signal.SIGTERM)


def test_an_agent_is_launched_without_a_passwd_entry(tmp_path: Path) -> None:
    """The tests of an engine that starts a program, as that user."""
    name = "tests/engines/test_command_engine.py::test_what_it_prints_is_its_answer"
    python = str(WHET.with_name("python"))
    options = ("-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'tests'}")
    _, environment = command(tmp_path)
    done = subprocess.run(
        [*AS_NOBODY, python, "-B", "-m", "pytest", *options, name],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
