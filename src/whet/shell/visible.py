"""Which files a program that lies outside the system folders needs to see of itself."""

import os
import pwd
from pathlib import Path
from shutil import which

from whet.shell import system

_LONGEST_LINE = 256
_DEEPEST = 4


def visible(program: Path, path: str = os.defpath, home: Path | None = None) -> tuple[Path, ...]:
    """What must be readable in a sandbox for *program* to run, besides the system.

    That is the program where it is called and where it really lies; of a package the whole
    ``node_modules`` it is installed in; of a script also its interpreter, which is looked up
    in *path* where the script asks for that; of an interpreter also its libraries. Never a
    home, nor anything that holds one; *home* is the user's unless it is given. A *program*
    without a folder is looked up in *path*, too.
    """
    if len(program.parts) == 1 and (place := which(program, path=path)):
        program = Path(place)
    search = _Search(path, (home or Path(pwd.getpwuid(os.getuid()).pw_dir)).resolve())
    search.collect(program, _DEEPEST)
    found = search.found
    return tuple(
        one for one in sorted(found) if not system.shown(one) and found.isdisjoint(one.parents)
    )


class _Search:
    """What was found so far, and where to look."""

    def __init__(self, path: str, home: Path) -> None:
        self.found: set[Path] = set()
        self._path = path
        self._home = home

    def collect(self, program: Path, depth: int) -> None:
        """Find the program, and the programs that it needs."""
        program = program.absolute()
        try:
            real = program.resolve()
            if depth == 0 or not real.is_file():
                return
        except (OSError, RuntimeError):  # out of our reach, or links in a circle
            return
        self.found |= {program, *self._package(real), *self._environment(program)}
        for interpreter in _interpreter(real, self._path):
            self.collect(interpreter, depth - 1)

    def _package(self, real: Path) -> list[Path]:
        """The real file with what belongs to it."""
        if "node_modules" in real.parts:
            depth = real.parts.index("node_modules") + 1
            return [Path(*real.parts[:depth])]
        if real.parent.name != "bin":
            return [real]
        prefix = real.parent.parent
        libraries = [
            *(prefix / "lib").glob("python3.*/os.py"),
            *(prefix / "lib/node_modules").glob("npm"),
            *(prefix / "include").glob("node"),
        ]
        if libraries and not self._is_private(prefix):
            return [prefix]
        return [real, *(one.parent for one in libraries)]

    def _environment(self, program: Path) -> list[Path]:
        """The virtual environment that *program*, a link in most of them, belongs to."""
        prefix = program.parent.parent
        is_one = (prefix / "pyvenv.cfg").is_file() and not self._is_private(prefix)
        return [prefix] if is_one else []

    def _is_private(self, prefix: Path) -> bool:
        """Whether more than one program's files are below: a home, or its folder for all."""
        holds_home = self._home.is_relative_to(prefix)
        return holds_home or prefix == self._home / ".local" or len(prefix.parts) < 3


def _interpreter(real: Path, path: str) -> list[Path]:
    """The programs that the first line of a script names."""
    try:
        with real.open("rb") as file:
            line = file.readline(_LONGEST_LINE)
    except OSError:  # it may be run but not read, so it is no script
        return []
    if not line.startswith(b"#!"):
        return []
    words = line[2:].decode("utf-8", "replace").split()
    found = [Path(word) for word in words[:1]]
    if found and found[0].name == "env":
        named = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        found += [Path(place) for name in named[:1] if (place := which(name, path=path))]
    return found
