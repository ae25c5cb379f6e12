"""A JSON Schema, and what is wrong with a value that does not fit it.

Imported only where a question has a schema: the library behind it is slow to load.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Protocol, cast

from jsonschema import Draft202012Validator, FormatChecker, validators
from jsonschema.exceptions import SchemaError, ValidationError
from pydantic import JsonValue
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, SchemaRegistry

from whet.core.errors import UsageError
from whet.core.untrusted_regex import MOST_PATTERN, compile_untrusted

MOST_PROBLEMS = 10
_LONGEST = 300
_FORMATS = FormatChecker(
    [name for name in Draft202012Validator.FORMAT_CHECKER.checkers if name != "regex"]
)
"""The library would keep every expression that it compiles."""


@_FORMATS.checks("regex", raises=re.error)
def _is_regex(value: object) -> bool:
    return not isinstance(value, str) or bool(compile_untrusted(value))


_DATA = ("const", "enum", "default", "examples")


class Validating(Protocol):
    """What a keyword is given of the library's validator."""

    def descend(
        self,
        instance: JsonValue,
        schema: JsonValue,
        path: str | int | None = None,
        schema_path: str | int | None = None,
    ) -> Iterator[ValidationError]:
        """What keeps a part of the value from fitting a part of the schema."""
        ...


Keyword = Callable[
    [Validating, JsonValue, JsonValue, Mapping[str, JsonValue]], Iterator[ValidationError] | None
]


class _Validator(Protocol):
    """What is used of the library's validator, with the types that it lacks."""

    def is_valid(self, instance: JsonValue) -> bool: ...
    def iter_errors(self, instance: JsonValue) -> Iterator[ValidationError]: ...


class Schema:
    """JSON Schema 2020-12. What it refers to must be inside it; nothing is ever fetched.

    Raises ``UsageError`` if it is no schema, or refers to something that is not there.
    """

    def __init__(self, source: Mapping[str, JsonValue]) -> None:
        self.source = dict(source)
        # The registry that is used by default fetches what it does not know.
        registry: SchemaRegistry = Registry()
        self._validator = cast("_Validator", self._kind(self.source, registry=registry))
        try:
            self._check_patterns()
            Draft202012Validator.check_schema(self.source, format_checker=_FORMATS)
            self._check_references(registry)
            self._validator.is_valid(None)
        except SchemaError as error:
            raise UsageError(f"{self}: {_told(error)}") from None
        except RecursionError:
            raise UsageError(f"{self}: it is nested too deeply, or without end") from None

    def problems(self, value: JsonValue) -> tuple[str, ...]:
        """What keeps *value* from fitting, place by place in plain words; empty if it fits."""
        try:
            errors = islice(self._validator.iter_errors(value), MOST_PROBLEMS)
            return tuple(_told(_telling(error)) for error in errors)
        except (RecursionError, ArithmeticError):
            return ("$: it is nested too deeply, or has a number that is too large",)

    @property
    def _kind(self) -> Callable[..., object]:
        """The validator to use."""
        return _QUICK

    @property
    def is_object(self) -> bool:
        """Whether it asks for an object, as structured output of models does."""
        return self.source.get("type") == "object"

    def __str__(self) -> str:
        name = self.source.get("title") or self.source.get("$id")
        return f"schema {name!r}" if isinstance(name, str) else "schema"

    def _check_patterns(self) -> None:
        """Raise ``UsageError`` for an expression that is too long to be compiled."""
        for source in patterns(self.source):
            if len(source) > MOST_PATTERN:
                raise UsageError(
                    f"{self}: the pattern {source[:60]!r}… "
                    f"is longer than {MOST_PATTERN:,} characters"
                )

    def _check_references(self, registry: SchemaRegistry) -> None:
        resource = DRAFT202012.create_resource(self.source)
        resolver = registry.resolver_with_root(resource)
        for reference in _references(self.source):
            try:
                resolver.lookup(reference)
            except Unresolvable:
                raise UsageError(
                    f"{self}: {reference!r} is not in it; put what it refers to into $defs"
                ) from None


def _unique(
    _validator: object, wanted: JsonValue, value: JsonValue, _schema: object
) -> Iterator[ValidationError]:
    """The library compares every item with every other one, for hours where there are many."""
    if wanted is True and isinstance(value, list):
        items = {json.dumps(_plain(item), sort_keys=True) for item in value}
        if len(items) < len(value):
            yield ValidationError("an item is there twice")


def _plain(value: JsonValue) -> JsonValue:
    """1.0 and 1 are the same number."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case _:
            return value


QUICK_KEYWORDS: dict[str, Keyword] = {"uniqueItems": _unique}
_QUICK = cast(
    "Callable[..., object]",
    validators.extend(  # pyright: ignore[reportUnknownMemberType]
        Draft202012Validator, QUICK_KEYWORDS
    ),
)


def parts(schema: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """All objects in a schema that may be schemas themselves."""
    waiting = [schema]
    while waiting:
        match waiting.pop():
            case dict() as node:
                yield node
                waiting += [inner for name, inner in node.items() if name not in _DATA]
            case list() as items:
                waiting += items
            case _:
                pass


def patterns(schema: JsonValue) -> Iterator[str]:
    """All regular expressions in a schema."""
    for node in parts(schema):
        named = node.get("patternProperties")
        found = (node.get("pattern"), *(named if isinstance(named, dict) else ()))
        yield from (source for source in found if isinstance(source, str))


def _references(schema: JsonValue) -> Iterator[str]:
    for node in parts(schema):
        found = (node.get("$ref"), node.get("$dynamicRef"))
        yield from (reference for reference in found if isinstance(reference, str))


def _telling(error: ValidationError) -> ValidationError:
    """Of several ways to fit, what is wrong with the one that the value went farthest on."""
    while error.context:
        inner = max(error.context, key=lambda one: len(one.absolute_path))
        if len(inner.absolute_path) == len(error.absolute_path):
            break
        error = inner
    return error


def _told(error: ValidationError | SchemaError) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    where = "".join(steps)
    return f"${_shortened(where)}: {_shortened(error.message)}"


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    half = _LONGEST // 2
    return line if len(line) <= _LONGEST else f"{line[:half]} … {line[-half:]}"
