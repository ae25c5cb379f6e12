"""``eval/{run_id}/{case_id}/``: what each agent left of its working folder, for people to look at.

Agents work elsewhere, as everywhere. What is laid here comes from what was kept of the trial, and
goes with the run, or after some days.
"""

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from whet.core.address import digest_bytes
from whet.core.case import Case
from whet.core.errors import WhetError
from whet.core.files import inside
from whet.core.trial import TrialRecord
from whet.ports.blobs import Blobs
from whet.ports.store import Store
from whet.ports.timers import Timer

KEPT = timedelta(days=7)
KIND = "evaluation_folder"


@dataclass(frozen=True)
class Folders:
    """The folders of all runs of a workspace."""

    workspace: Path
    blobs: Blobs

    def of(self, run_id: str) -> Path:
        """Where the folders of a run are."""
        return self.workspace / "eval" / _name(run_id)

    def lay(self, run_id: str, case: Case, record: TrialRecord) -> str | None:
        """Lay down what is kept of a trial; returns what went wrong, if anything did. Whatever it
        is, it is no reason to end the run."""
        target = self.of(run_id) / _name(case.id)
        try:
            if _is_linked(target.parent):
                return f"{target} is below a link, which is not followed"
            _make_afresh(target)
            for path, digest in _tree(case, record).items():
                self._write(target / path, digest)
        except (OSError, WhetError) as error:
            return f"the folder of case {case.id} is not complete: {error}"
        return None

    def has(self, run_id: str, case_id: str) -> bool:
        """Whether a case has its folder."""
        return (self.of(run_id) / _name(case_id)).is_dir()

    def remove(self, run_id: str) -> None:
        """Remove the folders of a run."""
        folder = self.of(run_id)
        if not _is_linked(folder):
            shutil.rmtree(folder, ignore_errors=True)
            with contextlib.suppress(OSError):  # others are still in there
                folder.parent.rmdir()

    def _write(self, path: Path, digest: str) -> None:
        data = self.blobs.get(digest)
        # An agent may have put a file where a folder was.
        with contextlib.suppress(FileExistsError, NotADirectoryError, IsADirectoryError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(data)


def remember(store: Store, run_id: str, now: datetime) -> None:
    """Let the folder of a run go after some days, counted from now."""
    store.timers.set(Timer(KIND, run_id, now + KEPT, {}))


def forgotten(store: Store, now: datetime) -> Iterator[str]:
    """The runs whose folders have been there long enough, each told to one caller only."""
    for timer in store.timers.due(now, (KIND,)):
        if store.timers.take(KIND, timer.key, timer.due):
            yield timer.key


def _tree(case: Case, record: TrialRecord) -> dict[str, str]:
    """What lay in the folder at the end, by path: what the agent wrote goes before what it got."""
    found = {file.path: file.digest for file in record.outputs}
    gone = frozenset(record.deleted)
    for file in case.stimulus.files:
        if file.path not in gone:
            found.setdefault(file.path, file.digest)
    return {path: digest for path, digest in found.items() if _is_inside(path)}


def _is_inside(path: str) -> bool:
    try:
        inside(path)
    except ValueError:
        return False
    return True


def _is_linked(folder: Path) -> bool:
    """Whether the folder of a run, or that of all runs, is a link to somewhere else."""
    return folder.is_symlink() or folder.parent.is_symlink()


def _make_afresh(folder: Path) -> None:
    """An empty folder, also where one is left from before."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        shutil.rmtree(folder)
        folder.mkdir()


def _name(identity: str) -> str:
    """*identity* if it can be the name of a folder, else one that stands for it."""
    plain = identity.replace("-", "").replace("_", "").replace(".", "")
    if plain.isalnum() and not identity.startswith(".") and len(identity.encode()) <= 100:
        return identity
    return digest_bytes(identity.encode(errors="replace"))[:32]
