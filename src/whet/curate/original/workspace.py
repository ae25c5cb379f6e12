"""A whole workspace of the original program, taken over without loss."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.core.instant import iso_seconds
from whet.curate.original.assets import import_assets
from whet.curate.original.found import Source
from whet.curate.original.projects import import_projects, told_by_projects
from whet.curate.original.reading import as_document, files_below, read_value
from whet.curate.original.report import Notebook, RepairReport
from whet.curate.places import is_behind_link
from whet.documents.files import reason, write_atomic
from whet.documents.settings import CliSettings

_SHELVES = {
    "skills": ("*", "*", "skill_*"),
    "baselines": ("*", "*", "baseline_*"),
    "projects": ("project_*",),
}
"""What the folders are called in which the original keeps things, from the top."""

_FOLDERS = ("cli", "logs", "versions")
_BOARD = re.compile(r"leaderboard_export_[0-9]+\.(?:json|csv)")
_SETTINGS = "cli/config.json"
_PROGRAM = "claude"


def import_workspace(original: Path, workspace: Path, now: datetime) -> RepairReport:
    """Take over everything in *original* that is not in *workspace* yet.

    The original is only read. The report tells every change, and everything that could not be
    repaired. Whatever is here already is left as it is, so doing it twice changes nothing.
    """
    root, target = original.resolve(), workspace.resolve()
    if not any((root / name).is_dir() for name in _SHELVES):
        raise NotFound(f"{original} is no workspace: no {', '.join(_SHELVES)} in it")
    if root.is_relative_to(target) or target.is_relative_to(root):
        raise UsageError(f"{original} and {workspace} lie inside one another")
    notebook = Notebook(root)
    try:
        source = told_by_projects(Source(root, iso_seconds(now), notebook))
        skills, skill_versions = import_assets("skill", source, target)
        baselines, baseline_versions = import_assets("baseline", source, target)
        projects = import_projects(source, target)
        _name_strays(notebook)
        files = sum(_copied(path, name, target, notebook) for path, name in _others(notebook))
    except OSError as error:
        place = error.filename or original
        raise EnvironmentProblem(f"cannot take over {place}: {reason(error)}") from error
    return RepairReport(
        entries=notebook.told(),
        skills=skills,
        baselines=baselines,
        versions=skill_versions + baseline_versions,
        projects=projects,
        files=files,
    )


def _others(notebook: Notebook) -> Iterator[tuple[Path, str]]:
    """Settings, logs and exported tables; what else lies there is named and left."""
    for path in sorted(notebook.root.iterdir()):
        if path.name in _SHELVES:
            continue
        if path.is_symlink() or (path.name not in _FOLDERS and not _BOARD.fullmatch(path.name)):
            notebook.left_out(path, "is not of the original program")
        elif path.is_dir():
            for inner, name in files_below(path, notebook, path):
                yield inner, f"{path.name}/{name}"
        elif path.is_file():
            yield path, path.name


def _name_strays(notebook: Notebook) -> None:
    """What lies among assets and projects, and is none, is named and left."""
    for name, parts in _SHELVES.items():
        shelf = notebook.root / name
        for path in _strays(shelf, parts) if shelf.is_dir() and not shelf.is_symlink() else ():
            if not path.is_symlink():
                notebook.left_out(path, "is not of the original program")
            elif not notebook.knows_of(path):
                notebook.left_out(path, "is a link")


def _strays(folder: Path, parts: Sequence[str]) -> Iterator[Path]:
    """What does not fit, and what lies in none of the folders that do."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not path.is_dir() or not path.match(parts[0]):
            yield path
        elif parts[1:]:
            yield from _strays(path, parts[1:])


def _copied(path: Path, name: str, workspace: Path, notebook: Notebook) -> bool:
    data = _content(path, name, notebook)
    if data is None:
        return False
    target = workspace / name
    if is_behind_link(target, workspace):
        notebook.skipped(path, "a link is in its place here")
        return False
    if target.exists():
        if target.read_bytes() != data:
            notebook.skipped(path, "another file of this name is here already")
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(target, data, durable=True)
    return True


def _content(path: Path, name: str, notebook: Notebook) -> bytes | None:
    """What becomes of a file; None where it is too broken to be used."""
    if name == _SETTINGS:
        return _settings(path, notebook)
    if _BOARD.fullmatch(name) and name.endswith(".json"):
        raw = read_value(path, notebook)
        fixed = _snake(raw)
        if raw is not None and fixed != raw:
            notebook.changed(path, "keys are written with underscores now")
            return (json.dumps(fixed, indent=2, ensure_ascii=False) + "\n").encode()
    return path.read_bytes()


def _settings(path: Path, notebook: Notebook) -> bytes | None:
    """Settings name a program that would be started: only the usual one is taken over."""
    raw = read_value(path, notebook)
    settings = as_document(CliSettings, raw, path, notebook) if raw is not None else None
    if settings is None:
        return None
    if settings.cli_path != _PROGRAM:
        notebook.changed(path, "cli_path", settings.cli_path, _PROGRAM)
        settings = settings.model_copy(update={"cli_path": _PROGRAM})
    return settings.to_json().encode()


def _snake(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_snake(each) for each in value]
    if isinstance(value, dict):
        return {
            re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: f"_{found[1].lower()}", key): _snake(
                inner
            )
            for key, inner in value.items()
        }
    return value
