"""The store in a SQL database, SQLite or PostgreSQL, and a blob folder."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from whet.ports.clock import Clock
from whet.stores.backend import Sealing
from whet.stores.blobs import LocalBlobs
from whet.stores.chosen import chosen
from whet.stores.database import Database
from whet.stores.home import settle
from whet.stores.sql_evaluations import SqlEvaluations
from whet.stores.sql_events import SqlEvents
from whet.stores.sql_jobs import SqlJobs
from whet.stores.sql_ledger import SqlLedger
from whet.stores.sql_results import SqlResults
from whet.stores.sql_runs import SqlRuns
from whet.stores.sql_states import SqlStates
from whet.stores.sql_timers import SqlTimers


class SqlStore:
    """``ports.store.Store`` in *folder*: ``whet.db`` and ``blobs/``; *alive* knows the owners.

    With a *url* the server there takes the place of ``whet.db``. Secrets that an older database
    has in it are put aside by *sealing*.
    """

    def __init__(
        self,
        folder: Path,
        alive: Callable[[str], bool],
        clock: Clock,
        url: str | None = None,
        sealing: Sealing | None = None,
    ) -> None:
        self._database = Database(chosen(folder, url), sealing)
        self.ledger = SqlLedger(self._database, alive)
        self.results = SqlResults(self._database)
        self.runs = SqlRuns(self._database)
        self.evaluations = SqlEvaluations(self._database, clock)
        self.jobs = SqlJobs(self._database)
        self.events = SqlEvents(self._database, clock)
        self.states = SqlStates(self._database, clock)
        self.timers = SqlTimers(self._database)
        self.blobs = LocalBlobs(self._database, folder / "blobs")
        if url is not None:
            self._settle(folder)

    def _settle(self, folder: Path) -> None:
        try:
            settle(self.states, folder)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self) -> Generator[None]:
        """See the port."""
        with self._database.write():
            yield

    def close(self) -> None:
        """See the port."""
        self._database.close()
