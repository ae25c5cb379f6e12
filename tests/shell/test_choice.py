"""Choosing a sandbox, and being told what it is worth."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import cast

import pytest

from tests.shell.children import sh
from tests.shell.sandboxes import needs
from whet.core.errors import EnvironmentProblem, UsageError
from whet.shell.policy import Policy
from whet.shell.process import run
from whet.shell.sandbox import Wish, choose, probe, problem, wrapped
from whet.shell.strength import explain, strength


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setenv("PATH", "/nowhere")
    problem.cache_clear()
    yield
    problem.cache_clear()


def broken_bubblewrap(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    script = folder / "bwrap"
    script.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit\n'
        "echo 'bwrap: No permissions to create a new namespace' >&2; exit 1\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_each_is_tried_once():
    assert probe()[-1] == "none"
    before = problem.cache_info().misses
    assert probe() == probe()
    assert problem.cache_info().misses == before


def test_the_wish_decides():
    assert choose("off") == "none"
    assert choose("auto") == probe()[0]
    with pytest.raises(UsageError, match="'maybe'; use required, auto or off"):
        choose(cast("Wish", "maybe"))


def test_one_that_works_satisfies_a_requirement():
    needs("bubblewrap")
    assert choose("required") == "bubblewrap"


@pytest.mark.usefixtures("no_bubblewrap")
def test_without_bubblewrap_landlock_is_next():
    assert "bubblewrap" not in probe()
    needs("landlock")
    assert choose("auto") == choose("required") == "landlock"
    assert explain("landlock").better == "install bubblewrap"


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_broken_bubblewrap_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    broken_bubblewrap(monkeypatch, tmp_path)
    assert "bubblewrap" not in probe()
    assert "No permissions to create a new namespace" in str(problem("bubblewrap"))
    better = explain("none").better
    assert better is not None
    assert better.startswith("allow unprivileged user namespaces")
    with pytest.raises(EnvironmentProblem, match="cannot build a sandbox for /bin/sh: bwrap: No"):
        asyncio.run(run(wrapped(sh("exit 0"), "bubblewrap", Policy(()))))


# The kernel lets a process restrict itself sixteen times; there is no Landlock after that.
WITHOUT = """
from whet.core.errors import EnvironmentProblem
from whet.shell import inside, landlock
from whet.shell.sandbox import choose, probe
inside.give_up_capabilities()
for _ in range(16):
    rules = landlock.Ruleset(network=True)
    rules.write("/")
    rules.enforce()
print(probe(), choose("auto"))
try:
    choose("required")
except EnvironmentProblem as problem:
    print(problem)
"""


def test_where_nothing_works_a_requirement_is_refused():
    needs("landlock")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        env={"PATH": "/nowhere", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, refusal = done.stdout.splitlines()
    assert found == "('none',) none"
    assert refusal.startswith("no sandbox works here (bubblewrap: bwrap: command not found;")
    assert "landlock: /bin/sh: cannot use Landlock inside the sandbox" in refusal
    assert refusal.endswith("install bubblewrap, or allow to run without one")


def test_what_is_confined_is_said():
    assert strength("bubblewrap").network
    assert not any((strength("none").files, strength("none").network, strength("none").processes))
    assert explain("bubblewrap").better is None
    text = explain("none").text
    assert text.startswith("sandbox: none\nopen: files:")
    assert "confined" not in text
