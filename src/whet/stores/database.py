"""A database: connections, transactions and the schema's age."""

import threading
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import Connection, insert, inspect, select

from whet.core.errors import EnvironmentProblem
from whet.stores.backend import Backend, Sealing
from whet.stores.schema import HEAD, metadata, versions


class Database:
    """Hands out connections; calls inside ``transaction`` on one thread share one."""

    def __init__(self, backend: Backend, sealing: Sealing | None = None) -> None:
        """*sealing* puts secrets aside that an older database still has in it."""
        self._backend = backend
        self._sealing = sealing
        self._engine = backend.engine
        self._local = threading.local()
        self._turn = threading.Lock()
        """Writers of this process take turns here: to wait for each other at the database takes
        longer, because that one is asked again and again."""

        self._idle: deque[Connection] = deque()
        """Connections that nobody looks through at the moment; at most as many as threads looked
        at the same time."""

        try:
            with self._troubles("open"):
                self._require_whole()
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
        with self._turn, self._troubles("write"), self._engine.begin() as connection:
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
        with self._troubles("read"), self._sound_rows(), self._reading() as connection:
            yield connection

    @contextmanager
    def look(self) -> Generator[Connection]:
        """The same for a single prepared statement. Where the database allows it, the connection is
        kept open for the next look of any thread: to get one takes longer than most looks do."""
        if getattr(self._local, "connection", None) is not None or not self._backend.looks_alone:
            with self.read() as connection:
                yield connection
            return
        with self._troubles("read"), self._sound_rows():
            try:
                looking = self._idle.pop()
            except IndexError:
                looking = self._reading()
            try:
                yield looking
            except BaseException:
                looking.close()
                raise
            self._idle.append(looking)

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

    @contextmanager
    def _sound_rows(self) -> Generator[None]:
        """A row that is not what was written says that the database is damaged."""
        try:
            yield
        except (ValueError, UnicodeError) as error:
            reason = self._backend.reason(error)
            raise EnvironmentProblem(
                f"cannot read the database {self._backend.name}: {reason}"
            ) from error

    def close(self) -> None:
        """Close all connections."""
        while self._idle:
            self._idle.pop().close()
        self._engine.dispose()

    def _require_whole(self) -> None:
        """Raise ``EnvironmentProblem`` where the database is damaged: else some would be shown as
        if it were all."""
        # What the driver says of a damaged schema may be no text.
        with self._sound_rows(), self._reading() as connection:
            damage = self._backend.damage(connection)
        if damage is not None:
            raise EnvironmentProblem(f"cannot open the database {self._backend.name}: {damage}")

    def _bring_up_to_date(self) -> None:
        version = self._version()
        if version == HEAD:
            self._backend.compact()
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

        if self._sealing is not None:
            self._sealing.clean_files()

        upgrade(self._engine, self._sealing)
        self._backend.compact()

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
