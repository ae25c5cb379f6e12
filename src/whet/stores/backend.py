"""What differs between databases; there is one file for each, ``sqlite.py`` and ``postgres.py``."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine


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

    prepare: Callable[[], None] = lambda: None
    """Called before the first migration; raises ``EnvironmentProblem`` if it cannot be."""
