"""Version folders appear on the shelf whole or not at all."""

import contextlib
import errno
import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.naming import short
from whet.curate.places import named, version_folders
from whet.curate.segments import alike, segment, shown
from whet.curate.snapshot import SkillSnapshot, Snapshot
from whet.documents.assets import HistoryRecord, Tags

ABANDONED = 3600.0
"""Seconds after which an unfinished folder has lost its writer."""

_UNFINISHED = re.compile(r"\.new-[0-9a-f]{16}")


def folder_of(workspace: Path, snapshot: Snapshot) -> Path:
    """Where a version lies; raises ``UsageError`` where that would be outside the library."""
    meta = snapshot.meta
    kind = kind_of(snapshot)
    shelf = workspace / f"{kind}s"
    purpose, provider = segment(meta.purpose, "purpose"), segment(meta.provider, "provider")
    above = shelf / purpose / provider
    if above.resolve() != shelf.resolve() / purpose / provider:
        raise UsageError(f"{above} leads elsewhere; nothing is written through links")
    return above / f"{kind}_{short(meta.id)}_{meta.version}"


def kind_of(snapshot: Snapshot) -> str:
    """``skill`` or ``baseline``, as folder names have it."""
    return "skill" if isinstance(snapshot, SkillSnapshot) else "baseline"


def is_taken(workspace: Path, kind: str, identity: str) -> bool:
    """Whether some asset of that kind is already called so in the names of folders."""
    folders, _ = version_folders(workspace / f"{kind}s", named(f"{kind}_{short(identity)}_v"))
    return bool(folders)


def refuse_twin(workspace: Path, snapshot: Snapshot) -> None:
    """Raise ``UsageError`` where the purpose or the provider is there already, but for the case of
    its letters: on some systems both would be one folder."""
    above = workspace / f"{kind_of(snapshot)}s"
    for what, text in (("purpose", snapshot.meta.purpose), ("provider", snapshot.meta.provider)):
        name = segment(text, what)
        present = sorted(path.name for path in above.glob("*"))
        twins = [one for one in present if alike(one) == alike(name)]
        if twins and name not in twins:
            raise UsageError(f"{what} {shown(name)} is written {shown(twins[0])} here; use that")
        above /= name


def shelve(
    workspace: Path,
    snapshot: Snapshot,
    record: HistoryRecord | None = None,
    before: Path | None = None,
) -> Path:
    """Write a version folder and return its place; the caller holds the lock.

    Tags, their logs and where the asset came from are carried over from the version *before*.
    Raises ``UsageError`` where a folder of that name is there already.
    """
    target = folder_of(workspace, snapshot)
    try:
        _sweep(target.parents[2])
        above = [target.parent, *(one.parent for one in target.parents[:3] if not one.exists())]
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f".new-{secrets.token_hex(8)}")
        try:
            _build(unfinished, snapshot, {**_written(snapshot, record), **_carried(before)})
            unfinished.rename(target)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        for folder in above:
            _sync(folder)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            place = error.filename2 or error.filename or target
            raise UsageError(f"{place} is in the way; repair it or move it elsewhere") from error
        raise EnvironmentProblem(f"cannot write {target}: {error.strerror}") from error
    return target


def _written(snapshot: Snapshot, record: HistoryRecord | None) -> dict[str, bytes]:
    files = {"meta.json": snapshot.meta.to_json().encode()}
    if isinstance(snapshot, SkillSnapshot):
        files["content.txt"] = snapshot.content
        files |= {f"package/{path}": data for path, data in (snapshot.package or {}).items()}
    else:
        files["cases.json"] = snapshot.document.to_json().encode()
    if record:
        second = re.sub(r"\D", "", record.timestamp)
        name = f"{record.from_version}_to_{record.to_version}_{second}.json"
        files[f"history/{name}"] = record.to_json().encode()
    return files


def _carried(before: Path | None) -> dict[str, bytes]:
    """What belongs to the asset and not to its version, byte for byte."""
    files = {"tags.json": Tags(manual=(), auto=()).to_json().encode()}
    if before is None:
        return files
    kept = [before / "tags.json", before / "provenance.json"]
    if not (before / "auto_tag_log").is_symlink():
        kept += before.glob("auto_tag_log/*.json")
    return files | {
        str(path.relative_to(before)): path.read_bytes()
        for path in kept
        if path.is_file() and not path.is_symlink()
    }


def _build(folder: Path, snapshot: Snapshot, files: Mapping[str, bytes]) -> None:
    """All files on the disk, names included, before the folder gets its own name."""
    for name in ("history", "auto_tag_log"):
        (folder / name).mkdir(parents=True)
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    for path in snapshot.executables if isinstance(snapshot, SkillSnapshot) else ():
        place = folder / "package" / path
        mode = place.stat().st_mode
        place.chmod(mode | (mode & 0o444) >> 2)
    for above, folders, names in os.walk(folder, topdown=False):
        if folders or names:
            _sync(Path(above))


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_unfinished(entry: os.DirEntry[str]) -> bool:
    return _UNFINISHED.fullmatch(entry.name) is not None


def _sweep(shelf: Path) -> None:
    """Remove what killed writers left unfinished."""
    oldest = time.time() - ABANDONED
    for found in version_folders(shelf, _is_unfinished)[0]:
        # Another writer may sweep, or finish, at this moment.
        with contextlib.suppress(FileNotFoundError):
            if found.lstat().st_mtime < oldest:
                shutil.rmtree(found, ignore_errors=True)
