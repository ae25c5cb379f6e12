"""Zip files of skills: read without trust, written so that the same files give the same bytes.

A zip is read into memory as a whole or refused as a whole. What its directory claims is checked
first, and what comes out of it again while reading, since a directory may lie.
"""

import io
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import BinaryIO

from whet.core.errors import InvalidImport, UsageError
from whet.curate.segments import alike, package_path, shown

MOST_FILES = 2_000
MOST_BYTES = 64 * 1024 * 1024
MOST_IN_ONE = 16 * 1024 * 1024
MOST_RATIO = 100
"""How many times its own size a zip may unfold to."""

ALWAYS_FINE = 1024 * 1024
"""Bytes that a zip may unfold to whatever its ratio: a short file of zeros is no attack."""

DEEPEST = 32
"""Folders inside one another."""

_MOST_DIRECTORY = 2 * 1024 * 1024
MOST_PACKED = MOST_BYTES + _MOST_DIRECTORY
"""Bytes of a zip itself."""

_CHUNK = 1024 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LOCKED = 0x41
_END = b"PK\5\6"
_END_SIZE = 22
_LONGEST_COMMENT = 65_535
_BIG_LOCATOR = b"PK\6\7"
TAIL = _END_SIZE + _LONGEST_COMMENT + 20
"""Bytes at the end of a zip that tell of its directory."""

BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
    OSError,
)
"""What the library raises for a zip that is none."""

_TIME = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_LITTLE_SQUEEZED = 50
_MOST_TOLD = 20


@dataclass(frozen=True)
class Caps:
    """What a zip may unfold to, in bytes."""

    in_one: int
    """Of each file."""

    in_all: int


SKILL = Caps(MOST_IN_ONE, MOST_BYTES)


@dataclass(frozen=True)
class Tree:
    """The files of a folder by path, and which of them may be executed."""

    content: Mapping[str, bytes]
    executables: frozenset[str] = field(default_factory=frozenset[str])


