"""Which files a program that lies outside the system folders needs to see of itself."""

import os
import pwd
from pathlib import Path
from shutil import which

from whet.shell import system

_LONGEST_LINE = 256
_DEEPEST = 4


def visible(program: Path, path: str = os.defpath) -> tuple[Path, ...]:
    """What must be readable in a sandbox for *program* to run, besides the system.

    That is the program where it is called and where it really lies; of a package the whole
    ``node_modules`` it is installed in; of a script also its interpreter, which is looked up
    in *path* where the script asks for that; of an interpreter also its libraries. Never a
    home, nor anything that holds one.
    """
    found: dict[Path, None] = {}
    _collect(program.absolute(), path, found, _DEEPEST)
    return tuple(
        one
        for one in sorted(found)
        if not system.shown(one) and found.keys().isdisjoint(one.parents)
    )


def _collect(program: Path, path: str, found: dict[Path, None], depth: int) -> None:
    real = program.resolve()
    if depth == 0 or not real.is_file():
        return
    found |= dict.fromkeys((program, *_package(real), *_environment(program)))
    for interpreter in _interpreter(real, path):
        _collect(interpreter, path, found, depth - 1)


def _package(real: Path) -> list[Path]:
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
    if not libraries:
        return [real]
    if _is_private(prefix):
        return [real, *(found.parent for found in libraries)]
    return [prefix]


def _environment(program: Path) -> list[Path]:
    """The virtual environment that *program*, a link in most of them, belongs to."""
    prefix = program.parent.parent
    is_one = (prefix / "pyvenv.cfg").is_file() and not _is_private(prefix)
    return [prefix] if is_one else []


def _interpreter(real: Path, path: str) -> list[Path]:
    """The programs that the first line of a script names."""
    with real.open("rb") as file:
        line = file.readline(_LONGEST_LINE)
    if not line.startswith(b"#!"):
        return []
    words = line[2:].decode("utf-8", "replace").split()
    found = [Path(word) for word in words[:1]]
    if found and found[0].name == "env":
        named = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        found += [Path(place) for name in named[:1] if (place := which(name, path=path))]
    return found


def _is_private(prefix: Path) -> bool:
    """Whether more than one program's files are below: a home, or its folder for all sorts."""
    home = Path(pwd.getpwuid(os.getuid()).pw_dir).resolve()
    return home.is_relative_to(prefix) or prefix == home / ".local" or len(prefix.parts) < 3
