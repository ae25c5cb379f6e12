"""Blobs: small ones as rows, committed with the record that names them; large ones as files.

A file per small blob would need its own fsync to be as durable as the record; a row does not.
"""

import threading
from collections import OrderedDict
from pathlib import Path
from typing import cast

from sqlalchemy import bindparam, select

from whet.core.address import digest_bytes
from whet.core.errors import EnvironmentProblem, NotFound
from whet.documents.files import write_atomic
from whet.stores.database import Database
from whet.stores.prepared import Prepared
from whet.stores.schema import blobs

ROW_BYTES = 128 * 1024
"""Up to this size a row is faster than a file."""

_PUT = Prepared(lambda insert: insert(blobs).on_conflict_do_nothing())
_GET = Prepared(select(blobs.c.data).where(blobs.c.digest == bindparam("digest")))
RECENT_BYTES = 4 * 1024 * 1024
"""What was kept or read last is mostly what is read next: outputs by graders, skills by trials."""


class LocalBlobs:
    """``ports.blobs.Blobs`` in the database and in *folder*."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._recent = _Recent()

    def put(self, data: bytes) -> str:
        """See the port."""
        digest = digest_bytes(data)
        self._recent.add(digest, data)
        if len(data) > ROW_BYTES:
            self._put_file(digest, data)
        else:
            with self._database.write() as connection:
                _PUT.run(connection, {"digest": digest, "data": data})
        return digest

    def get(self, digest: str) -> bytes:
        """See the port."""
        if (known := self._recent.get(digest)) is not None:
            return known
        data = self._row(digest)
        if data is None:
            try:
                data = self._file(digest).read_bytes()
            except FileNotFoundError:
                raise NotFound(f"no blob {digest} in {self._folder} or the database") from None
        self._recent.add(digest, data)
        return data

    def has(self, digest: str) -> bool:
        """See the port."""
        return self._row(digest) is not None or self._file(digest).exists()

    def _row(self, digest: str) -> bytes | None:
        with self._database.read() as connection:
            row = _GET.run(connection, {"digest": digest}).fetchone()
        return cast(bytes, row[0]) if row else None

    def _file(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest[2:]

    def _put_file(self, digest: str, data: bytes) -> None:
        path = self._file(digest)
        if path.exists():
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error
        write_atomic(path, data, durable=True)


class _Recent:
    """Contents by digest, the oldest dropped when they get too many. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._contents: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, digest: str) -> bytes | None:
        with self._lock:
            return self._contents.get(digest)

    def add(self, digest: str, data: bytes) -> None:
        with self._lock:
            if digest in self._contents:
                self._contents.move_to_end(digest)
                return
            self._contents[digest] = data
            self._bytes += len(data)
            while self._bytes > RECENT_BYTES:
                _, dropped = self._contents.popitem(last=False)
                self._bytes -= len(dropped)
