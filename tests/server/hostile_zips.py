"""Zips that are refused as a whole, each made when it is needed."""

import io
import struct
import zipfile
from collections.abc import Callable

from tests.curate.intake.zips import LINK, encrypted, forged, with_claimed_size, zipped

DOCUMENT = ("document", b"Two words.")
FIFO = 0o010644


def renamed(old: str, new: str, *files: tuple[str, bytes]) -> bytes:
    """With a name that the library does not write."""
    assert len(old) == len(new)
    return zipped(*files).replace(old.encode(), new.encode())


def bomb(size: int = 300 * 1024 * 1024) -> bytes:
    """A few hundred kilobytes that unfold to *size*."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("document", "w") as file,
    ):
        for _ in range(size >> 20):
            file.write(bytes(1 << 20))
    return buffer.getvalue()


def crowded(count: int = 100_000) -> bytes:
    """Very many files with nothing in them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number}", b"")
    return buffer.getvalue()


def overlapping() -> bytes:
    """Every entry of the directory leads to the same squeezed bytes."""
    data = bytearray(zipped(*((f"f{number:03}", bytes(900_000)) for number in range(300))))
    place = data.find(b"PK\1\2")
    while place >= 0:
        struct.pack_into("<L", data, place + 42, 0)
        place = data.find(b"PK\1\2", place + 4)
    return bytes(data)


def broken() -> bytes:
    """Squeezed bytes that cannot be unfolded."""
    data = bytearray(zipped(("document", bytes(range(256)) * 10)))
    data[40:60] = bytes(20)
    return bytes(data)


def broken_behind() -> bytes:
    """A large file that is fine, and a last one that is not what its checksum says."""
    data = zipped(("document", bytes(range(256)) * 1_000), ("x", b"y" * 100))
    at = data.rfind(b"PK\3\4") + 31
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


REFUSED: dict[str, Callable[[], bytes]] = {
    "slips out": lambda: zipped(("../../evil", b"x")),
    "slips out below": lambda: zipped(("a/../../evil", b"x")),
    "absolute": lambda: zipped(("/tmp/evil", b"x")),
    "drive": lambda: zipped(("C:\\evil", b"x")),
    "share": lambda: zipped(("\\\\host\\evil", b"x")),
    "backslash": lambda: zipped(("a\\..\\..\\evil", b"x")),
    "zero byte": lambda: renamed("documentX", "document\0", ("documentX", b"x")),
    "line break": lambda: zipped(("a\nb", b"x")),
    "escape": lambda: zipped(("\x1b[2J", b"x")),
    "dot": lambda: zipped((".", b"x")),
    "right to left": lambda: zipped(("\u202egpj.exe", b"x")),
    "device": lambda: zipped(("con", b"x")),
    "long name": lambda: zipped(("x" * 5_000, b"x")),
    "deep": lambda: zipped(("/".join("d" * 60), b"x")),
    "link": lambda: zipped(("document", b"/etc/passwd"), modes={"document": LINK}),
    "link in a folder": lambda: zipped(("a/b", b"../.."), modes={"a/b": LINK}),
    "fifo": lambda: zipped(("document", b""), modes={"document": FIFO}),
    "twice": lambda: renamed("documenX", "document", DOCUMENT, ("documenX", b"x")),
    "twice but for case": lambda: zipped(DOCUMENT, ("Document", b"x")),
    "twice but for spelling": lambda: zipped(("caf\u00e9", b"x"), ("cafe\u0301", b"y")),
    "file and folder": lambda: zipped(DOCUMENT, ("document/x", b"x")),
    "encrypted": lambda: encrypted(zipped(DOCUMENT)),
    "unknown method": lambda: forged(zipped(DOCUMENT), 10, 98, "<H"),
    "claims little": lambda: with_claimed_size(zipped(("document", bytes(4_000_000))), 10),
    "claims much": lambda: with_claimed_size(zipped(DOCUMENT), 2**32 - 2),
    "no zip": lambda: b"hello",
    "half a zip": lambda: zipped(("document", bytes(range(256)) * 40))[:-30],
    "a head only": lambda: zipped(DOCUMENT)[:20],
    "wrong bytes": broken,
    "wrong bytes behind": broken_behind,
    "overlapping": overlapping,
}
