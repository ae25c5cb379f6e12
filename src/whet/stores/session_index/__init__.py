"""The index of sessions: a mirror of ``sessions/`` and of the records of trials in ``index.db``,
for lists and search. It may be deleted at any time."""

from whet.stores.session_index.index import FileSessionIndex

__all__ = ["FileSessionIndex"]
