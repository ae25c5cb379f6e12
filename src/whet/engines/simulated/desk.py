"""The folders as the agent uses them: what it reads and where it writes.

Paths in tool calls are relative to the working folder, so that equal trials make equal calls.
"""

import os
from pathlib import Path, PurePosixPath

from whet.core.errors import EngineFailure
from whet.core.failure import Failure
from whet.core.trial import TrialSpec
from whet.engines.simulated.guidance import READ_LIMIT
from whet.ports.workdir import Workdir

_MOST_REFERENCES = 3
_MOST_INPUTS = 4
_INPUT_LIMIT = 64_000
_MODULES = ("solution", "solution_1", "solution_2", "solution_3", "solution_4")


class Desk:
    """One trial's files."""

    def __init__(self, spec: TrialSpec, workdir: Workdir) -> None:
        self._package = spec.skill
        self._skill = workdir.skill
        self._work = workdir.work
        self._inputs = tuple(file.path for file in spec.stimulus.files)

    def skill_texts(self) -> list[tuple[str, str]]:
        """The instructions, then the references they mention: path and text of each."""
        if self._skill is None or self._package is None:
            return []
        place = os.path.relpath(self._skill, self._work)
        entry = self._package.entry.path
        text = _read(self._skill / entry, READ_LIMIT)
        shelf = [file.path for file in self._package.files if file.path.startswith("references/")]
        mentioned = [path for path in shelf if PurePosixPath(path).name in text]
        texts = [(entry, text)]
        texts += [(p, _read(self._skill / p, READ_LIMIT)) for p in mentioned[:_MOST_REFERENCES]]
        return [(f"{place}/{path}", text) for path, text in texts]

    def input_texts(self) -> list[tuple[str, str]]:
        """The first few input files: path and the beginning of each."""
        names = self._inputs[:_MOST_INPUTS]
        return [(name, _read(self._work / name, _INPUT_LIMIT)) for name in names]

    def module(self) -> str:
        """A name for the solution that no input file has."""
        taken = {PurePosixPath(path).parts[0] for path in self._inputs}
        return next((name for name in _MODULES if f"{name}.py" not in taken), _MODULES[0])

    def write(self, name: str, text: str) -> None:
        """Write a file into the working folder."""
        with open(f"{self._work}/{name}", "wb") as stream:  # noqa: PTH123 (a third of the time)
            stream.write(text.encode())


def _read(path: Path, limit: int) -> str:
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            data = stream.read(min(size, 4 * limit))
    except OSError as error:
        raise EngineFailure(Failure.CRASH, f"cannot read {path.name}: {error.strerror}") from error
    return data.decode(errors="replace")[:limit]
