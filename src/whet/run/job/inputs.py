"""Typed inputs: checked when a job is asked for, joined with the uploaded files when it starts."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pydantic import JsonValue

from whet.core.files import FileRef
from whet.curate.manifest import JobPackage

if TYPE_CHECKING:  # loading the library behind it takes longer than starting a command does
    from whet.documents.schema import Schema

UPLOADS = "uploads"


def problems(
    package: JobPackage, given: Mapping[str, JsonValue], about: Mapping[str, JsonValue]
) -> list[str]:
    """Everything that is wrong with inline inputs and parameters, all at once."""
    found = list[str]()
    if package.input is not None:
        found += _misplaced(package, given)
        values = {name: given[name] for name in package.inline_inputs if name in given}
        found += _unfit("input", package.schema("inline"), values)
    return [*found, *_unfit("parameter", package.schema("parameter"), about)]


def missing(package: JobPackage, files: Iterable[FileRef]) -> list[str]:
    """The required files that nobody uploaded."""
    there = _names(files)
    return [
        f"input.{name}: the file is missing; upload a zip with a file that is called just {name!r}"
        for name in package.required_files
        if name not in there
    ]


def unfit(package: JobPackage, names: Iterable[str]) -> list[str]:
    """What is wrong with the files that somebody has at hand for a job, by their names."""
    given = list(names)
    there = {name.partition("/")[0] for name in given}
    found = [
        f"input.{name}: the file is missing" for name in package.required_files if name not in there
    ]
    return found if package.input is None else [*found, *_unknown(package, given)]


def mixed(
    package: JobPackage, given: Mapping[str, JsonValue], files: Iterable[FileRef], work: str
) -> dict[str, JsonValue]:
    """Inline values as they are, and the absolute path of each file that has the name of a field.
    A package that declares no inputs gets the paths of all files."""
    there = _names(files)
    wanted = package.file_inputs if package.input is not None else sorted(there)
    paths: dict[str, JsonValue] = {
        name: f"{work}/{UPLOADS}/{name}" for name in wanted if name in there
    }
    return {**given, **paths}


def _misplaced(package: JobPackage, given: Mapping[str, JsonValue]) -> Iterable[str]:
    for name in given:
        if name in package.file_inputs:
            yield (
                f"input.{name}: it is a file; leave it out here and give the file "
                "(--file, or POST …/upload)"
            )
        elif name not in package.inline_inputs:
            has = ", ".join((*package.inline_inputs, *package.file_inputs)) or "none"
            yield f"input.{name[:100]}: the skill has no such input; it has {has}"


def _unknown(package: JobPackage, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        if name in package.inline_inputs:
            yield f"input.{name}: it is a value, and no file"
        elif name.partition("/")[0] not in package.file_inputs:
            has = ", ".join(package.file_inputs) or "none"
            yield f"input.{name[:100]}: the skill takes no such file; it takes {has}"


def _unfit(what: str, schema: "Schema | None", value: Mapping[str, JsonValue]) -> list[str]:
    problems = () if schema is None else schema.problems({**value})
    return [f"{what}{told.removeprefix('$')}" for told in problems]


def _names(files: Iterable[FileRef]) -> frozenset[str]:
    """What lies directly in the folder of uploads: files, and folders of them."""
    prefix = f"{UPLOADS}/"
    return frozenset(
        file.path.removeprefix(prefix).partition("/")[0]
        for file in files
        if file.path.startswith(prefix)
    )
