"""The logs that sessions were read from: ``sessions/originals/{digest}/``.

The digest is that of the log as it was; what is kept is the log without its secrets.

They are files and not blobs: a log may have hundreds of megabytes, and goes from file to file in
small pieces. The folder has the log under its own name, what was read along with it in ``beside/``,
and the repair report. It appears whole, and nobody changes it but to add the report in the end.
"""

import hashlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from whet.core.errors import EnvironmentProblem, NotFound, UsageError, WhetError
from whet.documents.files import reason, write_atomic
from whet.documents.session_import import BesideFile, ImportReport
from whet.readers.redacted_copy import DATABASE

FOLDER = "originals"
REPORT = "report.json"
BESIDE = "beside"
_PIECE = 1024 * 1024
_OLD_SECONDS = 3600.0
_LONGEST_NAME = 200
"""Bytes; most file systems take 255."""


@dataclass(frozen=True)
class Originals:
    """The kept logs of a workspace; *folder* is ``sessions/originals``."""

    folder: Path

    def place(self, digest: str) -> Path:
        """Where a log is kept, or would be."""
        return self.folder / digest

    def report(self, digest: str) -> ImportReport | None:
        """What the import of a log came to; None where it did not come to its end."""
        try:
            return ImportReport.load(self.place(digest) / REPORT)
        except WhetError:
            return None

    def keep(self, log: Path, digest: str) -> str:
        """Copy a log; returns the name of the copy. One that is there stays as it is, whatever the
        log is called now."""
        place = self.place(digest)
        if (there := _kept_in(place)) is not None:
            return there
        self.drop(digest)  # a folder without its log is a leftover
        temporary = self.room()
        try:
            temporary.mkdir(parents=True)
            try:
                _copy(log, temporary / kept_name(log))
                temporary.rename(place)
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                if (there := _kept_in(place)) is not None:  # somebody else was faster
                    return there
                raise
        except OSError as error:
            raise EnvironmentProblem(f"cannot keep {log}: {reason(error)}") from error
        return kept_name(log)

    def keep_beside(
        self, digest: str, log: Path, files: Iterable[Path], sizes: Mapping[Path, int]
    ) -> tuple[BesideFile, ...]:
        """Copy what was read along with a log; *sizes* are those before it was redacted."""
        kept: list[BesideFile] = []
        for file in dict.fromkeys(files):
            if file == log:
                continue
            name = _relative(file, log.parent)
            target = self.place(digest) / BESIDE / name
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
            except OSError as error:
                raise EnvironmentProblem(f"cannot keep {file}: {reason(error)}") from error
            kept.append(BesideFile(file=str(name), bytes=sizes.get(file, target.stat().st_size)))
        return tuple(kept)

    def room(self) -> Path:
        """A name for a folder in which an import may work, which ``sweep`` removes if it does not
        remove it itself."""
        return self.folder / f".{os.urandom(8).hex()}.tmp"

    def conclude(self, digest: str, report: ImportReport) -> None:
        """Write the repair report, with which an import is complete."""
        write_atomic(self.place(digest) / REPORT, report.to_json(), durable=True)

    def drop(self, digest: str) -> None:
        """Remove a log that no session is read from any more."""
        if digest and PurePosixPath(digest).name == digest:
            shutil.rmtree(self.place(digest), ignore_errors=True)

    def sweep(self) -> None:
        """Remove what killed processes left, once nobody can be at it any more."""
        with suppress(OSError):
            for left in self.folder.glob(".*.tmp"):
                if time.time() - left.lstat().st_mtime > _OLD_SECONDS:
                    shutil.rmtree(left, ignore_errors=True)


def digest_of(log: Path) -> str:
    """The digest of a log, read piece by piece; of a database also of its newest changes, which
    lie in a file beside it. Raises ``WhetError``."""
    found = hashlib.sha256()
    is_database = _hash(log, found)
    ahead = log.with_name(f"{log.name}-wal")
    if is_database and ahead.is_file():
        _hash(ahead, found)
    return found.hexdigest()


def kept_name(log: Path) -> str:
    """The name of a log's copy: its own, unless that is the report's or odd."""
    plain = "".join(c if c.isprintable() and c not in "/\\" else "_" for c in log.name)
    short = plain.lstrip(".").encode(errors="replace")[-_LONGEST_NAME:]
    plain = short.decode(errors="ignore") or "log"
    return f"log-{plain}" if plain in (REPORT, BESIDE) else plain


def _kept_in(place: Path) -> str | None:
    """The name of the log in a folder, if there is one."""
    try:
        names = sorted(entry.name for entry in place.iterdir())
    except OSError:
        return None
    return next((name for name in names if name not in (REPORT, BESIDE) and name[0] != "."), None)


def _hash(file: Path, into: "hashlib._Hash") -> bool:
    """Add a file; whether it is a database."""
    try:
        with file.open("rb", buffering=0) as stream:
            first = piece = stream.read(_PIECE)
            while piece:
                into.update(piece)
                piece = stream.read(_PIECE)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"{file}: no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{file}: is not a file") from None
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {file}: {reason(error)}") from error
    return first.startswith(DATABASE)


def _copy(log: Path, target: Path) -> None:
    with log.open("rb") as stream:
        is_database = stream.read(len(DATABASE)) == DATABASE
    if is_database:
        _copy_database(log, target)
    else:
        shutil.copyfile(log, target)
    with target.open("rb") as stream:
        os.fsync(stream.fileno())


def _copy_database(log: Path, target: Path) -> None:
    """As it is at one moment, whoever writes to it."""
    try:
        with (
            closing(sqlite3.connect(f"file:{quote(str(log.resolve()))}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new, pages=1000)
    except sqlite3.Error:
        shutil.copyfile(log, target)


def _relative(file: Path, folder: Path) -> PurePosixPath:
    try:
        return PurePosixPath(file.relative_to(folder))
    except ValueError:
        return PurePosixPath(file.name)
