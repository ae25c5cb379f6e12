"""The port of jobs."""

from dataclasses import dataclass
from typing import Protocol

from whet.core.job import Job, JobState
from whet.ports.listing import Page


@dataclass(frozen=True, slots=True)
class JobQuery:
    """Which jobs, and which part of them; None does not narrow."""

    states: tuple[JobState, ...] | None = None
    skill_id: str | None = None
    engine: str | None = None
    owner: str | None = None
    key: str | None = None
    run_id: str | None = None
    batch: str | None = None
    wants_cancel: bool | None = None
    prefix: str = ""
    """The beginning of the request's id."""

    oldest_first: bool = False
    limit: int = 50
    offset: int = 0


class Jobs(Protocol):
    """Jobs that change by compare-and-set."""

    def add(self, job: Job) -> Job:
        """Keep a new job; raises ``Conflict`` if its id or its key is taken."""
        ...

    def get(self, request_id: str) -> Job | None:
        """The job as it is now, or None."""
        ...

    def put(self, job: Job) -> Job:
        """Keep a changed job if its revision still is the one that is kept, else ``Conflict``;
        returns it with the next revision."""
        ...

    def list(self, query: JobQuery) -> Page[Job]:
        """Jobs that fit, the newest first unless asked otherwise; raises ``UsageError`` for a
        part that cannot be."""
        ...

    def delete(self, request_id: str) -> bool:
        """Forget a job; False if there is none."""
        ...
