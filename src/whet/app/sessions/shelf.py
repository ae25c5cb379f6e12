"""Where sessions are: look them up by any of their names, and read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from whet.app.app import App
from whet.app.parts import every_reader
from whet.core.errors import InvalidDocument, NotFound, UsageError
from whet.core.trial import TrialRecord
from whet.documents.session import PhaseAnnotation, Session
from whet.documents.text import parse_json
from whet.ports.recorded import Recorded
from whet.ports.session_entry import SessionEntry
from whet.ports.session_index import SessionIndex
from whet.ports.store import Store

FOLDER = "sessions"
ANNOTATIONS = "session_annotations"
"""The kind of state that has what was said of a trial's session, by address and generation."""


@dataclass(frozen=True, slots=True)
class Feed:
    """``ports.session_index.RecordFeed`` on a store."""

    store: Store

    def at_cursor(self, cursor: int) -> tuple[str, int] | None:
        """See the port."""
        return self.store.ledger.at_cursor(cursor)

    def recorded(self, after: int, limit: int) -> Sequence[Recorded]:
        """See the port."""
        return self.store.ledger.recorded(after, limit)

    def session(self, digest: str) -> JsonValue:
        """See the port."""
        return parse_json(self.store.blobs.get(digest), f"session {digest[:16]}")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A session that was read."""

    entry: SessionEntry
    session: Session
    revision: int = 0
    """Of the annotations of a trial's session; 0 where there are none."""


@dataclass(frozen=True)
class Shelf:
    """Every session of a workspace, as its index knows them."""

    app: App
    index: SessionIndex

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self.app.settings.workspace / FOLDER

    def find(self, reference: str) -> SessionEntry:
        """Raises ``NotFound``, and ``UsageError`` where several fit."""
        return self.index.find(reference)

    def load(self, reference: str) -> Loaded:
        """A session with all that was said of it. One of many calls that nobody has looked at
        yet has the phases that its calls show. Raises as ``find`` does, and ``InvalidDocument``."""
        entry = self.find(reference)
        if entry.path is not None:
            return Loaded(entry, _looked_at(self.file(entry.path)))
        record = self.record(entry)
        session = self._of_trial(record)
        kept = self.app.store.states.get(ANNOTATIONS, state_key(entry))
        if kept is None:
            return Loaded(entry, _looked_at(session))
        said = kept.value.get("phase_annotations")
        every = tuple(
            PhaseAnnotation.parse(one, f"annotations of {entry.name}")
            for one in (said if isinstance(said, list) else ())
        )
        told = session.model_copy(update={"phase_annotations": every})
        return Loaded(entry, told, kept.revision)

    def file(self, path: str) -> Session:
        """The session in a file of the workspace. What is not in the present format is read as an
        import would."""
        whole = self.app.settings.workspace / path
        try:
            return Session.load(whole)
        except InvalidDocument:
            return Session.parse(_read(self.app, whole)[0], path)

    def record(self, entry: SessionEntry) -> TrialRecord:
        """The record of a trial's session; raises ``NotFound``."""
        address, generation = entry.trial_address or "", entry.generation
        for record in self.app.store.ledger.generations(address):
            if record.generation == generation:
                return record
        raise NotFound(f"no record of trial {address[:16]}")

    def _of_trial(self, record: TrialRecord) -> Session:
        name = f"session of trial {record.address[:16]}"
        return Session.parse(parse_json(self.app.store.blobs.get(record.session), name), name)


def state_key(entry: SessionEntry) -> str:
    """Under which a trial's annotations are kept."""
    return f"{entry.trial_address}/{entry.generation}"


def from_path(app: App, path: Path) -> Loaded:
    """The session of a log that need not be imported; raises ``UsageError`` if it has several."""
    found = _read(app, path)
    if len(found) > 1:
        raise UsageError(f"{path} has {len(found)} sessions; import it, and choose one of them")
    session = Session.parse(found[0], str(path))
    entry = SessionEntry(
        name=path.name,
        kind="file",
        session_id=session.session_id,
        title=session.task_title,
        prompt=session.user_prompt[:200],
        status=session.status,
        engine=session.engine,
        model=session.agent.model_id,
        created_at=session.created_at,
        completed_at=session.completed_at,
        duration_ms=session.summary.total_duration_ms,
        calls=len(session.tool_calls),
        failed=sum(call.output.status == "failed" for call in session.tool_calls),
        input_tokens=session.input_tokens,
        output_tokens=session.output_tokens,
        cost_usd=session.cost_usd,
        simulated=session.simulated,
        skills=tuple(session.skills_used or ()),
        path=str(path),
        source_file=session.source_file,
        source_format=session.source_format,
    )
    return Loaded(entry, _looked_at(session))


def _looked_at(session: Session) -> Session:
    """With automatic phases, where there are many calls and nobody has said anything. Somebody
    who took all phases away has: then there is an empty list."""
    if session.phase_annotations is not None:
        return session
    from whet.replay.annotate import auto_annotated

    return auto_annotated(session, session.completed_at)


def _read(app: App, path: Path) -> list[dict[str, JsonValue]]:
    """The sessions of a log."""
    from whet.readers.sessions import read_log  # a list reads none

    return [*read_log(path, every_reader(app.parts)).sessions()]
