"""The user's own folder: what belongs to this machine and never into a workspace.

The policy of the machine lies there, what the user agreed to, and the secrets of each workspace.
Workspaces are copied, exported and handed on; this folder is not.
"""

from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from whet.app.settings import Settings
from whet.core.address import digest
from whet.core.errors import EnvironmentProblem
from whet.curate.locks import locked
from whet.documents.files import write_atomic

_IDENTITY = ".workspace-id"
_PRIVATE_FILE = 0o600
_PRIVATE_FOLDER = 0o700


@dataclass(frozen=True)
class UserFolder:
    """The folder of a user, with what it has for one workspace."""

    settings: Settings

    @property
    def root(self) -> Path:
        """Where it lies; raises ``EnvironmentProblem`` for one in the workspace."""
        folder = self.settings.config_folder
        if folder.resolve().is_relative_to(self.settings.workspace.resolve()):
            raise EnvironmentProblem(
                f"{folder} lies in the workspace, which may be a stranger's; set WHET_CONFIG_DIR"
            )
        return folder

    def workspace_identity(self, *, make: bool = False) -> str:
        """What tells this workspace from every other one on this machine: its own id, and the
        place it lies at. So a copy is another workspace. Empty where it has no id yet."""
        path = self.settings.workspace / _IDENTITY
        try:
            said = path.read_text(errors="replace").strip()
        except FileNotFoundError:
            said = ""
        except OSError as error:
            raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error
        if not said and make:
            said = self._new_identity(path)
        return digest([said, str(self.settings.workspace.resolve())]) if said else ""

    def _new_identity(self, path: Path) -> str:
        with locked(self.settings.workspace, "consents"):
            if not path.exists():
                write_atomic(path, f"{uuid4()}\n", durable=True, mode=_PRIVATE_FILE)
            return path.read_text().strip()

    def write(self, path: Path, text: str) -> None:
        """Write a file that only the user can read, in a folder that only the user can enter."""
        self.make(path.parent)
        write_atomic(path, text, durable=True, mode=_PRIVATE_FILE)

    def make(self, folder: Path) -> None:
        """Make a folder that only the user can enter; raises ``EnvironmentProblem``."""
        missing = [each for each in (folder, *folder.parents) if each.is_relative_to(self.root)]
        try:
            for each in reversed(missing):
                each.mkdir(parents=True, exist_ok=True, mode=_PRIVATE_FOLDER)
            folder.chmod(_PRIVATE_FOLDER)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {folder}: {error.strerror}; set WHET_CONFIG_DIR"
            ) from error
