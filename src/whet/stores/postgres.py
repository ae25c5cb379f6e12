"""PostgreSQL: one database on a server.

Those who write take turns by a lock of the database, as they do in SQLite. So the cursors of
events are in commit order (a sequence alone is not: a reader would pass over the event of whoever
commits late), what was read before a change is still true when it is made, and no two
transactions can wait for each other. Nearly every change appends an event, so a lock around the
append alone would be held as long.
"""

from urllib.parse import quote

import psycopg
from psycopg.abc import Buffer
from psycopg.types.string import StrDumperUnknown
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoneFree

from whet.core.errors import EnvironmentProblem, UsageError
from whet.stores.backend import KEPT_CONNECTIONS, UNLIMITED, Backend
from whet.stores.schema import metadata

WAIT_SECONDS = 30
"""For one's turn to write, as with SQLite; then there is an error."""

IDLE_SECONDS = 60
"""After which the server ends a transaction of somebody who has fallen silent in the middle."""

CONNECT_SECONDS = 10
_LOCK = 0x77686574
"""``whet`` in ASCII; the number of the lock that writers take turns by."""

_READ = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE = (
    b"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(%d)" % _LOCK
)
_SETTINGS = b"SET lock_timeout = '%ds'; SET idle_in_transaction_session_timeout = '%ds'" % (
    WAIT_SECONDS,
    IDLE_SECONDS,
)
_SECRET_KEYS = frozenset({"password", "sslpassword"})


class _Text(StrDumperUnknown):
    """PostgreSQL has no NUL in its texts; a text with one is kept with a mark in its place."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\ufffd"))


def on_server(url: str) -> Backend:
    """The database that a URL names; nothing is connected yet."""
    _copy_conditions()
    address = _address(url)
    engine = _engine(address)
    hidden = _secrets(address)

    def reason(error: Exception) -> str:
        cause = error.orig if isinstance(error, DBAPIError) else error
        line = " ".join(str(cause).split())
        for secret in hidden:
            line = line.replace(secret, "***")
        return line or type(cause).__name__

    def prepare() -> None:
        with engine.connect().execution_options(reading=True) as connection:
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if encoding != "UTF8":
            raise EnvironmentProblem(
                f"cannot use the database {shown(url)}: its encoding is {encoding}; make one with "
                "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
            )

    return Backend(
        name=shown(url),
        engine=engine,
        troubles=(DBAPIError, NoneFree, psycopg.Error),
        broken_promises=(IntegrityError, psycopg.IntegrityError),
        reason=reason,
        prepare=prepare,
    )


def shown(url: str) -> str:
    """The address without anything secret."""
    address = _address(url)
    where = {key: address.query[key] for key in ("host", "port") if key in address.query}
    return URL.create(
        "postgresql", address.username, None, address.host, address.port, address.database, where
    ).render_as_string()


def _address(url: str) -> URL:
    try:
        return make_url(url).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):  # what they say may have the password in it
        raise UsageError(
            "WHET_DATABASE_URL cannot be read; write it as postgresql://user:password@host:5432/"
            "database, with special characters in the password as %XX"
        ) from None


def _copy_conditions() -> None:
    """Give PostgreSQL the conditions of SQLite's indexes. The schema names them once: naming them
    for PostgreSQL there would load its large dialect for everybody."""
    for table in metadata.tables.values():
        for index in table.indexes:
            if (condition := index.dialect_options["sqlite"]["where"]) is not None:
                index.dialect_options["postgresql"]["where"] = condition


def _secrets(address: URL) -> list[str]:
    """The values that are nobody's business, in each way they could turn up."""
    named = [str(value) for key, value in address.query.items() if key in _SECRET_KEYS]
    values = [word for word in (address.password, *named) if word]
    return sorted({form for word in values for form in (word, quote(word))}, key=len, reverse=True)


def _engine(address: URL) -> Engine:
    engine = create_engine(
        address,
        connect_args={
            "connect_timeout": CONNECT_SECONDS,
            "client_encoding": "utf8",
            "application_name": "whet",
        },
        hide_parameters=True,
        pool_size=KEPT_CONNECTIONS,
        max_overflow=UNLIMITED,
        pool_pre_ping=True,  # the server may have been started anew since
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: psycopg.Connection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # Transactions begin below, in one round trip with what they need.
        connection.autocommit = True
        connection.adapters.register_dumper(str, _Text)
        connection.execute(_SETTINGS)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        reading = connection.get_execution_options().get("reading", False)
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        driver.execute(_READ if reading else _WRITE)

    return engine
