"""The three schemas of a package: found, read, and held against what whet can use."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from whet.core.errors import InvalidDocument, UsageError
from whet.core.files import inside
from whet.curate.archive import clashes
from whet.curate.segments import package_path, shown
from whet.documents.base import Document
from whet.documents.job import InputSchema, OutputSchema, ParameterSchema
from whet.documents.text import parse_json

if TYPE_CHECKING:  # slow to load, and not every skill has a schema
    from whet.documents.schema import Schema

Key = Literal["input", "parameter", "output"]
Source = dict[str, JsonValue]

MOST_BYTES = 256 * 1024
MOST_PARTS = 5_000
"""Of one schema, in objects: checking each takes a fraction of a millisecond."""

_DOCUMENTS: dict[Key, type[Document]] = {
    "input": InputSchema,
    "parameter": ParameterSchema,
    "output": OutputSchema,
}


def schema_places(
    manifest: Mapping[str, JsonValue], content: Mapping[str, bytes], problems: list[str]
) -> dict[Key, str]:
    """Where the schemas lie that there are; what is wrong with that is added to *problems*."""
    found: dict[Key, str] = {}
    for key in _DOCUMENTS:
        if (path := _place(key, manifest, content, problems)) is not None:
            found[key] = path
    return found


def read_schemas(
    places: Mapping[Key, str],
    content: Mapping[str, bytes],
    ready: dict[str, "Schema"],
    problems: list[str],
) -> dict[Key, Source]:
    """The schemas at these places, which are also made *ready* to check values with; what is wrong
    with them is added to *problems*."""
    found: dict[Key, Source] = {}
    for key, path in places.items():
        if (source := _read(content[path], path, problems)) is None:
            continue
        found[key] = source
        wrong = _DOCUMENTS[key].mistakes(source)
        try:
            ready[key] = _ready(source)
        except UsageError as error:
            # What is no list, say, is told by both.
            if not any(f": $.{one.partition(':')[0]}:" in str(error) for one in wrong):
                wrong.append(str(error))
        if key == "input":
            wrong += _input_problems(source)
        problems += (f"{path}: {one}" for one in wrong)
    return found


def properties(schema: Mapping[str, JsonValue] | None) -> dict[str, Source]:
    """The properties of an object's schema, in their order."""
    inner = (schema or {}).get("properties")
    if not isinstance(inner, dict):
        return {}
    return {name: one for name, one in inner.items() if isinstance(one, dict)}


def required(schema: Mapping[str, JsonValue] | None) -> tuple[str, ...]:
    """The properties that have to be there."""
    names = (schema or {}).get("required")
    return tuple(one for one in names if isinstance(one, str)) if isinstance(names, list) else ()


def is_file(source: Mapping[str, JsonValue]) -> bool:
    """Whether an input is an uploaded file, as it is unless it says otherwise."""
    return source.get("x-input-source", "file") == "file"


def _place(
    key: Key,
    manifest: Mapping[str, JsonValue],
    content: Mapping[str, bytes],
    problems: list[str],
) -> str | None:
    """Where a schema lies. One that is declared is never replaced by another in silence."""
    usual = f"assets/{key}.schema.json"
    declared = manifest.get("schemas")
    path = declared.get(key) if isinstance(declared, dict) else None
    if not isinstance(path, str):
        if path is None and usual not in content and key == "output":
            problems.append(f"schemas.output: there is none; write it, and save it as {usual}")
        return usual if path is None and usual in content else None
    try:
        inside(path)
    except ValueError:
        problems.append(
            f"schemas.{key}: {shown(path)} is no clean path inside the package; "
            f"give one from its top, {usual} say"
        )
        return None
    if path not in content:
        problems.append(
            f"schemas.{key}: the package has no file {shown(path)}; add it, or take this line out"
        )
        return None
    return path


def _read(data: bytes, path: str, problems: list[str]) -> Source | None:
    if len(data) > MOST_BYTES:
        problems.append(f"{path}: is larger than {MOST_BYTES // 1024} KB; make it smaller")
        return None
    try:
        value = parse_json(data, path)
    except InvalidDocument as error:
        problems.append(str(error))
        return None
    if not isinstance(value, dict):
        problems.append(f"{path}: must be an object; begin it with {{ and end it with }}")
        return None
    return value


def _ready(source: Source) -> "Schema":
    from whet.documents.strange_schema import StrangeSchema

    if _parts(source) > MOST_PARTS:
        raise UsageError(f"schema: has more than {MOST_PARTS:,} objects in it; make it smaller")
    return StrangeSchema(source)


def _parts(source: Source) -> int:
    waiting: list[JsonValue] = [source]
    count = 0
    while waiting and count <= MOST_PARTS:
        match waiting.pop():
            case dict() as node:
                count += 1
                waiting += node.values()
            case list() as items:
                waiting += items
            case _:
                pass
    return count


def _input_problems(source: Source) -> Iterator[str]:
    """A file is uploaded under the name of its input, so that must be one for a file."""
    files = [name for name, one in properties(source).items() if is_file(one)]
    for name in files:
        if (problem := _name_problem(name)) is not None:
            yield (
                f"properties.{name}: {problem}; rename it, "
                'or make it inline by "x-input-source": "inline"'
            )
    yield from (f"properties: {problem}; rename one" for problem in clashes(files))
    declared = source.get("properties", {})
    for name in required(source):
        if isinstance(declared, dict) and name not in declared:
            yield f"required: {shown(name)} is no property; declare it, or take it out"


def _name_problem(name: str) -> str | None:
    if "/" in name:
        return "an uploaded file cannot have a / in its name"
    try:
        package_path(name)
    except UsageError as error:
        return str(error)
    return None
