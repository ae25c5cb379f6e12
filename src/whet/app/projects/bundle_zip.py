"""The zip of a project: which of its files go in, and how a stranger's is unfolded without trust.

A zip is unfolded as a whole or refused as a whole. What its directory claims is checked first, and
what comes out of it again while reading, since a directory may lie.
"""

import os
import re
import stat
import struct
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from whet.core.errors import EnvironmentProblem, InvalidImport, NotFound
from whet.curate.archive import (
    BROKEN,
    DEEPEST,
    entry_problem,
    few,
    is_folder,
    mb,
    opened,
    sum_problem,
)
from whet.curate.segments import shown
from whet.documents.files import reason
from whet.evaluate.project_places import unfit_path

_MIB = 1024 * 1024
CONFIG = "config.json"
MOST_ENTRIES = 100_000
"""Files and folders, counted before anything is written."""

MOST_BYTES = 4096 * _MIB
MOST_IN_COPY = 256 * _MIB
"""Of one skill or baseline, all its files together."""

MOST_IN_ONE = 64 * _MIB
_MOST_IN_DOCUMENT = 16 * _MIB
"""Of the configuration, and of the cases of a baseline: they are read as a whole."""

TRIALS = re.compile(r"trials/[0-9]{4}\.zip")
"""Where the records of a project's trials are, as cassettes."""

_PLACE = re.compile(
    r"config\.json|analysis_report\.json|(?:skills|baselines)/[^/]+/.+|results/.+\.json"
    r"|(?:iterations|logs)/.+"
)
_DOCUMENT = re.compile(r"config\.json|baselines/[^/]+/cases\.json")
_COPY = re.compile(r"(?:skills|baselines)/[^/]+")
_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.tmp")
"""What is being written by whoever runs the project just now."""

_CHUNK = _MIB
_MOST_DIRECTORY = 32 * _MIB
_END = struct.Struct("<4s4H2LH")
_BIG_END = struct.Struct("<4sQ2H2L4Q")
_LOCATOR_BYTES = 20
_HEADER = struct.Struct("<4s24x3H12x")
"""Of an entry in the directory: its mark, and the lengths of what follows."""


def files_of(folder: Path, notes: list[str]) -> Iterator[tuple[str, Path]]:
    """Every file that belongs to a project, in order; what is left out is noted."""
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        with os.scandir(folder / prefix) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        below: list[str] = []
        for entry in found:
            path = f"{prefix}{entry.name}"
            if entry.is_dir(follow_symlinks=False) and _may_have_more(path):
                below.append(f"{path}/")
            elif _TEMPORARY.fullmatch(entry.name):
                continue
            elif problem := _unwanted(path, entry):
                notes.append(f"{shown(path)} is left out: it {problem}")
            else:
                yield path, Path(entry.path)
        waiting += reversed(below)


def _may_have_more(folder: str) -> bool:
    return _PLACE.fullmatch(f"{folder}/x/x.json") is not None


def _unwanted(path: str, entry: os.DirEntry[str]) -> str | None:
    if entry.is_symlink():
        return "is a link"
    if not entry.is_file(follow_symlinks=False):
        return "is no part of a project"
    size, most = entry.stat(follow_symlinks=False).st_size, most_at(path)
    return place_problem(path) or (f"is larger than {mb(most)}" if size > most else None)


def place_problem(path: str) -> str | None:
    """Why a file of that path is no part of a project."""
    if problem := unfit_path(path):
        return problem
    if path.count("/") > DEEPEST:
        return f"lies more than {DEEPEST} folders deep"
    return None if _PLACE.fullmatch(path) else "is no part of a project"


def most_at(path: str) -> int:
    """The bytes that a file may have there."""
    if TRIALS.fullmatch(path):
        return MOST_BYTES
    return _MOST_IN_DOCUMENT if _DOCUMENT.fullmatch(path) else MOST_IN_ONE


