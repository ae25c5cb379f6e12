"""Documents as rows: a column for each known field, and one for all that columns cannot tell.

A column has no place for unknown keys, does not tell 1 from 1.0 or absent from null, and takes
no text with NUL or half an emoji in it. Whatever would come back otherwise than it went in stands
in ``extra``, so that every document comes back as it was.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar, cast

from pydantic import JsonValue
from sqlalchemy import Boolean, Column, Float, Table

from whet.core.text import storable
from whet.documents.base import Document

D = TypeVar("D", bound=Document)
_EXTRA = "extra"


class DocumentRows(Generic[D]):
    """Documents of one kind in one table; *own* are the table's columns that are no fields."""

    def __init__(self, kind: type[D], table: Table, own: Iterable[str] = ()) -> None:
        self._kind = kind
        self._columns: list[Column[object]] = [
            column for column in table.columns if column.name not in {*own, _EXTRA}
        ]
        self._names = {column.name for column in self._columns}
        self._json = {column.name for column in self._columns if "json" in column.info}
        fields = kind.model_fields.items()
        self._required = {name for name, field in fields if field.is_required()}

    def row(self, document: D) -> dict[str, object]:
        """The values of all columns but the table's own."""
        data = cast(dict[str, JsonValue], document.to_data())
        row = {column.name: _kept(column, data.get(column.name)) for column in self._columns}
        extra = {key: value for key, value in data.items() if not self._tells(row, key, value)}
        return {**row, _EXTRA: json_text(extra) if extra else None}

    def _tells(self, row: Mapping[str, object], key: str, value: JsonValue) -> bool:
        """Whether the columns say by themselves that *key* has *value*."""
        if key not in self._names:
            return False
        if value is None:
            return key in self._required
        return key in self._json or _is_same(row[key], value)

    def document(self, row: Mapping[str, object]) -> D:
        """What :meth:`row` was made from."""
        extra = row[_EXTRA]
        return self._kind.model_validate(
            {**self._told(row), **(json.loads(str(extra)) if extra else {})}
        )

    def _told(self, row: Mapping[str, object]) -> dict[str, JsonValue]:
        """What the columns say by themselves."""
        told = {column.name: _value(column, row[column.name]) for column in self._columns}
        return {name: v for name, v in told.items() if v is not None or name in self._required}


def plain(text: str) -> str:
    """*text* as every database takes it."""
    return storable(text).replace("\0", "\ufffd")


def json_text(value: JsonValue) -> str:
    """JSON as every database takes it, readable where that is possible."""
    text = json.dumps(value, ensure_ascii=False)
    return text if storable(text) == text else json.dumps(value)


def _kept(column: Column[object], value: JsonValue) -> object:
    """As much of *value* as the column can hold."""
    if value is None or "json" in column.info:
        return None if value is None else json_text(value)
    if isinstance(column.type, Boolean):
        return value if isinstance(value, bool) else None
    if isinstance(column.type, Float):
        return _number(value)
    return plain(value) if isinstance(value, str) else None


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _value(column: Column[object], kept: object) -> JsonValue:
    if kept is not None and "json" in column.info:
        return json.loads(str(kept))
    return cast(JsonValue, kept)


def _is_same(kept: object, value: JsonValue) -> bool:
    """Also in kind, and in the sign of a zero, which Python's own comparison does not see."""
    return type(kept) is type(value) and repr(kept) == repr(value)
