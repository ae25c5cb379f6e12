"""Cases in a table: a CSV file with a header row, from a spreadsheet or by hand."""

import contextlib
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from pydantic import JsonValue

from whet.core.errors import InvalidDocument, InvalidImport
from whet.core.spreadsheet import guarded, unguarded
from whet.curate.archive import MOST_IN_ONE
from whet.curate.segments import shown
from whet.documents.text import MOST_ROWS, parse_json

TEXTS = (
    "id",
    "name",
    "category",
    "input",
    "expected_output",
    "description",
    "created_at",
    "updated_at",
)
NUMBERS = ("weight", "timeout_seconds")
STRUCTURES = ("checks", "files", "rubric")
"""Written as JSON in their cell; a rubric may also be a name."""

COLUMNS = (*TEXTS, *NUMBERS, *STRUCTURES)

MOST_LINES = 100_000
"""Rows of a table, with those in which nothing is written."""

MOST_COLUMNS = 1_000

_DELIMITERS = ",;\t"
_SURE = 2
"""Columns that a header must name for a delimiter, where another would make too many cells."""

_LONGEST_COLUMN = 200


def rows_from_csv(text: str, source: str) -> tuple[list[JsonValue], tuple[str, ...]]:
    """The rows as cases, and a note about the columns that mean nothing here."""
    header, rows = _table(text.removeprefix("\ufeff"), source)
    if broken := [*_header_problems(header), *_row_problems(header, rows)]:
        raise InvalidImport(source, broken)
    found: list[JsonValue] = []
    problems: list[str] = []
    for number, cells in enumerate(rows, 1):
        row: dict[str, JsonValue] = {}
        for column, cell in zip(header, cells, strict=False):
            try:
                value = _value(column, unguarded(cell))
            except ValueError as error:
                problems.append(f"case {number}: {column}: {error}")
                continue
            row |= {column: value} if column in COLUMNS and value is not None else {}
        found.append(row)
    if problems:
        raise InvalidImport(source, problems)
    unknown = [column for column in header if column not in COLUMNS]
    notes = (f"columns not taken: {', '.join(map(shown, unknown))}",) if unknown else ()
    return found, notes


def rows_to_csv(rows: Sequence[dict[str, JsonValue]]) -> str:
    """Cases as a table that reads back as the same cases; keys without a column are left out."""
    used = [c for c in COLUMNS if c in TEXTS or any(row.get(c) is not None for row in rows)]
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(used)
    writer.writerows([guarded(_cell(column, row.get(column))) for column in used] for row in rows)
    return buffer.getvalue()


def _table(text: str, source: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows, with the delimiter under which the header says most."""
    csv.field_size_limit(MOST_IN_ONE)
    wide = _wide(text)
    known = {mark: _known(text, mark) for mark in _DELIMITERS if mark not in wide}
    best = max(known, key=lambda mark: known[mark], default="")
    if wide and known.get(best, 0) < _SURE:
        raise InvalidImport(source, [f"has more than {MOST_COLUMNS:,} columns"])
    records: list[list[str]] = []
    for cells in _records(text, best, source):
        if len(cells) > MOST_COLUMNS:
            raise InvalidImport(source, [f"has more than {MOST_COLUMNS:,} columns"])
        if any(map(str.strip, cells)):
            records.append(cells)
        if len(records) > MOST_ROWS + 1:
            raise InvalidImport(source, [f"has more than {MOST_ROWS:,} cases; split it"])
    if not records:
        raise InvalidImport(source, ["is empty"])
    return [_column(cell) for cell in records[0]], records[1:]


def _wide(text: str) -> set[str]:
    """The delimiters that would make too many columns of some row: the library reads a row whole,
    however long it is."""
    bare = "".join(text.split('"')[::2]) if '"' in text else text
    found: set[str] = set()
    for line in islice(io.StringIO(bare), MOST_LINES):
        if len(line) > MOST_COLUMNS:
            found |= {mark for mark in _DELIMITERS if line.count(mark) >= MOST_COLUMNS}
    return found


def _records(text: str, delimiter: str, source: str) -> Iterator[list[str]]:
    """The rows. A quote that is never closed would make one cell of all that follow."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for number, cells in enumerate(reader, 1):
            if number > MOST_LINES:
                raise InvalidImport(source, [f"has more than {MOST_LINES:,} rows; split it"])
            yield cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise InvalidImport(source, [_broken(str(error), line)]) from None


def _broken(reason: str, line: int) -> str:
    """What is wrong with the row that begins in *line*."""
    if "unexpected end" in reason:
        return f"line {line}: a quote is opened and never closed"
    if "expected after" in reason:
        return f"line {line}: text follows a closing quote; write quotes inside a cell twice"
    return f"is no table: line {line}: {reason}"


def _known(text: str, delimiter: str) -> int:
    """How many columns the header names, if cells are parted so."""
    records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    with contextlib.suppress(csv.Error):
        for header in islice(records, MOST_LINES):
            if len(header) <= MOST_COLUMNS and any(map(str.strip, header)):
                short = (cell for cell in header if len(cell) <= _LONGEST_COLUMN)
                return sum(_column(cell) in COLUMNS for cell in short)
    return 0


def _column(cell: str) -> str:
    name = re.sub(r"[\s-]+", "_", cell.strip().casefold())
    return "id" if name == "case_id" else name


def _header_problems(header: Sequence[str]) -> Iterator[str]:
    if "input" not in header:
        yield f"there is no column input, only {', '.join(map(shown, header[:20]))}"
    for column, count in Counter(header).items():
        if count > 1 and column in COLUMNS:
            yield f"there are {count} columns {column}"


def _row_problems(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for number, cells in enumerate(rows, 1):
        if len(cells) > len(header):
            yield f"case {number}: has {len(cells)} cells, the header {len(header)}"


def _value(column: str, cell: str) -> JsonValue:
    """What a cell says; None where it says nothing. Raises ``ValueError`` with what is wrong."""
    if column in TEXTS:
        return cell.strip() if column in ("id", "category") else cell
    if not cell.strip() or column not in COLUMNS:
        return None
    if column == "rubric" and not cell.lstrip().startswith("{"):
        return _rubric_name(cell)
    try:
        value = parse_json(cell.encode(errors="replace"), column)
    except InvalidDocument:
        value = None
    if column in NUMBERS and not (isinstance(value, int | float) and not isinstance(value, bool)):
        raise ValueError(f"must be a number, found {shown(cell)}")
    if value is None:
        raise ValueError(f"must be JSON, found {shown(cell)}")
    return value


def _rubric_name(cell: str) -> str:
    """A name as it is, or in quotes where it would be taken for something else."""
    try:
        value = json.loads(cell)
    except ValueError:
        return cell
    return value if isinstance(value, str) else cell


def _cell(column: str, value: JsonValue) -> str:
    if value is None:
        return ""
    if column in TEXTS:
        return str(value)
    return json.dumps(value, ensure_ascii=False)
