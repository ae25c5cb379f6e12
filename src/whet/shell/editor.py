"""A person's own editor, in the terminal that the command has."""

import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from whet.core.errors import EnvironmentProblem, UsageError


def edit_file(path: Path, environment: Mapping[str, str]) -> None:
    """Open a file in ``$VISUAL`` or ``$EDITOR``, and return when the person has closed it."""
    wish = environment.get("VISUAL") or environment.get("EDITOR")
    if not wish:
        raise UsageError("no editor is set: set EDITOR, or use the options (see --help)")
    try:
        program = shlex.split(wish)
    except ValueError:
        program = []
    if not program:
        raise UsageError(f"EDITOR is {wish!r}, which is no command")
    try:
        code = subprocess.call([*program, str(path)], env=dict(environment))
    except OSError as error:
        raise EnvironmentProblem(f"cannot start {wish}: {error.strerror}; set EDITOR") from error
    if code:
        raise EnvironmentProblem(f"{wish} ended with exit code {code}")
