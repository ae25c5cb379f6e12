"""Logs of elsewhere become sessions of the workspace.

A log is known by its content: importing it again changes nothing. One that has grown since is the
same session with more calls: its file is written anew under its name, and what people and engines
said of it stays.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

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
from whet.documents.session_import import ImportReport, Repairs
from whet.ports.reader import Reader
from whet.readers.discovery import candidates, histories, looked_through
from whet.readers.recognition import reader_for
from whet.readers.redacted_copy import RedactedLog, redacted_log, redacted_name
from whet.readers.sessions import ReadLog

MOST_NAMED = 10
"""Files that a message names."""

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

    redactions: dict[str, int] | None = None
    """How many secrets were replaced, by kind; null where they were kept."""

    beside: tuple[str, ...] = ()
    """Files that were read along with it, relative to its folder."""


class FoundLogs(NamedTuple):
    """What somebody named for an import."""

    logs: Sequence[Path]
    """The oldest first."""

    unrecognised: Sequence[Path]
    """Files in the same folders that are no session logs."""


class _Given(NamedTuple):
    """A log as somebody gave it."""

    log: Path
    shown: str
    before: tuple[int, int]
    """Its size and time when the import began."""


@dataclass(frozen=True)
class Intake:
    """Imports into the sessions of a workspace."""

    shelf: Shelf
    keep_secrets: bool = False
    """Whether keys, tokens and passwords in a log stay in what is made of it."""

    @property
    def _keeping(self) -> Keeping:
        return Keeping(self.shelf)

    @property
    def _originals(self) -> Originals:
        return self._keeping.originals

    @property
    def _readers(self) -> tuple[Reader, ...]:
        return every_reader(self.shelf.app.parts)

    def found(self, path: Path) -> FoundLogs:
        """What is in a file or below a folder; raises ``NotFound``, and ``UsageError`` where there
        is no log. What lies in the workspace is not imported again."""
        if path.is_file():
            return FoundLogs([path], [])
        inside = self.shelf.folder.resolve()
        there = looked_through(path, self._readers)
        every = [
            one.path for one in there.candidates if not one.path.resolve().is_relative_to(inside)
        ]
        workspace = self.shelf.app.settings.workspace.resolve()
        others = [one for one in there.unrecognised if workspace not in one.resolve().parents]
        if not every:
            raise UsageError(f"{path}: there is no session log in it{_passed_over(others, path)}")
        return FoundLogs(every[::-1], others)

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
        room = self._originals.room()
        try:
            source = self._redacted(log, reader, room)
            self._originals.keep(source.path, digest)
            read = ReadLog(source.path, reader, self._named(name))
            return self._read(read, source, digest, _Given(log, shown, before))
        finally:
            shutil.rmtree(room, ignore_errors=True)

    def _redacted(self, log: Path, reader: Reader, room: Path) -> RedactedLog:
        """The log to read and to keep: without its secrets, unless they are wanted."""
        if self.keep_secrets:
            return RedactedLog(log)
        repairs = Repairs(log.name)
        with suppress(WhetError):  # what is wrong with it is said when it is read in earnest
            for _ in reader.read(log, repairs):
                pass
        return redacted_log(log, repairs.files, room, self.shelf.app.settings.secrets)

    def _named(self, name: str) -> str:
        return name if self.keep_secrets else redacted_name(name, self.shelf.app.settings.secrets)

    def _read(
        self, read: ReadLog, source: RedactedLog, digest: str, given: "_Given"
    ) -> ImportedLog:
        done: list[ImportedSession] = []
        error: str | None = None
        try:
            for session in read.sessions():
                kept = self._keeping.keep(session, read.format, digest)
                done.append(kept)
        except EnvironmentProblem:
            raise
        except WhetError as problem:
            error = str(problem).replace(str(source.path), given.shown)
        if not done:
            self._keeping.drop_unused(digest)
            size = given.before[0]
            return ImportedLog(
                source=given.shown, status="refused", format=read.format, bytes=size, error=error
            )
        if _look(given.log) != given.before:
            said = "it was written to while it was read; import it again for the rest"
            read.repairs.note("missing", "grew", said)
        report = self._concluded(read, digest, source, done)
        return _told(self.shelf, given.shown, report, done, digest, error)

    def _known(self, digest: str, log: Path, shown: str) -> ImportedLog | None:
        """What the import of that very log came to, if nothing is missing of it."""
        report = self._originals.report(digest)
        if report is None or not self._is_as_wanted(report):
            return None
        if any(not _has_size(log.parent / one.file, one.bytes) for one in report.beside or ()):
            return None
        there = {one.name: one for one in self.shelf.index.of_log(digest)}
        names = report.names or ()
        if not names or any(name not in there for name in names):
            return None
        done = [imported(there[name], "unchanged") for name in names]
        return _told(self.shelf, shown, report, done, digest, None)

    def _is_as_wanted(self, report: ImportReport) -> bool:
        """Whether an earlier import has done with secrets what this one is to do."""
        return not report.redactions if self.keep_secrets else report.redactions is not None

    def _concluded(
        self, read: ReadLog, digest: str, source: RedactedLog, done: Sequence[ImportedSession]
    ) -> ImportReport:
        report = read.report().model_copy(
            update={
                "imported_at": iso(self.shelf.app.clock.now()),
                "names": tuple(one.name for one in done),
                **({} if self.keep_secrets else {"redactions": source.redactions}),
            }
        )
        with locked(self.shelf.app.settings.workspace, LOCK):
            # Others may have taken in more of the same log, or taken its sessions away, meanwhile.
            if not self.shelf.index.of_log(digest):
                self._originals.drop(digest)
                return report
            earlier = self._originals.report(digest)
            if earlier is None or not self._is_as_wanted(earlier):
                self._originals.drop(digest)  # a copy that may have secrets, or lack wanted ones
            files, sizes = read.repairs.files, source.sizes
            original = self._originals.keep(source.path, digest)
            beside = self._originals.keep_beside(digest, source.path, files, sizes)
            more = {"original": original, **({"beside": beside} if beside else {})}
            report = report.model_copy(update=more)
            self._originals.conclude(digest, report)
        return report


def every_log(intake: Intake, paths: Sequence[Path], agent: str | None) -> FoundLogs:
    """All that is to be imported, each once; raises ``UsageError`` where nothing is named. What
    else an agent keeps in its history is not told."""
    if not paths and agent is None:
        raise UsageError("name a file or a folder, or an agent: --history claude, or all")
    found = [intake.found(path) for path in paths]
    history = () if agent is None else intake.history(agent)
    every = [*(log for one in found for log in one.logs), *history]
    logs = {log.resolve(): log for log in reversed(every)}
    others = {file.resolve(): file for one in found for file in one.unrecognised}
    return FoundLogs(
        [*reversed(logs.values())], [file for place, file in others.items() if place not in logs]
    )


def without_read_along(found: FoundLogs, done: Sequence[ImportedLog]) -> list[Path]:
    """The files that nobody has made anything of, once the logs are imported."""
    used = {
        (log.parent / name).resolve()
        for log, one in zip(found.logs, done, strict=True)
        for name in one.beside
    }
    return [file for file in found.unrecognised if file.resolve() not in used]


def _passed_over(files: Sequence[Path], folder: Path) -> str:
    names = ", ".join(str(file.relative_to(folder)) for file in files[:MOST_NAMED])
    more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
    return f"; these are none: {names}{more}" if files else ""


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
        redactions=report.redactions,
        beside=tuple(one.file for one in report.beside or ()),
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
