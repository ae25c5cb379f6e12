"""Files that somebody sends, on their way into the store.

Whoever writes to the store keeps all others waiting. So what takes long is there before the
transaction that says what it is for; without that, nothing names it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from whet.core.address import digest_bytes
from whet.core.errors import EnvironmentProblem
from whet.core.files import FileRef
from whet.documents.files import reason
from whet.ports.blobs import Blobs
from whet.ports.store import Store
from whet.stores.blobs import ROW_BYTES

AT_ONCE = 2 * 1024 * 1024
"""Bytes of small files that one transaction takes."""


@dataclass
class Given:
    """What was sent, in a folder of ours; all of it is checked before anything is kept."""

    blobs: Blobs
    files: tuple[FileRef, ...] = ()
    _small: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _beside: dict[str, Path | bytes] = field(default_factory=dict[str, Path | bytes])
    _left: int = AT_ONCE

    def keep(self, data: bytes, path: Path | None = None) -> str:
        """Take the content of a file, which can be read again at *path*; returns its digest."""
        digest = digest_bytes(data)
        if len(data) > min(ROW_BYTES, self._left):
            self._beside[digest] = path or data
        else:
            self._small[digest] = data
            self._left -= len(data)
        return digest

    def put_ahead(self, store: Store) -> None:
        """Put what takes long, before the transaction."""
        put_ahead(store, map(_read, self._beside.values()))
        self._beside.clear()

    def put_small(self) -> None:
        """Put what is left into the transaction under way."""
        for data in (*self._small.values(), *map(_read, self._beside.values())):
            self.blobs.put(data)


def put_ahead(store: Store, contents: Iterable[bytes]) -> None:
    """Put contents, the small ones in transactions of their own."""
    for batch in _batches(store, contents):
        with store.transaction():
            for data in batch:
                store.blobs.put(data)


def _batches(store: Store, contents: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Small contents, a few at a time; large ones are files of the store, and put there at once."""
    batch: list[bytes] = []
    size = 0
    for data in contents:
        if len(data) > ROW_BYTES:
            store.blobs.put(data)
            continue
        batch.append(data)
        size += len(data)
        if size > AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read(content: Path | bytes) -> bytes:
    if isinstance(content, bytes):
        return content
    try:
        return content.read_bytes()
    except OSError as error:
        raise EnvironmentProblem(f"cannot keep an upload: {reason(error)}") from error
