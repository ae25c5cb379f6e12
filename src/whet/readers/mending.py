"""Making values fit that almost do. What stood there before is kept beside them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from whet.documents.session_import import Repairs, quoted

Data = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Choice:
    """Values that a format allows, what others are read as, and what is put where there is
    none."""

    allowed: tuple[str, ...]
    other: Mapping[str, str]
    otherwise: str

    def of(self, value: JsonValue) -> str:
        """The value that is meant."""
        if not isinstance(value, str):
            return self.otherwise
        plain = value.strip().lower().replace("-", "_").replace(" ", "_")
        return plain if plain in self.allowed else self.other.get(plain, self.otherwise)


class Mended:
    """An object on its way to fit its format.

    ``place`` is its path in the log, the same for all elements of a list. What was read in place
    of a value is kept in *keeper*, which is the object itself or the one around it.
    """

    def __init__(
        self, data: Data, repairs: Repairs, place: str = "", keeper: "Mended | None" = None
    ) -> None:
        self.data = data
        self._repairs = repairs
        self._place = place
        self._keeper = keeper

    def note_missing(self, name: str, instead: JsonValue) -> None:
        """Something is not there, and *instead* is put there."""
        said = f"{quoted(instead)} is put there"
        self._repairs.note("missing", name, said, field=self._field(name))

    def keep(self, name: str, value: JsonValue) -> None:
        """Keep what the log had for a value; the first word counts."""
        if self._keeper is not None:
            own = self._place.removeprefix(self._keeper.place).lstrip(".")
            self._keeper.keep(f"{own}.{name}", value)
        elif isinstance(kept := self.data.get("as_read"), dict):
            kept.setdefault(name, value)
        else:
            self.data["as_read"] = {name: value}

    @property
    def place(self) -> str:
        """The path in the log."""
        return self._place

    def inner(self, name: str) -> "Mended":
        """The object at *name*; whatever else is there becomes one."""
        given = self.data.get(name)
        value: Data = {**given} if isinstance(given, dict) else {}
        self.data[name] = value
        if given is None:
            self._repairs.note("missing", name, "nothing is there", field=self._field(name))
        elif not isinstance(given, dict):
            said = f"{quoted(given)} is no object"
            self._repairs.note("renamed", name, said, field=self._field(name))
            self.keep(name, given)
        return Mended(value, self._repairs, self._field(name), self._keeper or self)

    def each(self, name: str) -> "Iterator[Mended]":
        """The objects in a list at *name*, which then has no others."""
        given = self.data.get(name)
        values = given if isinstance(given, list) else []
        items: list[JsonValue] = []
        for value in values:
            item: Data = {**value} if isinstance(value, dict) else {"description": as_text(value)}
            items.append(item)
            yield Mended(item, self._repairs, f"{self._field(name)}[]")
        self.data[name] = items

    def choice(self, name: str, choice: Choice) -> None:
        """See to it that a value is one of those allowed."""
        given = self.data.get(name)
        if isinstance(given, str) and given in choice.allowed:
            return
        if given is None:
            self.note_missing(name, choice.otherwise)
            self.data[name] = choice.otherwise
            return
        self.data[name] = right = choice.of(given)
        said = f"{quoted(given)} is read as {right}"
        self._repairs.note("out_of_enum", name, said, field=self._field(name))
        self.keep(name, given)

    def text(self, name: str, otherwise: str) -> None:
        """See to it that a value is a text."""
        given = self.data.get(name)
        if isinstance(given, str):
            return
        if given is None:
            self.note_missing(name, otherwise)
            self.data[name] = otherwise
        else:
            said = f"{quoted(given)} is no text"
            self._repairs.note("renamed", name, said, field=self._field(name))
            self.data[name] = as_text(given)

    def optional(self, kind: type | tuple[type, ...], *names: str) -> None:
        """Let go of optional values of another kind; null is as good as absent."""
        for name in names:
            given = self.data.get(name)
            if given is None or _is(given, kind):
                continue
            said = f"{quoted(given)} does not fit"
            self._repairs.note("renamed", name, said, field=self._field(name))
            self.keep(name, self.data.pop(name))

    def texts(self, name: str) -> None:
        """See to it that a value is a list of texts."""
        given = self.data.get(name)
        items: list[JsonValue] = given if isinstance(given, list) else [given]
        if given is None:
            items = []
            self.note_missing(name, items)
        elif items is not given or not all(isinstance(item, str) for item in items):
            said = "is no list of texts"
            self._repairs.note("renamed", name, said, field=self._field(name))
        self.data[name] = [as_text(item) for item in items]

    def rename(self, old: str, new: str) -> None:
        """Give a key its present name, in its place."""
        if old not in self.data or new in self.data:
            return
        said = f"it is called {old}"
        self._repairs.note("renamed", new, said, field=self._field(new))
        renamed = {new if key == old else key: value for key, value in self.data.items()}
        self.data.clear()
        self.data.update(renamed)

    def _field(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name


def _is(value: JsonValue, kind: type | tuple[type, ...]) -> bool:
    """Truth is no number here."""
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def as_text(value: JsonValue) -> str:
    """A value as a text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
