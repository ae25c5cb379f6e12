"""A session as a door tells it: its head without the calls, what was said, and by whom."""

from collections.abc import Sequence
from pathlib import Path

from whet.app.sessions.annotate import LOCK
from whet.app.sessions.keep import Keeping
from whet.app.sessions.shelf import Shelf
from whet.app.sessions.view import View
from whet.app.sessions.views import (
    Annotations,
    RemovedSession,
    SessionHead,
    SessionMessage,
    SessionMessages,
    SessionVerdict,
    Verdicts,
)
from whet.core.errors import NotFound, UsageError
from whet.curate.locks import locked
from whet.ports.session_entry import SessionEntry
from whet.replay.annotators import annotators

LONGEST_TEXT = 100_000
"""Of a prompt or an answer in a head; a page of messages has all of it."""

MOST_TEXT = 1_000_000
"""Characters on a page of messages, after which it ends; a longer message is a page of its own."""


def head(view: View) -> SessionHead:
    """A session without its calls."""
    session = view.loaded.session
    answer = session.final_answer
    return SessionHead(
        name=view.loaded.entry.name,
        session_id=session.session_id,
        task_title=session.task_title,
        task_description=session.task_description,
        user_prompt=session.user_prompt[:LONGEST_TEXT],
        created_at=session.created_at,
        completed_at=session.completed_at,
        status=session.status,
        agent=session.agent,
        summary=session.summary,
        engine=session.engine,
        engine_version=session.engine_version,
        sandbox=session.sandbox,
        simulated=session.simulated,
        final_answer=None if answer is None else answer[:LONGEST_TEXT],
        error=session.error,
        skills_used=session.skills_used or (),
        input_tokens=session.input_tokens,
        output_tokens=session.output_tokens,
        cache_read_tokens=session.cache_read_tokens,
        cache_write_tokens=session.cache_write_tokens,
        cost_usd=session.cost_usd,
        estimated_tokens=session.estimated_tokens,
        spending=session.spending or (),
        timing_quality=session.timing_quality,
        calls=len(session.tool_calls),
        messages=len(_said(view)),
        cut=max(len(session.user_prompt), len(answer or "")) > LONGEST_TEXT,
        annotators=tuple(who.label for who in annotators(session)),
    )


def messages(view: View, offset: int, limit: int) -> SessionMessages:
    """What was said from a place on: fewer than *limit* where they are long, but always one."""
    every = _said(view)
    page: list[SessionMessage] = []
    room = MOST_TEXT
    for one in every[offset : offset + limit]:
        room -= len(one.text)
        if page and room < 0:
            break
        page.append(one)
    return SessionMessages(total=len(every), offset=offset, messages=tuple(page))


def _said(view: View) -> Sequence[SessionMessage]:
    session = view.loaded.session
    prompts = [(one.at, "user", one.text) for one in session.prompts or ()]
    said = session.messages or ()
    times = session.messages_at or ()
    # Without its times nobody can tell what was said before which prompt.
    at = times if len(times) == len(said) else [None] * len(said)
    rows = prompts or [(session.created_at, "user", session.user_prompt)]
    rows = [*rows, *((when, "agent", text) for when, text in zip(at, said, strict=True))]
    if None not in at:
        rows.sort(key=lambda row: str(row[0]))
    return [
        SessionMessage(index=index, who=who, at=when, text=text)
        for index, (when, who, text) in enumerate(rows)
    ]


def annotations(view: View) -> Annotations:
    """All that was said of a session."""
    session = view.loaded.session
    return Annotations(
        name=view.loaded.entry.name,
        annotators=tuple(who.label for who in annotators(session)),
        phase_annotations=session.phase_annotations or (),
    )


def verdicts(view: View) -> Verdicts:
    """What was decided, and which calls show it."""
    made = tuple(
        SessionVerdict(
            verdict=one.name,
            text=one.text,
            passed=one.passed,
            score=one.score,
            evidence=one.evidence,
        )
        for one in view.verdicts
    )
    return Verdicts(name=view.loaded.entry.name, verdicts=made, links=tuple(view.links))


def original(shelf: Shelf, entry: SessionEntry) -> Path:
    """The log that a session was read from, as it is kept; raises ``NotFound``."""
    digest = entry.source_digest
    report = Keeping(shelf).originals.report(digest) if digest else None
    name = getattr(report, "original", None)
    if digest is None or not isinstance(name, str):
        raise NotFound(f"session {entry.name!r} was not read from a log that is kept")
    path = Keeping(shelf).originals.place(digest) / name
    if not path.is_file():
        raise NotFound(f"the log of session {entry.name!r} is gone")
    return path


def remove(shelf: Shelf, entry: SessionEntry) -> RemovedSession:
    """Take away a session that was imported, and its log with the last session of it. What a job
    or a trial did stays: raises ``UsageError``."""
    if entry.kind != "import" or entry.path is None:
        raise UsageError(f"session {entry.name!r} was not imported ({entry.kind}), so it stays")
    workspace = shelf.app.settings.workspace
    with locked(workspace, LOCK):
        (workspace / entry.path).unlink(missing_ok=True)
        shelf.index.look_at(entry.name)
        digest = entry.source_digest
        is_last = digest is not None and not shelf.index.of_log(digest)
        if digest is not None:
            Keeping(shelf).drop_unused(digest)
    return RemovedSession(name=entry.name, original=is_last)
