"""An installed program: where it is and which version."""

import re
from collections.abc import Mapping
from pathlib import Path
from shutil import which

from whet.core.errors import EnvironmentProblem
from whet.documents.files import temporary_folder
from whet.shell.report import report

_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)*[\w.+-]*")
_SECONDS = 60.0
_known: dict[tuple[str, int, int], str] = {}


SETTING = "cli_path"
"""The key of the configuration that names a program."""


def found(name: str, path: str, install: str, configured: str | None = None) -> Path:
    """The *configured* program, else the one of that name; raises ``EnvironmentProblem`` with the
    way to get it."""
    program = which(configured or name, path=path)
    if program is None and configured:
        fix = f"set it back with: {set_back(name)}"
        raise EnvironmentProblem(f"{name}: {SETTING} is {configured}, which is no program; {fix}")
    if program is None:
        raise EnvironmentProblem(f"{name}: command not found; install it with: {install}")
    return Path(program).absolute()


def set_back(name: str) -> str:
    """The command that makes an engine take the program on the PATH again."""
    return f"whet config set {SETTING}={name}"


def version(program: Path, environment: Mapping[str, str]) -> str:
    """What the program says of itself; asked once as long as its file stays the same."""
    state = program.stat()
    key = (str(program.resolve()), state.st_mtime_ns, state.st_size)
    if key not in _known:
        # Some programs make folders in their home even for this.
        with temporary_folder() as home:
            said = report((str(program), "--version"), {**environment, "HOME": str(home)}, _SECONDS)
        match = _VERSION.search(said)
        if match is None:
            shown = said.strip().partition("\n")[0][:200] or "nothing"
            raise EnvironmentProblem(f"{program} --version says no version but: {shown}")
        _known[key] = match[0]
    return _known[key]
