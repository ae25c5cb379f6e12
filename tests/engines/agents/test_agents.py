"""The real agents start, and their installer survives what may happen to it."""

import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.engines.agents.install import install, missing
from tests.engines.agents.manifest import PROGRAMS, Program, folders
from tests.engines.installed import VERSIONS, installed


def wheel(folder: Path, name: str, body: str = "") -> Program:
    """A program in a wheel of its own, so that the real installers can do without a network."""
    about = f"{name}-1.0.dist-info"
    path = folder / f"{name}-1.0-py3-none-any.whl"
    script = f"#!/bin/sh\n{body}\necho {name} 1.0\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}-1.0.data/scripts/{name}", script)
        archive.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        )
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return Program(name, "1.0", "pip", str(path), f"bin/{name}")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "a place"
    folder.mkdir()
    return folder


def shown(program: Path, home: Path) -> str:
    environment = {"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": str(home)}
    return subprocess.check_output([program.name, "--version"], env=environment, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", VERSIONS)
def test_every_program_starts_with_nothing_but_its_folder(name: str, tmp_path: Path) -> None:
    assert VERSIONS[name] in shown(installed(name), tmp_path)


def test_a_missing_program_skips_a_test_but_fails_it_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="run: make agents"):
        installed("claude", [tmp_path])
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="run: make agents"):
        installed("claude", [tmp_path])


def test_every_version_is_pinned_exactly() -> None:
    for program in PROGRAMS:
        package, _, version = program.package.rpartition("==" if program.client == "pip" else "@")
        assert package
        assert version[:1].isdigit()
    assert all(len(folder.name) == 12 for folder in folders())


@pytest.mark.slow
def test_one_failure_leaves_the_others_usable(
    tmp_path: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = wheel(tmp_path, "good")
    gone = Program("gone", "1.0", "pip", str(tmp_path / "gone-1.0-py3-none-any.whl"), "bin/gone")
    empty = Program("empty", "1.0", "pip", wheel(tmp_path, "other").package, "bin/empty")
    liar = wheel(tmp_path, "liar", body="echo 0.9; exit 0")
    broken = wheel(tmp_path, "broken", body="echo out of luck >&2; exit 7")
    orphan = Program("orphan", "1.0", "npm", "orphan@1.0", "orphan")

    assert not install([gone, empty, liar, broken, orphan, good], place)

    assert shown(place / "bin/good", tmp_path) == "good 1.0\n"
    assert sorted(path.name for path in place.iterdir()) == [".lock", "bin", "good"]
    lines = capsys.readouterr().out.splitlines()
    failures = {line.split()[1]: line for line in lines if "could not be installed: " in line}
    assert set(failures) == {"gone", "empty", "liar", "broken", "orphan"}
    assert failures["liar"].endswith("it says it is 0.9")
    assert failures["broken"].endswith("broken ended with 7: out of luck")
    assert failures["orphan"].endswith("it needs node")


def npm_package(folder: Path, name: str, scripts: dict[str, str]) -> Program:
    about = {"name": name, "version": "1.0.0", "bin": {name: f"{name}.js"}, "scripts": scripts}
    program = f"#!/usr/bin/env node\nconsole.log('{name} 1.0.0 in ' + process.version)\n"
    path = folder / f"{name}.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for file, text in (("package.json", json.dumps(about)), (f"{name}.js", program)):
            entry = tarfile.TarInfo(f"package/{file}")
            entry.size, entry.mode = len(text), 0o755
            archive.addfile(entry, io.BytesIO(text.encode()))
    return Program(name, "1.0.0", "npm", str(path), f"node_modules/{name}/{name}.js")


@pytest.mark.slow
def test_npm_installs_without_running_scripts(tmp_path: Path, place: Path) -> None:
    (place / "bin").mkdir()
    (place / "bin/node").symlink_to(installed("node").resolve())
    scripts = {"postinstall": f"echo ran > '{tmp_path}/ran'"}
    hello = npm_package(tmp_path, "hello", scripts)
    assert install([hello], place)
    assert shown(place / "bin/hello", tmp_path) == f"hello 1.0.0 in v{VERSIONS['node']}\n"
    assert not (tmp_path / "ran").exists()
    assert sorted(path.name for path in (place / "hello").iterdir()) == [
        "node_modules",
        "package.json",
    ]


@pytest.mark.slow
def test_what_was_killed_on_the_way_is_made_anew(tmp_path: Path, place: Path) -> None:
    good = wheel(tmp_path, "good")
    (place / ".good/bin").mkdir(parents=True)
    (place / ".good/bin/good").write_text("half of it")
    (place / "good/bin").mkdir(parents=True)
    (place / "good/bin/good").write_text("moved, but not linked")
    assert missing([good], place) == [good]
    assert install([good], place)
    assert shown(place / "bin/good", tmp_path) == "good 1.0\n"
    assert not (place / ".good").exists()


@pytest.mark.slow
def test_two_at_once_install_it_once(
    tmp_path: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = wheel(tmp_path, "good", body=f"echo tried >> '{tmp_path}/tried'")
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(install, [good], place) for _ in range(2)]
        assert all(one.result() for one in both)
    assert (tmp_path / "tried").read_text().split() == ["tried"]
    assert capsys.readouterr().out.splitlines() == ["==> install good 1.0"]


def test_the_installer_is_silent_when_all_is_there(tmp_path: Path) -> None:
    """And looks at the cache that the environment names."""
    (folder,) = {Path(tmp_path, "whet/agents", folder.name) for folder in folders()}
    (folder / "bin").mkdir(parents=True)
    for program in PROGRAMS:
        (folder / "bin" / program.name).touch()
    done = subprocess.run(
        [sys.executable, "-m", "tests.engines.agents.install"],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
