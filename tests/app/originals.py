"""A project of the original program in a workspace of ours, as somebody copied it there."""

import shutil
from pathlib import Path

from tests.curate.original.desktop import Desktop, Fields, read, scores, write
from whet.core.naming import short
from whet.evaluate.project import Project, opened


class Original:
    """Two skills, the first in its third version, on one baseline of three cases."""

    def __init__(self, root: Path, name: str = "old") -> None:
        self.desktop = Desktop(root / "original")
        self.workspace = root / "workspace"
        writer = self.desktop.add_skill("Writer", "one")
        self.desktop.edit_skill(writer, "two")
        self.desktop.edit_skill(writer, "three")
        author = self.desktop.add_skill("Author", "Be brief.")
        baseline = self.desktop.add_baseline(
            "Tests", *(f"Write a Python function {name}." for name in "abc")
        )
        self.source = self.desktop.add_project(name, [writer, author], [baseline])
        self.cases: list[Fields] = read(baseline / "cases.json")["cases"]

    @property
    def config(self) -> Fields:
        return read(self.source / "config.json")

    @property
    def folder(self) -> Path:
        """Where it lies in our workspace."""
        return self.workspace / "projects" / self.source.name

    def add(self, skill: int, case: int, points: float = 28, **changes: object) -> Path:
        """A result as the original writes it: 60 points and *points*, at most 30, besides."""
        reference = self.config["skills"][skill]
        given: Fields = {
            "skill_id": reference["ref_id"],
            "skill_version": reference["version"],
            "actual_output": f"answer {skill} {case}",
            "scores": scores(points),
            **changes,
        }
        name = str(given.pop("file", f"{self.cases[case]['id']}.json"))
        folder = str(given.pop("folder", Path(reference["local_path"]).name))
        made = self.desktop.add_result(self.source, self.cases[case], "made.json", **given)
        made = {key: value for key, value in made.items() if value != "undefined"}
        (self.source / "results" / self.first / "made.json").unlink()
        path = self.source / "results" / folder / name
        write(path, made)
        return path

    @property
    def first(self) -> str:
        """The folder that the original keeps results of the first skill in."""
        return Path(self.config["skills"][0]["local_path"]).name

    def arm(self, skill: int) -> str:
        reference = self.config["skills"][skill]
        return f"{short(reference['ref_id'])}_{reference['version']}"

    def set_up(self, **changes: object) -> None:
        """Change what its configuration says of running it."""
        config = self.config
        config["cli_config"] |= changes
        write(self.source / "config.json", config)

    def say(self, **changes: object) -> None:
        write(self.source / "config.json", self.config | changes)

    def copied(self) -> Project:
        """Copy the project, just as it is, into our workspace."""
        shutil.copytree(self.source, self.folder, symlinks=True)
        return opened(self.folder)


def lose_the_database(workspace: Path) -> None:
    for path in workspace.glob("whet.db*"):
        path.unlink()
