"""The same holds for a user without privileges, and for root without user namespaces."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.shell.children import PATH
from tests.shell.sandboxes import confined, needs, script
from whet.shell.policy import Endpoint
from whet.shell.process import run
from whet.shell.sandbox import problem

NOBODY = "65534"
LOOK = """
import json, os, socket, sys
status = dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines())
socket.create_server(("192.0.2.7", 0)).close()
try:
    socket.create_connection(("127.0.0.2", 443), 30).close()
except ConnectionResetError:  # nobody is behind it, but it is there
    pass
open("made", "w").close()
json.dump([os.getuid(), os.getgid(), status["CapEff"], status["NoNewPrivs"]], sys.stdout)
"""
ENDPOINTS = (Endpoint("192.0.2.7", 80), Endpoint("127.1", 443))


def as_nobody(*argv: str, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": PATH, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}
    # By way of env: setpriv itself still finds programs as root does.
    become = ("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "env")
    return subprocess.run(
        [*become, *argv],
        env=env | variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd="/",
    )


@pytest.fixture(scope="session")
def python() -> str:
    """A Python that nobody may run, with whet."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root, with setpriv, can become nobody")
    found = (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}")
    for program in found:
        if as_nobody(program, "-c", "import psutil, tests.shell.sandboxes").returncode == 0:
            return program
    pytest.skip("nobody can run no Python that has whet")


PARENT = """
import asyncio, os, sys
from pathlib import Path
from tests.shell.sandboxes import confined, script
from tests.shell.test_unprivileged import ENDPOINTS, LOOK
from whet.shell.process import run

work, sandbox = Path(sys.argv[1]), sys.argv[2]
endpoints = ENDPOINTS if sandbox == "bubblewrap" else ()
stdout, exit_ = asyncio.run(run(confined(script(sys.argv[3]), sandbox, work, *endpoints)))
assert exit_.ok, exit_
print(stdout)
"""


@pytest.fixture
def owned() -> Generator[Path]:
    """A folder that is theirs, at a place that they can get to."""
    folder = Path("/tmp", f"whet-nobody-{os.getpid()}")
    folder.mkdir()
    os.chown(folder, int(NOBODY), int(NOBODY))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@pytest.mark.slow
def test_nobody_has_bubblewrap_with_low_ports(python: str, owned: Path):
    needs("bubblewrap")
    done = as_nobody(python, "-c", PARENT, str(owned), "bubblewrap", LOOK)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [int(NOBODY), int(NOBODY), "0" * 16, "1"]
    assert (owned / "made").stat().st_uid == int(NOBODY)


@pytest.mark.slow
def test_nobody_has_landlock(python: str, owned: Path):
    needs("landlock")
    look = "import os; open('made', 'w').close(); print(os.access('/etc/passwd', os.W_OK))"
    done = as_nobody(python, "-c", PARENT, str(owned), "landlock", look)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "False\n"
    assert (owned / "made").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can do without user namespaces")
def test_root_without_user_namespaces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    needs("bubblewrap")
    real = shutil.which("bwrap")
    wrapper = tmp_path / "bin/bwrap"
    wrapper.parent.mkdir()
    wrapper.write_text(
        "#!/bin/bash\nargs=()\n"
        'for a in "$@"; do [ "$a" = --unshare-user-try ] || args+=("$a"); done\n'
        f'exec {real} "${{args[@]}}"\n'
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    work = tmp_path / "work"
    work.mkdir()
    stdout, exit_ = asyncio.run(run(confined(script(LOOK), "bubblewrap", work, *ENDPOINTS)))
    assert exit_.ok, exit_
    assert json.loads(stdout) == [0, 0, "0" * 16, "1"]
    assert problem("bubblewrap") is None
