"""The bytes of a log, as UTF-8 and piece by piece."""

import codecs
import io
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.documents.session_import import Repairs

PIECE = 1024 * 1024
_LOOK = 4096
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@contextmanager
def opened(path: Path, repairs: Repairs | None = None) -> Generator[BinaryIO]:
    """The file as UTF-8 without a byte order mark; raises ``WhetError``."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{path}: is not a file")
        if repairs is not None:
            repairs.bytes += status.st_size
            repairs.files.append(path)
        with path.open("rb", buffering=PIECE) as file:
            mark, encoding = _encoding(file.read(_LOOK))
            file.seek(mark)
            if encoding == "utf-8":
                yield file
                return
            if repairs is not None:
                repairs.note("encoding", "encoding", f"the file is {encoding.upper()}", column=1)
            raw = cast("io.RawIOBase", _Transcoded(file, encoding))
            yield cast("BinaryIO", io.BufferedReader(raw, PIECE))
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"{path}: no such file") from None
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error


def _encoding(start: bytes) -> tuple[int, str]:
    """How long the byte order mark is, and what the rest is written in."""
    for mark, encoding in _BOMS:
        if start.startswith(mark):
            return len(mark), encoding
    # A log begins with a bracket or a space, which has a NUL beside it in UTF-16.
    if start[1:2] == b"\0" and start[:1] != b"\0":
        return 0, "utf-16-le"
    if start[:1] == b"\0" and start[1:2] in (b"{", b"[", b" ", b"\n"):
        return 0, "utf-16-be"
    return 0, "utf-8"


class _Transcoded(io.RawIOBase):
    """Another encoding as UTF-8."""

    def __init__(self, file: BinaryIO, encoding: str) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray, /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - any buffer is one
        while not self._left:
            data = self._file.read(PIECE)
            # Half a surrogate pair is no character.
            self._left = self._decoder.decode(data, final=not data).encode(errors="replace")
            if not data:
                break
        taken = self._left[: len(buffer)]
        self._left = self._left[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)
