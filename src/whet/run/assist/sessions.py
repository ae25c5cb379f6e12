"""The short-lived sessions with a model: ``cli/temp_session/``, one small file for each."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from whet.core.errors import EnvironmentProblem, InvalidDocument, NotFound, WhetError
from whet.core.instant import iso_seconds
from whet.documents.files import write_atomic
from whet.documents.settings import TempSession
from whet.ports.clock import Clock

PREFIX = "tmp_sess_"
DAYS = 7.0
MOST_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Sessions:
    """The sessions in a folder, which is made when it is needed; each is kept for *days*."""

    folder: Path
    clock: Clock
    days: float = DAYS
    owner: str | None = None
    """The process that asks, by which others know whether a session is still alive."""

    def begin(
        self,
        purpose: Literal["auto_tag", "baseline_gen", "project_test"],
        kind: str | None,
        target: str | None,
    ) -> TempSession:
        """A new session; those of one second are told apart by a number."""
        now = self.clock.now()
        stem = f"{PREFIX}{now.astimezone(UTC):%Y%m%d%H%M%S}"
        identity, number = stem, 1
        while True:
            session = TempSession(
                session_id=identity,
                created_at=iso_seconds(now),
                expires_at=iso_seconds(now + timedelta(days=self.days)),
                purpose=purpose,
                related_target_type=kind,
                related_target_id=target,
                status="active",
                context_exports=(),
                owner=self.owner,
            ).lean()
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                with self._path(session).open("x", encoding="utf-8") as file:
                    file.write(session.to_json())
            except FileExistsError:
                number += 1
                identity = f"{stem}_{number}"
            except OSError as error:
                reason = f"cannot write into {self.folder}: {error.strerror}"
                raise EnvironmentProblem(reason) from error
            else:
                return session

    def close(self, session: TempSession) -> TempSession:
        """The session is over; its record stays until it expires."""
        closed = session.model_copy(update={"status": "closed"})
        write_atomic(self._path(session), closed.to_json(), durable=False)
        return closed

    def export(self, session: TempSession, name: str, text: str) -> TempSession:
        """Keep a conversation of the session as a file, for as long as its record is kept."""
        path = self.folder / session.session_id / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentProblem(f"cannot make {path.parent}: {error.strerror}") from error
        write_atomic(path, text, durable=False)
        told = "/".join((*self.folder.parts[-2:], session.session_id, name))
        grown = session.model_copy(update={"context_exports": (*session.context_exports, told)})
        write_atomic(self._path(session), grown.to_json(), durable=False)
        return grown

    def abandoned(self, is_alive: Callable[[str], bool]) -> list[TempSession]:
        """Those that were never closed and whose process is gone."""
        found: list[TempSession] = []
        for path in sorted(self.folder.glob(f"{PREFIX}*.json")):
            with suppress(WhetError):  # not readable as a session
                session = _read(path)
                is_ours = session.owner is not None and path.stem == session.session_id
                if is_ours and session.status != "closed" and not is_alive(session.owner or ""):
                    found.append(session)
        return found

    def sweep(self) -> None:
        """Let go of old ones; every use of a model for the library begins with that."""
        expire(self.folder, self.clock.now())

    def _path(self, session: TempSession) -> Path:
        return self.folder / f"{session.session_id}.json"


@dataclass(frozen=True)
class Expired:
    """What a sweep came upon, by file name."""

    marked: tuple[str, ...]
    removed: tuple[str, ...]
    broken: tuple[str, ...]
    """Not readable as sessions; they are left alone."""


def expire(folder: Path, now: datetime) -> Expired:
    """Mark the sessions whose time is up, and remove those marked ones whose time is up twice.

    So whoever looks sees for as long again that a session was never closed or is about to go.
    """
    found: dict[str, list[str]] = {"marked": [], "removed": [], "broken": []}
    for path in sorted(folder.glob(f"{PREFIX}*.json")):
        try:
            fate = _swept(path, now)
        except WhetError:
            fate = "broken"
        if fate is not None:
            found[fate].append(path.name)
    return Expired(tuple(found["marked"]), tuple(found["removed"]), tuple(found["broken"]))


def _swept(path: Path, now: datetime) -> Literal["marked", "removed"] | None:
    try:
        session = _read(path)
        created, expires = (
            _moment(path, text) for text in (session.created_at, session.expires_at)
        )
        if session.status == "expired" and now >= expires + (expires - created):
            path.unlink()
            if path.stem == session.session_id:
                shutil.rmtree(path.with_suffix(""), ignore_errors=True)
            return "removed"
        if session.status != "expired" and now >= expires:
            expired = session.model_copy(update={"status": "expired"})
            write_atomic(path, expired.to_json(), durable=False)
            return "marked"
    except (FileNotFoundError, NotFound):  # another process sweeps as well
        return None
    except (OSError, OverflowError) as error:
        raise InvalidDocument(path, "", str(error)) from error
    return None


def _read(path: Path) -> TempSession:
    if path.is_symlink() or (path.exists() and path.stat().st_size > MOST_BYTES):
        raise InvalidDocument(path, "", "no session")
    return TempSession.load(path)


def _moment(path: Path, text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidDocument(path, "", f"{text!r} is no point in time") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
