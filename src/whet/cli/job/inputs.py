"""Values as people write them on a command line or in a table: JSON, text, files, variables."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import JsonValue
from pydantic_core import from_json

from whet.app.jobs.request import MOST_VALUES
from whet.core.errors import UsageError
from whet.curate.manifest import JobPackage
from whet.curate.runner.schemas import properties
from whet.documents.text import read_json

STDIN = "-"
_STDIN = Path("/dev/stdin")

Fields = Mapping[str, dict[str, JsonValue]]
"""What a schema says of each property."""


def inputs_of(package: JobPackage) -> Fields:
    """The inputs of a skill."""
    return properties(package.input)


def parameters_of(package: JobPackage) -> Fields:
    """Its parameters."""
    return properties(package.parameter)


def typed(text: str, field: Mapping[str, JsonValue] | None) -> JsonValue:
    """*text* as JSON if it is that, else as it is; what has to be a text stays one, a year say."""
    try:
        value: JsonValue = from_json(text.encode(errors="surrogateescape"), allow_inf_nan=False)
    except ValueError:
        return text
    must_be_text = field is not None and field.get("type") == "string"
    return text if must_be_text and not isinstance(value, str) else value


def values(given: Iterable[str], fields: Fields, option: str) -> dict[str, JsonValue]:
    """What options say that are written ``NAME=VALUE``, or ``@FILE`` for a whole object."""
    found: dict[str, JsonValue] = {}
    for each in given:
        if each.startswith("@"):
            found |= _whole(each[1:], option)
            continue
        name, text = _pair(each, option, "VALUE, or @FILE.json")
        found[name] = typed(text, fields.get(name))
    return found


def files(given: Iterable[str], option: str = "--file") -> dict[str, Path]:
    """What options say that are written ``NAME=PATH``."""
    found: dict[str, Path] = {}
    for each in given:
        name, text = _pair(each, option, "PATH")
        if name in found:
            raise UsageError(f"{option} {name}: is there twice; a folder holds several files")
        if not text:
            raise UsageError(f"{option} {name}: the path is empty")
        found[name] = _path(text)
    if list(found.values()).count(_STDIN) > 1:
        raise UsageError(f"{option}: only one of them can be stdin")
    return found


def variables(given: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Variables for an agent: with a value, or with the one that each has here."""
    found: dict[str, str] = {}
    for each in given:
        name, has_value, value = each.partition("=")
        if not has_value and name not in environment:
            raise UsageError(f"--env {name}: it is not set here; write {name}=VALUE")
        found[name] = value if has_value else environment[name]
    return found


def _pair(each: str, option: str, what: str) -> tuple[str, str]:
    name, equals, text = each.partition("=")
    if not name or not equals:
        raise UsageError(f"{option} {each[:100]}: write NAME={what}")
    return name, text


def _path(text: str) -> Path:
    if text == STDIN:
        return _STDIN
    try:
        return Path(text).expanduser()
    except RuntimeError:  # a user that there is not
        return Path(text)


def _whole(name: str, option: str) -> dict[str, JsonValue]:
    found = read_json(_path(name), MOST_VALUES)
    if not isinstance(found, dict):
        raise UsageError(f"{option} @{name}: must be an object; begin it with {{")
    return found
