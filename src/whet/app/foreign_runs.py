"""Runs and jobs that were in a workspace when it was first used on this machine.

Nobody here asked for them: the workspace was copied, or its folder moved. They cost what their
agents and judges cost, so none of them goes on by itself until a person agrees.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from whet.app.access import Access
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import WhetError
from whet.ports.jobs import JobQuery
from whet.ports.runs import RunQuery
from whet.ports.store import Store

WEBHOOK = "job_webhook"
"""The kind of timer that has messages to be sent."""

_UNFINISHED = ("queued", "waiting_upload", "running", "waiting_user")
_EVER = datetime.max.replace(tzinfo=UTC)
_MOST_MESSAGES = 100_000


@dataclass
class ForeignRuns:
    """What was there before this machine began anything in the workspace."""

    access: Access
    ids: frozenset[str] = frozenset()
    is_noted: bool = True

    def note(self) -> None:
        """Keep on this machine which they are, before the first run of its own begins. Where that
        cannot be written, all is foreign at the next opening."""
        if not self.is_noted:
            self.is_noted = True
            with contextlib.suppress(WhetError):
                self.access.note_foreign(self.ids)

    def waiting(self) -> frozenset[str]:
        """Those that must not go on by themselves; raises ``InvalidDocument`` for a policy."""
        return frozenset() if self.access.allows_foreign(self.ids) else self.ids

    def remark(self) -> str:
        """What to tell a person of them; empty where there are none."""
        waiting = self.waiting()
        return self.access.foreign_question(waiting) if waiting else ""


def foreign_runs(access: Access, store: Store) -> ForeignRuns:
    """Look up what came along with a workspace. A database of its own was named by the user, so
    nothing in that came from elsewhere."""
    if access.settings.database_url is not None:
        return ForeignRuns(access)
    try:
        known = access.consents().foreign
    except WhetError:  # whoever needs a consent will hear of it
        known = None
    if known is not None:
        return ForeignRuns(access, frozenset(known))
    return ForeignRuns(access, frozenset(_unfinished(store)), is_noted=False)


def _unfinished(store: Store) -> Iterator[str]:
    offset = 0
    while runs := store.runs.list(
        RunQuery(is_unattended=True, limit=LARGEST_PAGE, offset=offset)
    ).items:
        yield from (run.id for run in runs)
        offset += len(runs)
    offset = 0
    while jobs := store.jobs.list(
        JobQuery(states=_UNFINISHED, limit=LARGEST_PAGE, offset=offset)
    ).items:
        yield from (job.request_id for job in jobs)
        offset += len(jobs)
    yield from (timer.key for timer in store.timers.due(_EVER, (WEBHOOK,), _MOST_MESSAGES))
