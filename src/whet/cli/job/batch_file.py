"""The inputs of many jobs in one file: lines of JSON, a list, or a table."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from whet.app.jobs.batch import MOST_JOBS
from whet.cli.job.inputs import inputs_of, parameters_of, typed
from whet.core.errors import InvalidImport, UsageError
from whet.curate.intake.baseline_csv import MOST_LINES
from whet.curate.intake.given import decoded, read_bytes
from whet.curate.manifest import JobPackage
from whet.documents.text import parse_json, parse_untrusted

SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
PARTS = ("input", "parameter", "files")
"""What a row may be made of; one that has other keys has the inputs themselves."""

_PREFIXES = {"input.": "input", "parameter.": "parameter", "file.": "files"}
_MOST_TOLD = 20


@dataclass(frozen=True)
class Row:
    """What one job is given."""

    input: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    parameter: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    files: dict[str, Path] = field(default_factory=dict[str, Path])


def read_rows(path: Path, package: JobPackage) -> tuple[Row, ...]:
    """The rows of a file, in their order; raises ``InvalidImport`` with all that is wrong. Paths in
    it begin where the file lies."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{path}: a batch is one of {', '.join(SUFFIXES)}")
    text = decoded(read_bytes(path), str(path))
    found: list[Row] = []
    problems: list[str] = []
    is_table = suffix in (".csv", ".tsv")
    given = _table(text, path, suffix) if is_table else _listed(text, path, suffix)
    for number, (place, each) in enumerate(given, 1):
        if number > MOST_JOBS:
            raise InvalidImport(path, [f"has more than {MOST_JOBS:,} rows; split it"])
        try:
            found.append(_row(each, package, path.parent, is_table=is_table))
        except UsageError as error:
            problems.append(f"{place}: {error}")
    if problems:
        more = [f"and {len(problems) - _MOST_TOLD} more"] if len(problems) > _MOST_TOLD else []
        raise InvalidImport(path, [*problems[:_MOST_TOLD], *more])
    if not found:
        raise InvalidImport(path, ["has no rows"])
    return tuple(found)


def _listed(text: str, path: Path, suffix: str) -> Iterator[tuple[str, JsonValue]]:
    if suffix != ".json":
        for number, line in enumerate(io.StringIO(text, newline="\n"), start=1):
            _check_lines(path, number)
            if line.strip():
                yield f"line {number}", parse_json(line.encode(), f"{path}, line {number}")
        return
    whole = parse_untrusted(text.encode(), str(path))
    items = whole.get("items") if isinstance(whole, dict) else whole
    if not isinstance(items, list):
        raise InvalidImport(path, ['has no list: write [{…}, {…}], or {"items": […]}'])
    for number, item in enumerate(items, start=1):
        yield f"item {number}", item


def _check_lines(path: Path, number: int) -> None:
    """Refuse a file of which most is empty, before all of it is read."""
    if number > MOST_LINES:
        raise InvalidImport(path, [f"has more than {MOST_LINES:,} lines; split it"])


def _table(text: str, path: Path, suffix: str) -> Iterator[tuple[str, JsonValue]]:
    delimiter = "\t" if suffix == ".tsv" else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        heads = [head.strip() for head in next(reader, list[str]())]
        if "" in heads or len(set(heads)) < len(heads):
            raise InvalidImport(path, ["has a column without a name, or two with the same"])
        for number, cells in enumerate(reader, start=2):
            _check_lines(path, number)
            if not any(cells):
                continue
            if len(cells) != len(heads):
                told = f"has {len(cells)} cells, and the first line has {len(heads)}"
                raise InvalidImport(path, [f"line {reader.line_num}: {told}"])
            named = zip(heads, cells, strict=True)
            filled: dict[str, JsonValue] = {head: cell for head, cell in named if cell}
            yield f"line {reader.line_num}", filled
    except csv.Error as error:
        raise InvalidImport(path, [f"line {reader.line_num}: {error}"]) from None


def _row(given: JsonValue, package: JobPackage, folder: Path, *, is_table: bool) -> Row:
    if not isinstance(given, dict):
        raise UsageError("must be an object")
    if given and not is_table and all(name in PARTS for name in given):
        parts = {name: _part(given, name) for name in PARTS}
    else:
        parts = _sorted(given, package)
    if is_table:
        known = {"input": inputs_of(package), "parameter": parameters_of(package)}
        for part, fields in known.items():
            texts = parts[part].items()
            parts[part] = {name: typed(str(text), fields.get(name)) for name, text in texts}
    files = {name: _place(name, value, folder) for name, value in parts["files"].items()}
    return Row(parts["input"], parts["parameter"], files)


def _part(given: Mapping[str, JsonValue], name: str) -> dict[str, JsonValue]:
    found = given.get(name, {})
    if not isinstance(found, dict):
        raise UsageError(f"{name}: must be an object")
    return found


def _sorted(given: Mapping[str, JsonValue], package: JobPackage) -> dict[str, dict[str, JsonValue]]:
    """Each value where the skill has one of its name; ``parameter.name`` says which is meant."""
    parts: dict[str, dict[str, JsonValue]] = {part: {} for part in PARTS}
    for name, value in given.items():
        prefix = next((each for each in _PREFIXES if name.startswith(each)), None)
        if prefix is not None and name not in inputs_of(package):
            parts[_PREFIXES[prefix]][name.removeprefix(prefix)] = value
        elif name in package.file_inputs:
            parts["files"][name] = value
        elif name in parameters_of(package) and name not in package.inline_inputs:
            parts["parameter"][name] = value
        else:
            parts["input"][name] = value
    return parts


def _place(name: str, value: JsonValue, folder: Path) -> Path:
    if not isinstance(value, str) or not value:
        raise UsageError(f"files.{name}: must be the path of a file")
    return folder / value
