"""Where the parts of a project lie. Its folder may come from anywhere, so nothing that its
configuration says leads out of it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from whet.core.errors import InvalidDocument
from whet.core.files import inside
from whet.core.naming import short
from whet.curate.places import is_behind_link
from whet.documents.project import BaselineRef, ProjectConfig, SkillRef

MOST_REPEATS = 1000
MOST_READINGS = 100
LONGEST_PART = 255
LONGEST_PATH = 1000
"""Bytes of a name, characters of a path."""

_VERSION = re.compile(r"v[0-9]{1,9}")
_UNFIT = re.compile(r"[\x00\ud800-\udfff]")
_NO_NAME = re.compile(r"[/\\\x00\ud800-\udfff]")

Reference = SkillRef | BaselineRef


def arm_id(skill: str, version: str) -> str:
    """The short id of a skill version, which is also the name of its results folder."""
    return f"{short(skill)}_{version}"


def copy_of(folder: Path, reference: Reference) -> Path:
    """Where a project keeps its copy of an asset; raises ``InvalidDocument`` where that is outside
    of its *folder*, or behind a link."""
    place = reference.local_path
    if problem := _misplaced(folder, place):
        raise InvalidDocument(folder / "config.json", f"local_path {place[:80]!a}", problem)
    return folder / place


def refuse_unfit(folder: Path, config: ProjectConfig) -> None:
    """Raise ``InvalidDocument`` for a configuration that no run may follow."""
    for field, problem in _unfit(folder, config):
        raise InvalidDocument(folder / "config.json", field, problem)


def _unfit(folder: Path, config: ProjectConfig) -> Iterator[tuple[str, str]]:
    if not 1 <= (config.repeats or 1) <= MOST_REPEATS:
        yield "repeats", f"must be 1 to {MOST_REPEATS}"
    if config.grading_config and not 1 <= config.grading_config.readings <= MOST_READINGS:
        yield "grading_config.readings", f"must be 1 to {MOST_READINGS}"
    yield from _unfit_assets(folder, "skills", config.skills)
    yield from _unfit_assets(folder, "baselines", config.baselines)


def _unfit_assets(
    folder: Path, field: str, references: Sequence[Reference]
) -> Iterator[tuple[str, str]]:
    taken: set[str] = set()
    for index, reference in enumerate(references):
        where = f"{field}[{index}]"
        name = arm_id(reference.ref_id, reference.version)
        if not _VERSION.fullmatch(reference.version):
            yield f"{where}.version", f"must be v1, v2, …, found {reference.version[:80]!a}"
        if not reference.ref_id or _NO_NAME.search(name):
            yield f"{where}.ref_id", f"{reference.ref_id[:80]!a} is no file name"
        if name in taken:
            yield where, f"has the same short id and version as another one: {name}"
        taken.add(name)
        if problem := _misplaced(folder, reference.local_path):
            yield f"{where}.local_path", problem


def _misplaced(folder: Path, place: str) -> str | None:
    """Why a path of a configuration is not to be followed."""
    if problem := unfit_path(place):
        return problem
    if is_behind_link(folder / place, folder):
        return "is a link, or behind one, which is not followed"
    return None


def unfit_path(place: str) -> str | None:
    """Why a path cannot be that of something inside a project."""
    try:
        inside(place)
    except ValueError:
        return "leads out of the project's folder, or is no plain path"
    longest = max(len(part.encode(errors="replace")) for part in place.split("/"))
    if _UNFIT.search(place) or longest > LONGEST_PART or len(place) > LONGEST_PATH:
        return "is no path on this system"
    return None
