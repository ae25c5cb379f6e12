"""JSON text: UTF-8, two spaces, nothing escaped that need not be, no NaN."""

import json
import re
from pathlib import Path
from typing import NoReturn

from pydantic import BaseModel, JsonValue
from pydantic_core import PydanticSerializationError, from_json

from whet.core.errors import EnvironmentProblem, InvalidDocument, NotFound

_BOM = b"\xef\xbb\xbf"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_json(path: Path) -> JsonValue:
    """Read a JSON file, with or without a byte order mark."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"{path}: no such file") from None
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error
    return parse_json(data, str(path))


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
