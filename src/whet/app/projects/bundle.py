"""A project as one file, and back.

The file is a zip of the project's folder: configuration, copies of skills and baselines, results,
reports and logs. On request the records of its trials are in it too, as cassettes. Elsewhere it
starts nothing, and its numbers are those that its results come to there.
"""

import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whet.app.app import App
from whet.app.cassettes import export_cassette, trials_in
from whet.app.library.unpacked import shown_name
from whet.app.projects.arrival import adopted, believed, refuse_present, take_trials
from whet.app.projects.bundle_zip import files_of, unfold
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.redaction import Redactor, redactor
from whet.curate.archive import add, few, plain_entry
from whet.curate.lint.secrets import is_secret_file, secrets_in
from whet.curate.locks import locked
from whet.curate.segments import shown
from whet.documents.files import reason, unfinished_folder
from whet.evaluate.project import Project, placed

IN_ONE_CASSETTE = 2_000
"""Trials; each has a record, a session, a tape and what it made, and a cassette takes 65,000."""

_COPIES = ("skills/", "baselines/")
_NEEDED = ("config.json", "/meta.json", "/content.txt", "/cases.json", "/package/SKILL.md")
"""What a project cannot do without."""


@dataclass(frozen=True)
class BundledProject:
    """What an export came to."""

    file: Path
    files: int
    trials: int
    notes: tuple[str, ...]
    """What was left out, and why."""


@dataclass(frozen=True)
class TakenProject:
    """What an import came to."""

    project: Project
    trials: int
    """Records that came along."""

    notes: tuple[str, ...]
    """What was not believed, or is not here, and why."""


def export_bundle(app: App, project: Project, out: Path, *, trials: bool = False) -> BundledProject:
    """Write a project to a file that must not be there yet; the same project gives the same bytes.

    With *trials* the records are in it: they can be replayed and graded anew elsewhere. Links are
    not followed, and files with secrets do not go in.
    """
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out} exists already; choose another name or remove it")
    try:
        with unfinished_folder(out.parent) as temporary:
            file = Path(temporary) / "project.zip"
            packer = _Packer(app, project, Path(temporary))
            with zipfile.ZipFile(file, "w") as archive:
                packer.pack(archive, trials=trials)
            with file.open("rb") as written:
                os.fsync(written.fileno())
            file.rename(out)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {out}: {reason(error)}") from error
    return BundledProject(out, packer.files, packer.trials, tuple(few(packer.notes)))


class _Packer:
    def __init__(self, app: App, project: Project, scratch: Path) -> None:
        self._app = app
        self._project = project
        self._scratch = scratch
        self._top = project.folder.name
        self._redactor: Redactor = redactor(app.settings.secrets)
        self.files = 0
        self.trials = 0
        self.notes: list[str] = []

    def pack(self, archive: zipfile.ZipFile, *, trials: bool) -> None:
        for path, place in files_of(self._project.folder, self.notes):
            data, is_executable = _read(place)
            safe = self._safe(path, data)
            if safe is not None:
                self.files += 1
                add(archive, f"{self._top}/{path}", safe, executable=is_executable)
        for number, cassette in enumerate(self._cassettes() if trials else (), start=1):
            entry = plain_entry(f"{self._top}/trials/{number:04}.zip")
            entry.file_size = cassette.stat().st_size
            with cassette.open("rb") as source, archive.open(entry, "w") as sink:
                shutil.copyfileobj(source, sink)
            cassette.unlink()

    def _safe(self, path: str, data: bytes) -> bytes | None:
        """What may be given away of a file; None where that is nothing."""
        cleaned = self._redactor.data(data)
        if path != "config.json" and not path.startswith(_COPIES):
            if cleaned != data:
                self.notes.append(f"{shown(path)}: a secret in it is replaced")
            return cleaned
        is_needed = f"/{path}".endswith(_NEEDED)
        if cleaned == data and not secrets_in(data) and (is_needed or not is_secret_file(path)):
            return data
        if is_needed:
            raise UsageError(
                f"{shown(path)} of the project has a secret in it, which is never exported; make "
                "a new project without it"
            )
        self.notes.append(f"{shown(path)} is left out: it may hold a secret")
        return None

    def _cassettes(self) -> Iterator[Path]:
        known = {*self._app.store.ledger.addresses()}
        asked = sorted(known.intersection(trials_in(self._app, self._project)))
        for start in range(0, len(asked), IN_ONE_CASSETTE):
            file = self._scratch / "trials.zip"
            chunk = asked[start : start + IN_ONE_CASSETTE]
            self.trials += export_cassette(self._app, file, chunk).trials
            yield file


def _read(path: Path) -> tuple[bytes, bool]:
    """A file and whether it may be executed; a link that has taken its place is an error."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(), bool(os.fstat(descriptor).st_mode & stat.S_IXUSR)


def import_bundle(
    app: App, file: Path, *, renamed: bool = False, filename: str = ""
) -> TakenProject:
    """Take a project in from a file, whole or not at all, and start nothing.

    One whose id is here already is refused, unless it gets a new one: *renamed*. *filename* is
    what the file is called in messages. Raises ``InvalidImport`` with what is wrong with it.
    """
    name = shown_name(filename or file.name)
    root = app.settings.workspace / "projects"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(root) as temporary:
            folder = temporary / "project"
            unfold(file, folder, name)
            config = adopted(folder, name, renamed=renamed)
            refuse_present(app, config.id)
            trials = take_trials(app, Project(folder, config), name)
            with locked(app.settings.workspace, "projects-import"):
                refuse_present(app, config.id)
                project = Project(placed(folder, root, config, app.clock.now()), config)
        project, notes = believed(app, project)
    except OSError as error:
        raise EnvironmentProblem(f"cannot import into {root}: {reason(error)}") from error
    return TakenProject(project, trials, tuple(few(notes)))
