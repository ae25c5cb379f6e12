"""The store: the ports that share one database and its transactions."""

from contextlib import AbstractContextManager
from typing import Protocol

from whet.ports.blobs import Blobs
from whet.ports.evaluations import Evaluations
from whet.ports.events import Events
from whet.ports.jobs import Jobs
from whet.ports.ledger import Ledger
from whet.ports.results import Results
from whet.ports.runs import Runs
from whet.ports.states import States
from whet.ports.timers import Timers


class Store(Protocol):
    """One database. Sync and thread-safe; a call outside ``transaction`` is its own."""

    @property
    def ledger(self) -> Ledger: ...
    @property
    def results(self) -> Results: ...
    @property
    def runs(self) -> Runs: ...
    @property
    def evaluations(self) -> Evaluations: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def events(self) -> Events: ...
    @property
    def states(self) -> States: ...
    @property
    def timers(self) -> Timers: ...
    @property
    def blobs(self) -> Blobs: ...

    def transaction(self) -> AbstractContextManager[None]:
        """All calls of this thread inside are committed together, or none."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...
