"""The logs of calls to a model for tags: one file for each, in the folder of the version.

A log is written when the model is asked, and again when that is over. What is over is never
touched again, nor is another's log.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

from whet.core.errors import EnvironmentProblem, UsageError
from whet.curate.holding import Holding
from whet.documents.assets import AutoTagLog, Tags
from whet.documents.files import write_atomic

FOLDER = "auto_tag_log"
ABANDONED = "the process ended before there was an answer"


def name_for(folder: Path, wanted: str, log: AutoTagLog) -> str:
    """*wanted*, unless it is the name of something else: then there is a number in it."""
    names = _names(wanted)
    return next(n for n in names if not _is_there(folder / n) or _is_begun(folder / n, log))


def is_over(folder: Path, wanted: str, log: AutoTagLog) -> bool:
    """Whether a log of the same session says already how that ended."""
    there = itertools.takewhile(lambda name: _is_there(folder / name), _names(wanted))
    found = (_read(folder / name) for name in there)
    return any(one and _is_same(one, log) and one.status != "running" for one in found)


def write(present: Holding, name: str, log: AutoTagLog) -> None:
    """Put it into the newest version, and in place of its own beginning in older ones: the asset
    may have been edited meanwhile. The caller holds the lock."""
    *older, newest = (asset.folder for asset in present.versions)
    try:
        (newest / FOLDER).mkdir(exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {newest / FOLDER}: {error.strerror}") from error
    for folder in (*(one for one in older if _is_begun(one / name, log)), newest):
        write_atomic(folder / name, log.to_json(), durable=True)


def begun(folder: Path) -> Iterator[tuple[str, AutoTagLog]]:
    """The logs that say of themselves that they are not complete, by name."""
    for path in sorted(folder.glob(f"{FOLDER}/*.json")):
        if (log := _read(path)) is not None and log.status == "running":
            yield f"{FOLDER}/{path.name}", log


def ended(name: str, log: AutoTagLog, tags: Tags) -> AutoTagLog:
    """How a call ended whose process is gone: with tags that were proposed, or with none."""
    if any(tag.log_ref == name for tag in tags.auto):
        return log.model_copy(update={"status": "completed"})
    change = {"status": "failed", "parsed_tags": (), "error": ABANDONED}
    return log.model_copy(update={**change, "raw_output": log.raw_output or ABANDONED})


def _names(wanted: str) -> Iterator[str]:
    start = wanted.removesuffix(".json")
    yield from itertools.chain([wanted], (f"{start}_{count}.json" for count in itertools.count(2)))


def _is_begun(path: Path, log: AutoTagLog) -> bool:
    """Whether the file is the beginning of that very log."""
    found = _read(path)
    return found is not None and _is_same(found, log) and found.status == "running"


def _is_same(one: AutoTagLog, other: AutoTagLog) -> bool:
    return (one.session_id, one.target_id) == (other.session_id, other.target_id)


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _read(path: Path) -> AutoTagLog | None:
    """The log in a file; None where there is none, or something that is none."""
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        return None
    try:
        return AutoTagLog.load(path)
    except (UsageError, EnvironmentProblem):
        return None
