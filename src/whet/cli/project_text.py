"""How projects are named on the terminal."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from whet.app.settings import Settings
from whet.cli.asset_output import command, line
from whet.core.naming import short
from whet.evaluate.project import Project
from whet.evaluate.review import printable


@dataclass(frozen=True)
class Names:
    """Commands to be typed next, for the workspace that this one was given."""

    settings: Settings
    workspace: Path | None

    def command(self, verb: str, project: Project | str, more: str = "") -> str:
        """A command for a project, by the beginning of its id."""
        identity = project if isinstance(project, str) else project.config.id
        words = f"project {verb} {shlex.quote(line(short(identity)))} {more}".rstrip()
        return printable(command(words, self.workspace))


def span(seconds: float) -> str:
    """A time that something takes, ``1:02:03`` or ``0:42``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def share(rate: float | None) -> str:
    """A share of checks that passed, in percent."""
    return "–" if rate is None else f"{round(100 * rate, 1):g} %"
