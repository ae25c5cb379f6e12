"""The writer port."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Writer(Protocol):
    """The one road from async flows into the store.

    Runs *change* in a transaction, possibly together with others' changes, and returns its
    result after the commit. A change that raises is undone alone and raises here.
    """

    async def __call__(self, change: Callable[[], T]) -> T:
        """Commit one change."""
        ...
