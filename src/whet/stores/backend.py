"""What differs between databases; there is one file for each, ``sqlite.py`` and ``postgres.py``."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine


@dataclass(frozen=True)
class Sealing:
    """Takes secrets out of what an older version left."""

    put_aside: Callable[[str, str, str], str]
    """Keeps a secret elsewhere and returns its reference; told its place among options, its value,
    and what it belongs to."""

    clean_files: Callable[[], None] = lambda: None
    """Called before the first migration of a database that is there already."""


KEPT_CONNECTIONS = 8
"""That stay open for the next who needs one."""

UNLIMITED = -1
"""Nobody ever waits for a connection, the event loop least of all: each thread has one at a time,
so there are as many as threads that use the database at once."""


@dataclass(frozen=True)
class Backend:
    """A database that can be connected to.

    A transaction of the engine is for writing, unless its connection has the execution option
    ``reading``. Those that write come one after the other: the next one begins when the one
    before is over, and sees what it did. One that reads sees one state from beginning to end.
    """

    name: str
    """What messages call it."""

    engine: Engine

    troubles: tuple[type[Exception], ...]
    """What is raised when the database cannot be used, by SQLAlchemy and by the driver."""

    broken_promises: tuple[type[Exception], ...]
    """Those of the troubles that are mistakes of ours."""

    reason: Callable[[Exception], str]
    """A trouble in one line that may be shown to anybody."""

    looks_alone: bool = False
    """Whether a single statement outside a transaction leaves none open behind it."""

    damage: Callable[[Connection], str | None] = lambda _connection: None
    """What is wrong with the file of the database, and how to repair it; None if it is whole."""

    compact: Callable[[], None] = lambda: None
    """Called after migrations, and whenever it is opened: leaves nothing in files of what is no
    part of the database any more."""

    prepare: Callable[[], None] = lambda: None
    """Called before the first migration; raises ``EnvironmentProblem`` if it cannot be."""
