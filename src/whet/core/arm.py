"""Arms: what an experiment compares."""

from typing import Literal

from whet.core.files import FileRef
from whet.core.value import Value


class SkillPackage(Value):
    """A skill as the agent gets it: one text, or a whole folder with a SKILL.md."""

    name: str
    kind: Literal["text", "package"]
    digest: str
    files: tuple[FileRef, ...]

    @property
    def entry(self) -> FileRef:
        """The file with the instructions: ``content.txt``, or ``SKILL.md`` of a package."""
        wanted = "content.txt" if self.kind == "text" else "SKILL.md"
        return next(file for file in self.files if file.path == wanted)


class Arm(Value):
    """A skill version under a short id; ``skill`` is None for the arm without any skill."""

    id: str
    label: str
    skill: SkillPackage | None