def unfold(path: Path, folder: Path, name: str) -> None:
    """Write what is in a zip into *folder*, which is made; raises ``InvalidImport`` with the
    reasons why it is refused, where it is called *name*."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if problem := _directory_problem(file, size):
                raise InvalidImport(name, [problem])
            with opened(file) as archive:
                every = archive.infolist()
                entries = [entry for entry in every if not is_folder(entry)]
                top = _top([entry.orig_filename for entry in entries])
                odd = _odd_folders([entry for entry in every if is_folder(entry)])
                if problems := [*odd, *_problems(entries, top, size)]:
                    raise InvalidImport(name, few(problems))
                inside = {entry.filename.removeprefix(top): entry for entry in entries}
                _write(archive, inside, folder, size)
    except FileNotFoundError:
        raise NotFound(f"{path}: no such file") from None
    except BROKEN as error:
        told = " ".join(str(error).split())[:200]
        raise InvalidImport(name, [f"is no zip that can be read: {told}"]) from None


def _directory_problem(file: BinaryIO, size: int) -> str | None:
    """Why the directory of a zip is not even to be looked at. It is counted here, as the library
    keeps a great deal for each entry and believes no number in advance."""
    tail_bytes = _END.size + _LOCATOR_BYTES + _BIG_END.size
    file.seek(max(0, size - tail_bytes))
    tail = file.read()
    mark, *_, length, _, comment = _END.unpack(tail[-_END.size :].rjust(_END.size))
    if mark != b"PK\5\6" or comment:
        return "is no zip that can be read: its end is missing, or a comment is there"
    end = size - _END.size
    if tail[: -_END.size][-_LOCATOR_BYTES:].startswith(b"PK\6\7") and len(tail) == tail_bytes:
        mark, *_, length, _ = _BIG_END.unpack(tail[: _BIG_END.size])
        end = size - tail_bytes
        if mark != b"PK\6\6":
            return "is no zip that can be read: its directory is not where it should be"
    if length > min(end, _MOST_DIRECTORY):
        return f"has more than {MOST_ENTRIES:,} entries"
    file.seek(end - length)
    return _count_problem(file.read(length))


def _count_problem(directory: bytes) -> str | None:
    place = count = 0
    while place < len(directory):
        if len(directory) < place + _HEADER.size:
            return "is no zip that can be read: its directory is cut off"
        mark, *lengths = _HEADER.unpack_from(directory, place)
        if mark != b"PK\1\2":
            return "is no zip that can be read: its directory is broken"
        place += _HEADER.size + sum(lengths)
        count += 1
        if count > MOST_ENTRIES:
            return f"has more than {MOST_ENTRIES:,} entries"
    return None


def _top(names: Sequence[str]) -> str:
    """The folder of the project with its slash, or nothing where the zip is that folder: where a
    configuration lies with the most parts of a project, so that a stray one accuses no others."""
    parts: Counter[str] = Counter()
    tops: list[str] = []
    for name in names:
        folder, slash, rest = name.partition("/")
        for top, path in ((f"{folder}{slash}", rest), ("", name)):
            parts[top] += _PLACE.fullmatch(path) is not None
            if path == CONFIG:
                tops.append(top)
    return max(tops, key=parts.__getitem__, default="")


def _problems(entries: Sequence[zipfile.ZipInfo], top: str, size: int) -> Iterator[str]:
    """What the directory of a zip says that it must not say; of names it says ``orig_filename``,
    as the library cuts others at a zero byte."""
    if len(entries) > MOST_ENTRIES:
        yield f"has {len(entries):,} entries, more than {MOST_ENTRIES:,}"
        return
    paths = [entry.orig_filename.removeprefix(top) for entry in entries]
    if CONFIG not in paths:
        # Nothing else can be said of a zip that is no project, except what leads out of it.
        yield from (f"{shown(path)}: {why}" for path in paths if (why := unfit_path(path)))
        yield f"is no project: no {CONFIG} in it"
        return
    copies: Counter[str] = Counter()
    for path, entry in zip(paths, entries, strict=True):
        problem = None if TRIALS.fullmatch(path) else place_problem(path)
        if not problem and not entry.orig_filename.startswith(top):
            problem = f"lies outside of the project's folder {shown(top)}"
        if problem := problem or entry_problem(entry, most_at(path)):
            yield f"{shown(path)}: {problem}"
        if copy := _COPY.match(path):
            copies[copy[0]] += entry.file_size
    inside = (entry.orig_filename.startswith(top) for entry in entries)
    yield from _clashes([path for path, is_inside in zip(paths, inside, strict=True) if is_inside])
    for copy, unfolded in copies.items():
        if unfolded > MOST_IN_COPY:
            yield f"{shown(copy)}: is larger than {mb(MOST_IN_COPY)}"
    if problem := sum_problem(sum(entry.file_size for entry in entries), size, MOST_BYTES):
        yield problem


def _odd_folders(entries: Sequence[zipfile.ZipInfo]) -> Iterator[str]:
    """They are not made; files make those that they need."""
    for entry in entries:
        if problem := unfit_path(entry.orig_filename.removesuffix("/")):
            yield f"{shown(entry.orig_filename)}: {problem}"


def _clashes(paths: Sequence[str]) -> Iterator[str]:
    names = set(paths)
    if len(names) < len(paths):
        twice = next(path for path, count in Counter(paths).items() if count > 1)
        yield f"{shown(twice)}: is there more than once"
    for path in names:
        above = path.rpartition("/")[0]
        while above:
            if above in names:
                yield f"{shown(above)}: is both a file and a folder"
            above = above.rpartition("/")[0]


def _write(
    archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo], folder: Path, size: int
) -> None:
    made: set[Path] = set()
    unfolded = 0
    for path, entry in entries.items():
        target = folder / path
        written = 0
        with archive.open(entry) as source, _new(target, made) as sink:
            while part := source.read(_CHUNK):
                written += len(part)
                if problem := sum_problem(unfolded + written, size, MOST_BYTES):
                    raise zipfile.BadZipFile(problem)
                _put(sink, part, target)
        if written != entry.file_size:
            raise zipfile.BadZipFile(f"{shown(path)} is not as long as it should be")
        unfolded += written
        if path.startswith("skills/") and entry.external_attr >> 16 & stat.S_IXUSR:
            target.chmod(0o755)


def _new(target: Path, made: set[Path]) -> FileIO:
    try:
        if target.parent not in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            made.add(target.parent)
        return target.open("xb", buffering=0)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {target}: {reason(error)}") from error


def _put(sink: FileIO, part: bytes, target: Path) -> None:
    """Unbuffered, so that a full disk is not taken for a broken zip."""
    rest = memoryview(part)
    try:
        while rest:
            rest = rest[sink.write(rest) :]
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {target}: {reason(error)}") from error
