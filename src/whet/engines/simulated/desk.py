"""The folders as the agent uses them: what it reads and where it writes.

Paths in tool calls are relative to the working folder, so that equal trials make equal calls.
"""

import os
from collections.abc import Sequence
from pathlib import PurePosixPath

from whet.core.trial import TrialSpec
from whet.engines.simulated.guidance import READ_LIMIT
from whet.engines.simulated.reading import read_text
from whet.engines.simulated.uptake import Followed
from whet.ports.workdir import Workdir

_MOST_REFERENCES = 3
_MOST_INPUTS = 4
_INPUT_LIMIT = 64_000
_MODULES = ("solution", "solution_1", "solution_2", "solution_3", "solution_4")


class Desk:
    """One trial's files."""

    def __init__(self, spec: TrialSpec, workdir: Workdir, skills: Sequence[Followed]) -> None:
        self._skills = skills
        self._work = workdir.work
        self._inputs = tuple(file.path for file in spec.stimulus.files)

    def skill_texts(self) -> list[tuple[str, str]]:
        """The instructions, then the references they mention: path and text of each."""
        return [found for skill in self._skills for found in self._texts(skill)]

    def _texts(self, skill: Followed) -> list[tuple[str, str]]:
        place = os.path.relpath(skill.folder, self._work)
        entry = skill.package.entry.path
        text = read_text(skill.folder / entry, READ_LIMIT)
        shelf = [file.path for file in skill.package.files if file.path.startswith("references/")]
        mentioned = [path for path in shelf if PurePosixPath(path).name in text]
        texts = [(entry, text)]
        more = mentioned[:_MOST_REFERENCES]
        texts += [(path, read_text(skill.folder / path, READ_LIMIT)) for path in more]
        return [(f"{place}/{path}", text) for path, text in texts]

    def input_texts(self) -> list[tuple[str, str]]:
        """The first few input files: path and the beginning of each."""
        names = self._inputs[:_MOST_INPUTS]
        return [(name, read_text(self._work / name, _INPUT_LIMIT)) for name in names]

    def module(self) -> str:
        """A name for the solution that no input file has."""
        taken = {PurePosixPath(path).parts[0] for path in self._inputs}
        return next((name for name in _MODULES if f"{name}.py" not in taken), _MODULES[0])

    def write(self, name: str, text: str) -> None:
        """Write a file into the working folder."""
        with open(f"{self._work}/{name}", "wb") as stream:  # noqa: PTH123 (a third of the time)
            stream.write(text.encode())
