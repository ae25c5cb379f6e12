"""The agent's own home: fresh folders and an environment with nothing of the user's in it."""

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from whet.core.errors import EnvironmentProblem
from whet.engines.agent_cli.credential import Credential
from whet.engines.agent_cli.inside import as_it_was, inside
from whet.engines.agent_cli.network import handed_on
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir


@dataclass(frozen=True, slots=True)
class Home:
    """Lies beside the working folder, outside of it, and goes with it."""

    folder: Path
    tmp: Path

    @classmethod
    def below(cls, workdir: Workdir) -> "Home":
        """Make the folders, or find those of an earlier part of the conversation.

        The agent could write there meanwhile; nothing we follow may lead elsewhere.
        """
        for skill in (workdir.skill, *workdir.neighbours):
            if skill is not None:
                as_it_was(skill)
        root = workdir.root
        home = cls(inside(root / "home", root), inside(root / "tmp", root))
        home.folder.mkdir(exist_ok=True)
        home.tmp.mkdir(exist_ok=True)
        return home

    def write(self, path: str, text: str) -> Path:
        """Write a file below the home, for its owner's eyes only."""
        target = self.folder / path
        inside(target.parent, self.folder.parent).mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        return target

    def hand_over(self, credential: Credential) -> None:
        """Put the files of a credential in their places."""
        for path, text in credential.files.items():
            self.write(path, text)

    def environment(self, machine: Machine) -> dict[str, str]:
        """All that every agent gets; its engine adds what is peculiar to it."""
        folder = str(self.folder)
        return {
            "PATH": machine.environment.get("PATH", os.defpath),
            "HOME": folder,
            "TMPDIR": str(self.tmp),
            "XDG_CONFIG_HOME": f"{folder}/.config",
            "XDG_DATA_HOME": f"{folder}/.local/share",
            "XDG_STATE_HOME": f"{folder}/.local/state",
            "XDG_CACHE_HOME": f"{folder}/.cache",
            "SHELL": "/bin/sh",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "CI": "1",
            **handed_on(machine),
        }


def passed(machine: Machine, names: Collection[str]) -> dict[str, str]:
    """Variables of the user's that a trial asks for by name; raises ``EnvironmentProblem``."""
    for name in names:
        if name not in machine.environment:
            raise EnvironmentProblem(f"{name} is not set, and the trial asks to pass it on")
    return {name: machine.environment[name] for name in names}
