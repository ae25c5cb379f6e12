"""Care for the long conversations of a project: warn of them, and keep those that went past its
threshold as files for some days."""

from pathlib import PurePosixPath

from whet.app.app import App
from whet.app.config import defaults
from whet.documents.project import ProjectConfig
from whet.documents.settings import TempSession
from whet.evaluate import context
from whet.evaluate.case_result import file_name
from whet.evaluate.experiment import Row
from whet.evaluate.transcript import session_of, transcript
from whet.run.assist.sessions import Sessions

WARNING = "context.warning"
PURPOSE = "project_test"

MOST_EXPORTS = 100
"""Conversations that one run keeps; all of them are in the store anyway."""


def sessions(app: App) -> Sessions:
    """The short-lived sessions of a workspace."""
    folder = app.settings.workspace / "cli" / "temp_session"
    return Sessions(folder, app.clock, defaults(app).session_days, app.owner.id)


class ContextCare:
    """Looks at what one run of a project settles anew."""

    def __init__(self, app: App, config: ProjectConfig) -> None:
        self._app = app
        self._id = config.id
        self._wish = config.context_config
        self._session: TempSession | None = None

    def committed(self, row: Row) -> bool:
        """Warn of a conversation that came near the threshold, in the commit that settles it;
        whether it did."""
        tokens = _tokens(row)
        if context.risk(tokens, self._wish.token_threshold) != "critical":
            return False
        cell, threshold = row.cell, self._wish.token_threshold
        self._app.store.events.append(
            WARNING,
            self._id,
            {
                "arm": cell.arm.id,
                "set": cell.case.set,
                "case": cell.case.id,
                "attempt": cell.attempt,
                "estimated_tokens": tokens,
                "threshold": threshold,
                "usage_percent": round(context.percent(tokens, threshold), 1),
                "auto_action_taken": "export" if self._is_kept(tokens) else None,
            },
        )
        return True

    def settled(self, row: Row) -> None:
        """Keep a conversation that went past the threshold, if the project wants that."""
        if row.record is None or not self._is_kept(_tokens(row)):
            return
        kept = sessions(self._app)
        if self._session is None:
            kept.sweep()
            self._close_abandoned(kept)
            self._session = kept.begin(PURPOSE, "project", self._id)
        if len(self._session.context_exports) >= MOST_EXPORTS:
            return
        session = session_of(row.record, self._app.store.blobs)
        stem = PurePosixPath(file_name(row.cell.case.id, row.cell.attempt)).with_suffix(".md")
        name = f"{row.cell.arm.id}/{row.cell.case.set}/{stem}"
        self._session = kept.export(self._session, name, transcript(session))

    def close(self) -> None:
        """The run is over."""
        if self._session is not None:
            self._session = sessions(self._app).close(self._session)

    def _is_kept(self, tokens: int) -> bool:
        return self._wish.auto_export and tokens > self._wish.token_threshold

    def _close_abandoned(self, kept: Sessions) -> None:
        """Of runs that were killed."""
        for session in kept.abandoned(self._app.is_alive):
            if session.purpose == PURPOSE:
                kept.close(session)


def _tokens(row: Row) -> int:
    return (row.record.estimated_tokens or 0) if row.record else 0
