"""Logs of elsewhere become sessions of the workspace.

A log is known by its content: importing it again changes nothing. One that has grown since is the
same session with more calls: its file is written anew under its name, and what people and engines
said of it stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.app.parts import every_reader
from whet.app.sessions.annotate import LOCK
from whet.app.sessions.keep import ImportedSession, Keeping, imported
from whet.app.sessions.originals import FOLDER as ORIGINALS
from whet.app.sessions.originals import Originals, digest_of
from whet.app.sessions.shelf import Shelf
from whet.core.errors import EnvironmentProblem, NotFound, UsageError, WhetError
from whet.core.instant import iso
from whet.core.value import Value
from whet.curate.locks import locked
from whet.documents.session_import import ImportReport
from whet.ports.reader import Reader
from whet.readers.discovery import candidates, histories
from whet.readers.recognition import reader_for
from whet.readers.sessions import ReadLog

AGENTS = ("claude", "codex", "gemini", "opencode")
"""Those whose history can be found."""


class ImportedLog(Value):
    """What the import of one log came to."""

    source: str
    status: Literal["imported", "updated", "unchanged", "refused"]
    format: str | None = None
    bytes: int = 0
    sessions: tuple[ImportedSession, ...] = ()
    calls: int = 0
    repairs: int = 0
    """How many things had to be mended or are missing, all told."""

    findings: tuple[dict[str, JsonValue], ...] = ()
    original: str | None = None
    """The kept log, relative to the workspace."""

    report: str | None = None
    error: str | None = None
    """Why it was refused, with line and column where there are any."""


@dataclass(frozen=True)
class Intake:
    """Imports into the sessions of a workspace."""

    shelf: Shelf

    @property
    def _keeping(self) -> Keeping:
        return Keeping(self.shelf)

    @property
    def _originals(self) -> Originals:
        return self._keeping.originals

    @property
    def _readers(self) -> tuple[Reader, ...]:
        return every_reader(self.shelf.app.parts)

    def found(self, path: Path) -> Sequence[Path]:
        """The logs in a file or below a folder, the oldest first; raises ``NotFound``, and
        ``UsageError`` where there is none. What lies in the workspace is not imported again."""
        if path.is_file():
            return [path]
        inside = self.shelf.folder.resolve()
        every = [
            one.path
            for one in candidates(path, self._readers)
            if not one.path.resolve().is_relative_to(inside)
        ]
        if not every:
            raise UsageError(f"{path}: there is no session log in it")
        return every[::-1]

    def history(self, agent: str) -> Sequence[Path]:
        """The logs that an agent keeps on this machine, or ``all`` do; raises ``NotFound``."""
        if agent not in (*AGENTS, "all"):
            raise UsageError(f"no history of {agent!r} is known; there are: {', '.join(AGENTS)}")
        places = histories(self.shelf.app.settings.machine)
        meant = [place for name, place in places if agent in (name, "all")]
        found: dict[Path, None] = {}
        for place in meant:
            for one in candidates(place, self._readers)[::-1]:
                found[one.path] = None
        if not found:
            whose = "any agent" if agent == "all" else agent
            raise NotFound(f"there is no history of {whose} on this machine")
        return [*found]

    def take(self, log: Path, source: str | None = None) -> ImportedLog:
        """Import one log; what cannot be read is told and not raised. *source* is what it is
        called, if that is not the name of the file."""
        shown = source or str(log)
        try:
            done = self._take(log, shown, source or log.name)
        except EnvironmentProblem:
            raise
        except WhetError as error:
            done = ImportedLog(source=shown, status="refused", error=str(error))
        if done.error is None:
            return done
        # Whoever sent it does not know where it lies here.
        return done.model_copy(update={"error": done.error.replace(str(log), shown)})

    def _take(self, log: Path, shown: str, name: str) -> ImportedLog:
        if log.resolve().is_relative_to(self.shelf.folder.resolve()):
            raise UsageError(f"{log}: lies in the workspace already")
        reader = reader_for(log, self._readers)
        digest = digest_of(log)
        if (known := self._known(digest, log, shown)) is not None:
            return known
        before = _look(log)
        self._originals.sweep()
        self._originals.keep(log, digest)
        read = ReadLog(log, reader, name)
        done: list[ImportedSession] = []
        error: str | None = None
        try:
            for session in read.sessions():
                kept = self._keeping.keep(session, reader.name, digest)
                done.append(kept)
        except EnvironmentProblem:
            raise
        except WhetError as problem:
            error = str(problem)
        if not done:
            self._keeping.drop_unused(digest)
            return ImportedLog(
                source=shown, status="refused", format=reader.name, bytes=before[0], error=error
            )
        if _look(log) != before:
            said = "it was written to while it was read; import it again for the rest"
            read.repairs.note("missing", "grew", said)
        report = self._concluded(read, digest, log, done)
        return _told(self.shelf, shown, report, done, digest, error)

    def _known(self, digest: str, log: Path, shown: str) -> ImportedLog | None:
        """What the import of that very log came to, if nothing is missing of it."""
        report = self._originals.report(digest)
        if report is None or any(
            not _has_size(log.parent / one.file, one.bytes) for one in report.beside or ()
        ):
            return None
        there = {one.name: one for one in self.shelf.index.of_log(digest)}
        names = report.names or ()
        if not names or any(name not in there for name in names):
            return None
        done = [imported(there[name], "unchanged") for name in names]
        return _told(self.shelf, shown, report, done, digest, None)

    def _concluded(
        self, read: ReadLog, digest: str, log: Path, done: Sequence[ImportedSession]
    ) -> ImportReport:
        report = read.report().model_copy(
            update={
                "imported_at": iso(self.shelf.app.clock.now()),
                "names": tuple(one.name for one in done),
            }
        )
        with locked(self.shelf.app.settings.workspace, LOCK):
            # Others may have taken in more of the same log, or taken its sessions away, meanwhile.
            if not self.shelf.index.of_log(digest):
                self._originals.drop(digest)
                return report
            original = self._originals.keep(log, digest)
            beside = self._originals.keep_beside(digest, log, read.repairs.files)
            more = {"original": original, **({"beside": beside} if beside else {})}
            report = report.model_copy(update=more)
            self._originals.conclude(digest, report)
        return report


def every_log(intake: Intake, paths: Sequence[Path], agent: str | None) -> Iterator[Path]:
    """All that is to be imported, each once; raises ``UsageError`` where nothing is named."""
    if not paths and agent is None:
        raise UsageError("name a file or a folder, or an agent: --history claude, or all")
    seen: set[Path] = set()
    history = () if agent is None else intake.history(agent)
    for log in (*(one for path in paths for one in intake.found(path)), *history):
        if (place := log.resolve()) not in seen:
            seen.add(place)
            yield log


def _told(
    shelf: Shelf,
    shown: str,
    report: ImportReport,
    done: Sequence[ImportedSession],
    digest: str,
    error: str | None,
) -> ImportedLog:
    outcomes = {one.outcome for one in done}
    status = (
        "imported" if "new" in outcomes else "updated" if "updated" in outcomes else "unchanged"
    )
    place = shelf.folder / ORIGINALS / digest
    there = place.is_dir()
    folder = f"sessions/{ORIGINALS}/{digest}"
    return ImportedLog(
        source=shown,
        status="refused" if error else status,
        format=report.format,
        bytes=report.bytes,
        sessions=tuple(done),
        calls=sum(one.calls for one in done),
        repairs=sum(finding.count for finding in report.findings),
        findings=tuple(_findings(report)),
        original=f"{folder}/{report.original}" if there and report.original else None,
        report=f"{folder}/report.json" if there else None,
        error=error,
    )


def _findings(report: ImportReport) -> Iterator[dict[str, JsonValue]]:
    for finding in report.findings:
        data = finding.to_data()
        if isinstance(data, dict):
            yield data


def _look(log: Path) -> tuple[int, int]:
    found = log.stat()
    return found.st_size, found.st_mtime_ns


def _has_size(file: Path, size: int) -> bool:
    try:
        return file.stat().st_size == size
    except OSError:
        return False
