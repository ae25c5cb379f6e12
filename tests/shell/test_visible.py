"""Programs outside the system run inside a sandbox, and show no more than they need."""

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.shell.children import PATH
from tests.shell.sandboxes import needs
from whet.shell.command import Command
from whet.shell.policy import Policy, Sandbox
from whet.shell.process import run
from whet.shell.sandbox import wrapped
from whet.shell.visible import visible


def program(path: Path, first_line: str = "\x7fELF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{first_line}\n")
    path.chmod(0o755)
    return path


def test_of_the_system_nothing_is_needed():
    assert visible(Path("/bin/sh")) == ()
    assert visible(Path("/usr/bin/env")) == ()


def test_a_single_binary_shows_itself_and_its_link(tmp_path: Path):
    real = program(tmp_path / "home/.local/share/agent/versions/1.2.3")
    (tmp_path / "home/.local/share/agent/key").touch()
    link = tmp_path / "home/.local/bin/agent"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    assert visible(real) == (real,)
    assert visible(link) == (link, real)


def test_a_package_shows_the_outermost_node_modules_and_its_node(tmp_path: Path):
    prefix = tmp_path / "home/.nvm/versions/node/v22"
    script = prefix / "lib/node_modules/agent/node_modules/inner/cli.js"
    program(script, "#!/usr/bin/env -S node --no-warnings")
    program(prefix / "lib/node_modules/npm/cli.js")
    program(prefix / "bin/node")
    link = prefix / "bin/agent"
    link.symlink_to("../lib/node_modules/agent/node_modules/inner/cli.js")
    assert visible(link, str(prefix / "bin")) == (prefix,)
    assert visible(link, "/nowhere") == (link, prefix / "lib/node_modules")

    project = tmp_path / "project/node_modules/.bin/agent"
    project.parent.mkdir(parents=True)
    project.symlink_to(program(tmp_path / "project/node_modules/agent/cli.js"))
    assert visible(project) == (tmp_path / "project/node_modules",)


def test_a_script_shows_its_interpreter_and_no_neighbour(tmp_path: Path):
    program(tmp_path / "python/bin/python3.9")
    (tmp_path / "python/lib/python3.9").mkdir(parents=True)
    (tmp_path / "python/lib/python3.9/os.py").touch()
    python = tmp_path / "venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(tmp_path / "python/bin/python3.9")
    (tmp_path / "venv/pyvenv.cfg").touch()
    script = program(tmp_path / "tools/agent", f"#!{python}")
    (tmp_path / "tools/neighbour").touch()
    assert visible(script) == (tmp_path / "python", script, tmp_path / "venv")


def test_a_home_is_never_shown(tmp_path: Path):
    home = tmp_path / "home"
    for prefix in (home, home / ".local", tmp_path):
        node = program(prefix / "bin/node")
        program(prefix / "lib/node_modules/npm/cli.js")
        (prefix / "pyvenv.cfg").touch()
        assert visible(node, home=home) == (node, prefix / "lib/node_modules")


def test_a_bare_name_is_looked_up(tmp_path: Path):
    real = program(tmp_path / "bin/agent")
    assert visible(Path("agent"), f"/nowhere:{real.parent}") == (real,)
    assert visible(Path("agent"), "/nowhere") == ()


def test_what_is_missing_or_refers_to_itself_needs_nothing(tmp_path: Path):
    assert visible(tmp_path / "missing") == ()
    script = tmp_path / "self"
    program(script, f"#!{script}")
    assert visible(script) == (script,)
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    assert visible(circle) == ()
    assert visible(program(tmp_path / "empty", "#!")) == (tmp_path / "empty",)


@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
def test_a_program_somewhere_runs_by_what_it_shows(sandbox: Sandbox, tmp_path: Path):
    needs(sandbox)
    work = tmp_path / "work"
    work.mkdir()
    real = tmp_path / "somewhere/versions/shell"
    real.parent.mkdir(parents=True)
    shutil.copy("/bin/sh", real)
    (real.parent / "neighbour").write_text("secret")
    link = tmp_path / "bin/agent"
    link.parent.mkdir()
    link.symlink_to(real)
    script = program(tmp_path / "tools/run", "#!/usr/bin/env agent")
    script.write_text(script.read_text() + f"echo ran; cat {real.parent}/neighbour\n")
    path = f"{link.parent}{os.pathsep}{PATH}"
    command = Command((str(script),), work, {"PATH": path}, 30)
    policy = Policy((work,), readable=visible(script, path))
    stdout, exit_ = asyncio.run(run(wrapped(command, sandbox, policy)))
    assert stdout == "ran", exit_.stderr


@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
def test_our_own_python_runs_with_its_packages(sandbox: Sandbox, tmp_path: Path):
    needs(sandbox)
    command = Command((sys.executable, "-c", "import psutil; print('ran')"), tmp_path, {}, 60)
    policy = Policy((tmp_path,), readable=visible(Path(sys.executable)))
    stdout, exit_ = asyncio.run(run(wrapped(command, sandbox, policy)))
    assert stdout == "ran", exit_.stderr