def read_archive(data: bytes, name: str) -> Tree:
    """Everything in a zip; raises ``InvalidImport`` with the reasons why it is refused."""
    if len(data) > MOST_PACKED:
        raise InvalidImport(name, [f"is larger than {mb(MOST_PACKED)}"])
    if problem := directory_problem(data[-TAIL:]):
        raise InvalidImport(name, [problem])
    try:
        with opened(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if problems := list(problems_of(entries, len(data), SKILL)):
                raise InvalidImport(name, few(problems))
            return _read(archive, [entry for entry in entries if not is_folder(entry)], len(data))
    except BROKEN as error:
        raise InvalidImport(name, [f"is no zip that can be read: {error}"]) from None


def stripped(tree: Tree) -> tuple[Tree, str]:
    """*tree* without the one folder that everything lies in, and the name of that folder."""
    tops = {path.partition("/")[0] for path in tree.content}
    if len(tops) != 1 or not all("/" in path for path in tree.content):
        return tree, ""
    top = tops.pop()
    cut = len(top) + 1
    return Tree(
        {path[cut:]: data for path, data in tree.content.items()},
        frozenset(path[cut:] for path in tree.executables),
    ), top


def archive_bytes(tree: Tree, top: str = "") -> bytes:
    """The same as ``zipped``, of a tree that ``read_archive`` takes in again."""
    prefix = f"{top}/" if top else ""
    check_paths((prefix + path for path in tree.content), "the package")
    return zipped(tree, top)


def zipped(tree: Tree, top: str = "") -> bytes:
    """A zip of *tree* below the folder *top*; the same files always give the same bytes."""
    prefix = f"{top}/" if top else ""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, data in sorted(tree.content.items()):
            add(archive, prefix + path, data, executable=path in tree.executables)
    return buffer.getvalue()


def add(archive: zipfile.ZipFile, path: str, data: bytes, *, executable: bool = False) -> None:
    """Add a file; the same ones in the same order always give the same bytes."""
    entry = plain_entry(path, executable=executable)
    entry.compress_type = _method(data)
    archive.writestr(entry, data, compresslevel=9)


def plain_entry(path: str, *, executable: bool = False) -> zipfile.ZipInfo:
    """An entry that says nothing of when and where it was made."""
    entry = zipfile.ZipInfo(path, _TIME)
    entry.create_system = _UNIX
    entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
    return entry


def check_paths(paths: Iterable[str], source: str) -> None:
    """Raise ``InvalidImport`` unless all of *paths* can lie in one folder on any system."""
    if problems := list(path_problems(list(paths))):
        raise InvalidImport(source, few(problems))


def path_problems(paths: list[str]) -> Iterator[str]:
    """Every path that leads out, that some system cannot have, or that is there twice."""
    fit: list[str] = []
    for path in paths:
        if problem := path_problem(path):
            yield problem
        else:
            fit.append(path)
    yield from clashes(fit)


def clashes(paths: list[str]) -> Iterator[str]:
    """Every two of *paths*, each fit for itself, that cannot be beside one another."""
    for path, count in Counter(map(alike, paths)).items():
        if count > 1:
            yield f"{shown(path)}: {count} files have this name, or one that differs in case only"
    folders = {alike(str(parent)) for path in paths for parent in PurePosixPath(path).parents}
    for path in paths:
        if alike(path) in folders:
            yield f"{shown(path)}: is both a file and a folder"


def path_problem(path: str) -> str | None:
    """Why a path leads out, or cannot be on some system."""
    try:
        package_path(path)
    except UsageError as error:
        return str(error)
    deep = path.count("/") > DEEPEST
    return f"path {shown(path)} lies more than {DEEPEST} folders deep" if deep else None


def opened(file: BinaryIO) -> zipfile.ZipFile:
    """A zip to read. Many programs write names in UTF-8 and do not say so, as the rules of the
    format want; only what cannot be that is in the alphabet of the first ones."""
    try:
        return zipfile.ZipFile(file, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(file)


def directory_problem(tail: bytes) -> str | None:
    """Why the directory of a zip is not even to be looked at, by the ``TAIL`` of its bytes."""
    ends = {len(tail) - _END_SIZE, tail.rfind(_END, -_END_SIZE - _LONGEST_COMMENT)}
    for end in ends:
        if end < 0 or tail[end : end + 4] != _END or len(tail) < end + _END_SIZE:
            continue
        (size,) = struct.unpack_from("<L", tail, end + 12)
        if size > _MOST_DIRECTORY or tail[end - 20 : end - 16] == _BIG_LOCATOR:
            return f"has more than {MOST_FILES:,} entries"
    return None


def problems_of(entries: list[zipfile.ZipInfo], size: int, caps: Caps) -> Iterator[str]:
    """What the directory of a zip says that it must not say; of names it says ``orig_filename``,
    as the library cuts others at a zero byte."""
    if len(entries) > MOST_FILES:
        yield f"has {len(entries):,} entries, more than {MOST_FILES:,}"
        return
    yield from path_problems([e.orig_filename for e in entries if not is_folder(e)])
    for entry in entries:
        folder = entry.orig_filename.removesuffix("/")
        if is_folder(entry) and (problem := path_problem(folder)):
            yield problem
    for entry in entries:
        if problem := entry_problem(entry, caps.in_one):
            yield f"{shown(entry.orig_filename)}: {problem}"
    if problem := sum_problem(sum(entry.file_size for entry in entries), size, caps.in_all):
        yield problem


def is_folder(entry: zipfile.ZipInfo) -> bool:
    """As the library has it, but for an empty name, which that cannot stand."""
    return entry.filename.endswith("/")


def entry_problem(entry: zipfile.ZipInfo, most: int) -> str | None:
    """Why an entry is not to be read, which may have *most* bytes."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if entry.flag_bits & _LOCKED:
        return "is encrypted"
    if kind == stat.S_IFLNK:
        return "is a link"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is neither a file nor a folder"
    if entry.compress_type not in _METHODS:
        return "is compressed in a way that is not supported"
    if entry.file_size > most:
        return f"is larger than {mb(most)}"
    return None


def sum_problem(unfolded: int, size: int, most: int) -> str | None:
    """Why a zip of *size* bytes must not unfold to so many, which may be *most*."""
    if unfolded > most:
        return f"unfolds to more than {mb(most)}"
    if unfolded > max(ALWAYS_FINE, MOST_RATIO * size):
        return f"unfolds to more than {MOST_RATIO} times its size"
    return None


def unfolded(
    archive: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo], size: int, caps: Caps
) -> Iterator[tuple[str, bytes]]:
    """The path and the content of each file, of which the directory may have told anything."""
    total = 0
    for entry in entries:
        parts: list[bytes] = []
        with archive.open(entry) as file:
            while part := file.read(_CHUNK):
                parts.append(part)
                total += len(part)
                if problem := sum_problem(total, size, caps.in_all):
                    raise zipfile.BadZipFile(problem)
        data = b"".join(parts)
        if len(data) != entry.file_size:
            raise zipfile.BadZipFile(f"{shown(entry.filename)} is not as long as it should be")
        yield entry.filename, data


def _read(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], size: int) -> Tree:
    content = dict(unfolded(archive, entries, size, SKILL))
    executables = (e.filename for e in entries if e.external_attr >> 16 & stat.S_IXUSR)
    return Tree(content, frozenset(executables))


def _method(data: bytes) -> int:
    """Stored where squeezing would make it look like an attack to whoever reads it."""
    squeezed = len(zlib.compress(data, 9))
    return zipfile.ZIP_STORED if len(data) > _LITTLE_SQUEEZED * squeezed else zipfile.ZIP_DEFLATED


def few(problems: list[str]) -> list[str]:
    """As many as somebody reads."""
    more = len(problems) - _MOST_TOLD
    return [*problems[:_MOST_TOLD], f"and {more:,} more"] if more > 0 else problems


def mb(count: int) -> str:
    """So many bytes, for people."""
    return f"{count // 1024 // 1024} MB"
