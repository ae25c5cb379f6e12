import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.tree import ROOT


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make in *folder* as a person would, not as part of a make that runs these tests."""
    outer = {"MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MFLAGS", "ARGS", "PYTHON", "UV"}
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in outer},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "a checkout"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    return folder


def undocumented(makefile: str, shown: str) -> list[str]:
    targets = re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE)
    return [target for target in targets if not re.search(rf"^make {target} +\w", shown, re.M)]


def test_help_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text()
    shown = make(ROOT).stdout
    assert {"demo", "test", "check"} <= set(re.findall(r"^make (\S+)", shown, re.MULTILINE))
    assert undocumented(text, shown) == []
    assert undocumented(text + "secret: demo\n", shown) == ["secret"]


def test_continuous_integration_runs_what_people_run() -> None:
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert re.findall(r"^exec (.*)$", script.read_text(), re.MULTILINE) == ["make test"]


def test_an_old_python_gets_one_clear_line(checkout: Path) -> None:
    old = checkout / "old-python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = make(checkout, "demo", "PYTHON=./old-python")
    assert done.returncode != 0
    assert "make demo PYTHON=python3.12" in done.stderr.splitlines()[0]
    assert not (checkout / ".venv").exists()


@pytest.mark.slow
def test_a_venv_that_was_killed_or_moved_is_made_anew(checkout: Path) -> None:
    def venv_after_make() -> str:
        python = Path(sys.executable).resolve()
        done = make(checkout, ".venv/made", "UV=", f"PYTHON={python}")
        assert done.returncode == 0, done.stderr
        script = "import pip, sys; print(sys.prefix)"
        return subprocess.check_output([checkout / ".venv/bin/python", "-c", script], text=True)

    (checkout / ".venv/bin").mkdir(parents=True)
    (checkout / ".venv/half-made").touch()
    assert venv_after_make().strip() == str(checkout / ".venv")

    leftover = checkout / ".venv/leftover"
    leftover.touch()
    venv_after_make()
    assert leftover.exists(), "a good .venv stays"

    (checkout / ".venv/half-made").touch()
    venv_after_make()
    assert not leftover.exists()

    (checkout / ".venv/made").write_text("/elsewhere\n")
    leftover.touch()
    venv_after_make()
    assert not leftover.exists()


APT_GET = """#!/bin/sh
echo "$1" >> calls
case $1 in
  update) : > updated ;;
  install)
    [ -e updated ] || exit 1
    for program in bwrap chromium; do : > programs/$program; chmod +x programs/$program; done
    : > font ;;
esac
"""
"""An apt-get that finds no package before its lists are updated."""


def system_packages(checkout: Path, user: int) -> str:
    """Run ``make system`` as *user* on a Debian that has next to nothing."""
    programs = checkout / "programs"
    if not programs.exists():
        programs.mkdir()
        for name in ("make", "sh", "chmod"):
            (programs / name).symlink_to(shutil.which(name) or name)
        for name, text in (("apt-get", APT_GET), ("id", f"#!/bin/sh\necho {user}\n")):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
    environment = {"PATH": str(programs)}
    command = ["make", "system", "CHINESE_FONT=font"]
    return subprocess.check_output(command, cwd=checkout, env=environment, text=True)


def test_root_gets_missing_system_packages_once(checkout: Path) -> None:
    said = system_packages(checkout, user=0)
    assert said == "==> system packages: bubblewrap chromium fonts-noto-cjk\n"
    assert system_packages(checkout, user=0) == ""
    assert (checkout / "calls").read_text().split() == ["install", "update", "install"]


def test_others_are_told_what_is_skipped(checkout: Path) -> None:
    assert "tests that need bubblewrap are skipped" in system_packages(checkout, user=1000)
    assert not (checkout / "calls").exists()


TOOLS = ("python", "ruff", "pyright", "lint-imports", "pytest")
TOOL = """#!/bin/sh
echo "$0 $*" >> calls
[ "$2" != tests.engines.agents.install ]
"""
"""A tool of .venv that only says it was called; the installer of agents fails."""


def called_by(checkout: Path, *arguments: str, failing: str = "") -> tuple[int, list[str]]:
    """Run make on a .venv that is complete, with one tool that fails; returns the exit code and
    what was called."""
    tools = checkout / ".venv/bin"
    tools.mkdir(parents=True, exist_ok=True)
    for name in TOOLS:
        (tools / name).write_text(TOOL if name != failing else f"{TOOL}exit 1\n")
        (tools / name).chmod(0o755)
    (checkout / ".venv/made").write_text(f"{checkout.resolve()}\n")
    (checkout / ".venv/installed-dev").touch()
    (checkout / "calls").write_text("")
    done = make(checkout, *arguments, "--old-file=system")
    calls = (checkout / "calls").read_text().replace(".venv/bin/", "").splitlines()
    return done.returncode, [call for call in calls if "-c" not in call.split()]


INSTALLER = "python -m tests.engines.agents.install"


def test_agents_that_cannot_be_installed_do_not_stop_the_tests(checkout: Path) -> None:
    code, calls = called_by(checkout, "test")
    assert code == 0
    assert calls[-2:] == [INSTALLER, "pytest -q -n auto --dist loadscope --no-loadscope-reorder"]
    code, calls = called_by(checkout, "agents")
    assert code != 0
    assert calls == [INSTALLER]


def test_the_everyday_command_installs_no_agents(checkout: Path) -> None:
    code, calls = called_by(checkout, "check")
    assert code == 0
    assert "pytest -q -n auto -m not slow --hypothesis-profile=quick" in calls
    assert "pyright" in [call.split()[0] for call in calls]
    assert INSTALLER not in calls


@pytest.mark.parametrize("broken", ["pyright", "pytest"])
def test_the_everyday_command_fails_with_either_part(checkout: Path, broken: str) -> None:
    assert called_by(checkout, "check", failing=broken)[0] != 0
