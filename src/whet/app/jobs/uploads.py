"""Files that come with a job, into the folder of the request: a zip, unfolded without trust, or
files and folders of this machine."""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from whet.core.errors import EnvironmentProblem, InvalidImport, NotFound
from whet.core.files import FileRef
from whet.curate.archive import (
    BROKEN,
    DEEPEST,
    MOST_FILES,
    TAIL,
    Caps,
    directory_problem,
    few,
    is_folder,
    mb,
    opened,
    path_problems,
    problems_of,
    unfolded,
)
from whet.documents.files import reason
from whet.run.workdir import remove

_MIB = 1024 * 1024
CAPS = Caps(in_one=64 * _MIB, in_all=256 * _MIB)
MOST_PACKED = 256 * _MIB
"""Bytes of a zip that is sent."""


def unfold(
    zipped: Path, folder: Path, keep: Callable[[bytes, Path], str], prefix: str
) -> tuple[FileRef, ...]:
    """Write what is in a zip into *folder*, which is made anew, and *keep* each file; their paths
    begin with *prefix*. Raises ``InvalidImport`` with the reasons why it is refused."""
    remove(str(folder))
    try:
        folder.mkdir(parents=True)
        with zipped.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - TAIL))
            if problem := directory_problem(file.read()):
                raise InvalidImport("the upload", [problem])
            with opened(file) as archive:
                entries = archive.infolist()
                if problems := list(problems_of(entries, size, CAPS)):
                    raise InvalidImport("the upload", few(problems))
                wanted = [entry for entry in entries if not is_folder(entry)]
                found: list[FileRef] = []
                for path, data in unfolded(archive, wanted, size, CAPS):
                    _write(folder / path, data)
                    digest = keep(data, folder / path)
                    found.append(FileRef(path=f"{prefix}{path}", digest=digest, size=len(data)))
                return tuple(found)
    except InvalidImport:
        raise
    except BROKEN as error:
        told = " ".join(str(error).split())[:200]
        raise InvalidImport("the upload", [f"is no zip that can be read: {told}"]) from None


def gather(
    files: Mapping[str, Path], folder: Path, keep: Callable[[bytes, Path], str], prefix: str
) -> tuple[FileRef, ...]:
    """The same of files and folders at hand, each under the name that it has in *files*; what is
    no folder is read to its end, be it a pipe. Raises ``InvalidImport``, and ``NotFound`` for what
    is not there."""
    if not files:
        return ()
    remove(str(folder))
    places = [place for name, path in files.items() for place in _places(name, path)]
    paths = [path for path, _ in places]
    problems = list(path_problems(paths))
    if len(places) > MOST_FILES:
        problems = [f"are {len(places):,} files, more than {MOST_FILES:,}"]
    if problems:
        raise InvalidImport("the files", few(problems))
    found: list[FileRef] = []
    left = CAPS.in_all
    for path, place in places:
        data = _content(path, place, min(left, CAPS.in_one))
        left -= len(data)
        _write(folder / path, data)
        found.append(
            FileRef(path=f"{prefix}{path}", digest=keep(data, folder / path), size=len(data))
        )
    return tuple(found)


def _places(name: str, path: Path) -> Iterator[tuple[str, Path]]:
    """What there is to read, with the path that it gets. A link is followed where somebody named
    it, and refused inside a folder: it may lead to what nobody meant to give away."""
    try:
        if not path.is_dir():
            yield name, path
            return
        with os.scandir(path) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        for entry in found:
            inner = f"{name}/{entry.name}"
            if entry.is_dir(follow_symlinks=False) and inner.count("/") <= DEEPEST:
                yield from _places(inner, Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield inner, Path(entry.path)
            else:
                what = "is a link" if entry.is_symlink() else "is neither a file nor a folder"
                raise InvalidImport("the files", [f"{inner}: {what}; name what is meant by itself"])
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {reason(error)}") from error


def _content(name: str, path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise NotFound(f"{name}: there is no {path}") from None
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {reason(error)}") from error
    if len(data) > most:
        told = f"{mb(CAPS.in_one)} each, {mb(CAPS.in_all)} together"
        raise InvalidImport("the files", [f"{name}: files have at most {told}"])
    return data


def discard(folder: Path) -> None:
    """Remove what was unfolded and is not needed, and the request's folder if nothing is left."""
    remove(str(folder))
    with contextlib.suppress(OSError):
        folder.parent.rmdir()


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
    except OSError as error:
        raise EnvironmentProblem(f"cannot keep an upload: {reason(error)}") from error
