"""Real processes that install one package at once, and processes that are killed in the middle."""

import itertools
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.app.packages.making import ENGINES, assets, content, release
from whet.app.packages.packages import packages

PRELUDE = """
import sys
from pathlib import Path
from whet.app.packages.packages import packages
from whet.core.errors import NotHigher
workspace, data = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes()
left = int(sys.argv[3])
"""

INSTALL = """
with packages(workspace, ["simulated"]) as shelf:
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        print(shelf.install_bytes(data, "x.zip").action, flush=True)
    except NotHigher:
        print("refused", flush=True)
"""

DYING = """
import os
def dying(real):
    def call(*arguments, **more):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
        return real(*arguments, **more)
    return call
for name in ("open", "mkdir", "rename", "fsync", "chmod", "close"):
    setattr(os, name, dying(getattr(os, name)))
"""


def process(workspace: Path, code: str, data: Path, limit: int = 0) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + code, workspace, data, f"{limit}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def together(workspace: Path, archives: Sequence[bytes]) -> list[str]:
    """What becomes of all of them, installed at the same moment."""
    started: list[subprocess.Popen[str]] = []
    for number, data in enumerate(archives):
        path = workspace.with_name(f"{number}.zip")
        path.write_bytes(data)
        started.append(process(workspace, INSTALL, path))
    for one in started:
        assert one.stdout
        assert one.stdout.readline() == "ready\n"
    for one in started:
        assert one.stdin
        one.stdin.write("\n")
        one.stdin.flush()
    ended = [one.communicate(timeout=120) for one in started]
    assert [one.returncode for one in started] == [0] * len(started), ended
    return [said.strip() for said, _ in ended]


@pytest.mark.slow
def test_of_several_first_installs_one_wins(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    said = together(workspace, [release("1.0", more=b"%d" % n) for n in range(4)])
    assert sorted(said) == ["install", *["refused"] * 3]
    [versions] = assets(workspace).values()
    assert versions == [("v1", "1.0")]


@pytest.mark.slow
def test_the_same_installed_at_once_is_there_once(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    said = together(workspace, [release()] * 3)
    assert sorted(said) == ["install", "unchanged", "unchanged"]
    [versions] = assets(workspace).values()
    assert versions == [("v1", "1.0.0")]


@pytest.mark.slow
def test_racing_updates_only_ever_go_up(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with packages(workspace, ENGINES) as shelf:
        shelf.install_bytes(release("1.0"), "x.zip")
    said = together(workspace, [release(f"1.{n}", more=b"x") for n in (1, 2, 2)])
    [versions] = assets(workspace).values()
    numbers = [version for _, version in versions]
    assert numbers in (["1.0", "1.1", "1.2"], ["1.0", "1.2"])
    assert said.count("update") == len(numbers) - 1
    assert said[1:].count("unchanged") == 1


@pytest.mark.slow
def test_killed_at_any_moment_there_is_the_old_package_or_the_new(tmp_path: Path) -> None:
    """Every fourth call that touches the disk is once the last one."""
    data = tmp_path / "new.zip"
    data.write_bytes(release("2.0", more=b"x"))
    old, new = content("1.0"), content("2.0", more=b"x")
    seen: set[str] = set()
    for limit in itertools.count(0, 4):
        workspace = tmp_path / f"{limit}"
        with packages(workspace, ENGINES) as shelf:
            shelf.install_bytes(release("1.0"), "x.zip")
        dying = process(workspace, DYING + INSTALL, data, limit)
        said = dying.communicate("\n", timeout=60)
        with packages(workspace, ENGINES) as shelf:
            found = shelf.resolve("text-report")
            seen.add(found.asset.meta.package_version or "")
            assert found.content == (old if found.asset.meta.version == "v1" else new)
            assert shelf.contract(found).version == found.asset.meta.package_version
            assert shelf.install_bytes(data.read_bytes(), "x.zip").library_version == "v2"
        [versions] = assets(workspace).values()
        assert versions == [("v1", "1.0"), ("v2", "2.0")]
        if dying.returncode == 0:
            break
        assert dying.returncode == -signal.SIGKILL, said
    assert seen == {"1.0", "2.0"}


@pytest.mark.slow
def test_killed_at_the_first_install_there_is_one_package_or_none(tmp_path: Path) -> None:
    data = tmp_path / "new.zip"
    data.write_bytes(release())
    counts: set[int] = set()
    for limit in itertools.count(0, 5):
        workspace = tmp_path / f"{limit}"
        dying = process(workspace, DYING + INSTALL, data, limit)
        dying.communicate("\n", timeout=60)
        with packages(workspace, ENGINES) as shelf:
            counts.add(len(shelf.items()))
            assert shelf.install_bytes(release(), "x.zip").library_version == "v1"
            assert [item.problems for item in shelf.items()] == [()]
        assert len(assets(workspace)) == 1
        if dying.returncode == 0:
            break
    assert counts == {0, 1}
