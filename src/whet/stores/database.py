"""A database: connections, transactions and the schema's age."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from weakref import WeakSet

from sqlalchemy import Connection, insert, inspect, select

from whet.core.errors import EnvironmentProblem
from whet.stores.backend import Backend
from whet.stores.schema import HEAD, metadata, versions


class Database:
    """Hands out connections; calls inside ``transaction`` on one thread share one."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._engine = backend.engine
        self._local = threading.local()
        self._lookers: WeakSet[Connection] = WeakSet()
        try:
            with self._troubles("open"):
                self._bring_up_to_date()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def write(self) -> Generator[Connection]:
        """The connection of the transaction under way, or of a new one for this block."""
        current: Connection | None = getattr(self._local, "connection", None)
        if current is not None:
            yield current
            return
        with self._troubles("write"), self._engine.begin() as connection:
            self._local.connection = connection
            try:
                yield connection
            finally:
                self._local.connection = None

    @contextmanager
    def read(self) -> Generator[Connection]:
        """The connection of the transaction under way, or one that sees what is committed."""
        current: Connection | None = getattr(self._local, "connection", None)
        if current is not None:
            yield current
            return
        with self._troubles("read"), self._reading() as connection:
            yield connection

    @contextmanager
    def look(self) -> Generator[Connection]:
        """The same for a single prepared statement. Where the database allows it, each thread keeps
        the connection for its next look: to get one takes longer than most looks do."""
        if getattr(self._local, "connection", None) is not None or not self._backend.looks_alone:
            with self.read() as connection:
                yield connection
            return
        with self._troubles("read"):
            looking: Connection | None = getattr(self._local, "looking", None)
            if looking is None:
                looking = self._local.looking = self._reading()
                self._lookers.add(looking)
            yield looking

    @contextmanager
    def _troubles(self, act: str) -> Generator[None]:
        """Name the database when it cannot be used; a broken promise of ours stays what it is."""
        try:
            yield
        except self._backend.broken_promises:
            raise
        except self._backend.troubles as error:
            raise EnvironmentProblem(
                f"cannot {act} the database {self._backend.name}: {self._backend.reason(error)}"
            ) from error

    def close(self) -> None:
        """Close all connections."""
        for looking in [*self._lookers]:
            looking.close()
        self._lookers.clear()
        self._local = threading.local()
        self._engine.dispose()

    def _bring_up_to_date(self) -> None:
        version = self._version()
        if version == HEAD:
            return
        if version is not None and version > HEAD:
            raise EnvironmentProblem(
                f"cannot open the database {self._backend.name}: a newer whet made it (schema "
                f"{version}, here {HEAD}); update whet"
            )
        self._backend.prepare()
        if version is None and self._is_made_anew():
            return
        from whet.stores.migrate import upgrade

        upgrade(self._engine)

    def _is_made_anew(self) -> bool:
        """Make all tables at once, which is quicker than one migration after the other.

        Two processes may meet a new database at once: the second one's transaction begins when
        the first one's is over, and finds that nothing is to be made.
        """
        with self._engine.begin() as connection:
            if inspect(connection).has_table(versions.name):
                return False
            metadata.create_all(connection, checkfirst=False)
            versions.create(connection)
            connection.execute(insert(versions), {"version_num": HEAD})
            return True

    def _reading(self) -> Connection:
        return self._engine.connect().execution_options(reading=True)

    def _version(self) -> str | None:
        with self._reading() as connection:
            if not inspect(connection).has_table(versions.name):
                return None
            return connection.execute(select(versions.c.version_num)).scalar()
