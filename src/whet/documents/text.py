"""JSON text: UTF-8, two spaces, nothing escaped that need not be, no NaN."""

import json
import re
from pathlib import Path
from typing import NoReturn, cast

from pydantic import BaseModel, JsonValue
from pydantic_core import PydanticSerializationError, from_json

from whet.core.errors import EnvironmentProblem, InvalidDocument, NotFound

MOST_PARTS = 500_000
"""Objects and lists in JSON that a stranger wrote: each takes more memory than it has bytes."""

MOST_ROWS = 10_000
"""Cases, evals or the like in one file."""

_MIB = 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_json(path: Path, most: int | None = None) -> JsonValue:
    """Read a JSON file, with or without a byte order mark. With *most*, one that a stranger may
    have written: at most so many bytes, and ``MOST_PARTS``."""
    try:
        with path.open("rb") as file:
            data = file.read() if most is None else file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"{path}: no such file") from None
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error
    if most is None:
        return parse_json(data, str(path))
    if len(data) > most:
        raise InvalidDocument(path, "", f"is larger than {most // _MIB} MB")
    return parse_untrusted(data, str(path))


def parse_untrusted(data: bytes, source: str) -> JsonValue:
    """Parse JSON that a stranger wrote; raises ``InvalidDocument`` before memory is used up."""
    if data.count(b"{") + data.count(b"[") > MOST_PARTS:
        raise InvalidDocument(source, "", f"has more than {MOST_PARTS:,} objects and lists in it")
    return parse_json(data, source)


def rows_problem(rows: object, called: str, most: int = MOST_ROWS) -> str | None:
    """Why a list is too long, with what its items are *called*; None if it is not."""
    count = len(cast("list[object]", rows)) if isinstance(rows, list) else 0
    return f"has {count:,} {called}, more than {most:,}; split it" if count > most else None


def parse_json(data: bytes, source: str) -> JsonValue:
    """Parse JSON text; *source* is its name in error messages."""
    data = data.removeprefix(_BOM)
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError as error:
        try:
            # Half an emoji, cut off by some program and written as an escape, is still JSON.
            return json.loads(data.decode(), parse_constant=_refuse)
        except (ValueError, RecursionError):
            problem, _, place = str(error).rpartition(" at ")
            reason = f"broken JSON: {problem}"
            raise InvalidDocument(source, place.replace(" column", ", column"), reason) from None


def dump_json(document: BaseModel) -> str:
    """Write a document as the text of its file."""
    try:
        return document.model_dump_json(indent=2) + "\n"
    except PydanticSerializationError:
        text = json.dumps(document.model_dump(mode="json"), indent=2, ensure_ascii=False)
        return _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
