"""The commands for jobs in this process, on a workspace of their own."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import Result

from tests.cli.calls import run
from whet.app.library.library import library
from whet.app.packages.packages import Packages

EXAMPLE = Path(__file__).parents[3] / "examples" / "text-report"
ENGINES = ("claude", "codex", "simulated")
TEXT = "The Rhine is long. Ships use the Rhine.\n"
WORDS = 8

ASKING = """
Ask the user for the audience. Ask the user to choose between short and long.
Ask the user to confirm the title. Ask the user to upload `notes.txt`.
"""


@dataclass(frozen=True)
class Desk:
    """A workspace, and a document to report on."""

    folder: Path

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    @property
    def document(self) -> Path:
        path = self.folder / "rivers.txt"
        if not path.exists():
            path.write_text(TEXT)
        return path

    @property
    def given(self) -> tuple[str, ...]:
        """The inputs of the example."""
        return ("--input", "title=Rivers", "--file", f"document={self.document}")

    def install(self, package: Path = EXAMPLE) -> None:
        with library(self.workspace, "skill") as shelf:
            Packages(shelf, ENGINES).install(package)

    def call(self, *arguments: str | Path, given: str | None = None) -> Result:
        """Run a command, whatever comes of it."""
        return run(*arguments, "--workspace", self.workspace, given=given)

    def done(self, *arguments: str | Path, given: str | None = None) -> str:
        """What a command prints when all goes well."""
        result = self.call(*arguments, given=given)
        assert result.exit_code == 0, result.output
        return result.stdout

    def read(self, *arguments: str | Path, given: str | None = None) -> dict[str, Any]:
        return json.loads(self.done(*arguments, "--json", given=given))

    def refused(self, *arguments: str | Path) -> str:
        """What a command says where it cannot be done."""
        result = self.call(*arguments)
        assert (result.exit_code, result.stdout) == (2, ""), result.output
        assert result.stderr.startswith("whet: ")
        return result.stderr

    def reported(self, *more: str) -> dict[str, Any]:
        """A job that was done."""
        return self.read("run", EXAMPLE, *self.given, *more)

    def package(self, name: str, text: str = "") -> Path:
        """The example under another name, and with more to do."""
        folder = self.folder / name
        for path in EXAMPLE.rglob("*"):
            if path.is_file():
                target = folder / path.relative_to(EXAMPLE)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(path.read_text().replace("text-report", name))
        entry = folder / "SKILL.md"
        entry.write_text(entry.read_text() + text)
        return folder
