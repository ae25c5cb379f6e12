"""The index of the library: a mirror of its files in ``index.db``, for lists and search, and of the
summaries of projects, for what was tested.

It follows the files and may be deleted at any time. All it knows that the files do not say is what
the content of a version was when it was first seen, and so whether it was edited outside since.

The driver of the standard library is used as it is: there is one kind of database, the statements
are SQLite's own full-text search, and the command line asks the index on almost every call, which
has no time to load a database library.
"""

from whet.stores.index.index import FileIndex

__all__ = ["FileIndex"]
