"""Zips as an attacker, or a careless program, makes them."""

import io
import stat
import struct
import zipfile
from collections.abc import Sequence

LINK = stat.S_IFLNK | 0o777
SCRIPT = stat.S_IFREG | 0o755


def zipped(*files: tuple[str, bytes], modes: dict[str, int] | None = None) -> bytes:
    """A zip of these files, twice the same name and all."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (modes or {}).get(name, stat.S_IFREG | 0o644) << 16
            with archive.open(entry, "w") as file:
                file.write(data)
    return buffer.getvalue()


def forged(data: bytes, offset: int, value: int, kind: str = "<L") -> bytes:
    """*data* with another number in every entry of its directory, *offset* bytes into it."""
    forgery = bytearray(data)
    place = forgery.find(b"PK\1\2")
    while place >= 0:
        struct.pack_into(kind, forgery, place + offset, value)
        place = forgery.find(b"PK\1\2", place + 4)
    return bytes(forgery)


def with_claimed_size(data: bytes, size: int) -> bytes:
    """The directory says that every file unfolds to *size* bytes."""
    return forged(data, 24, size)


def encrypted(data: bytes) -> bytes:
    """The directory says that every file is encrypted."""
    return forged(data, 8, 1, "<H")


def unmarked(data: bytes) -> bytes:
    """Nothing says in which alphabet the names of the files are, as ``zip`` on Unix leaves it."""
    forgery = bytearray(forged(data, 8, 0, "<H"))
    place = forgery.find(b"PK\3\4")
    while place >= 0:
        struct.pack_into("<H", forgery, place + 6, 0)
        place = forgery.find(b"PK\3\4", place + 4)
    return bytes(forgery)


def many(names: Sequence[str]) -> bytes:
    """A zip of empty files."""
    return zipped(*((name, b"") for name in names))
