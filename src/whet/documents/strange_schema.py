"""JSON Schemas that strangers wrote: checking a value takes no longer than it may.

A small schema may refer to itself in more ways than anybody has time for, and so may the
expressions in it. Imported only where there is such a schema, as what it extends.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError
from pydantic import JsonValue

from whet.core.effort import Exhausted, limited, look
from whet.core.errors import UsageError
from whet.documents.pattern import Unsupported, pattern
from whet.documents.schema import QUICK_KEYWORDS, Keyword, Schema, Validating, parts, patterns

_SLOW = "$: it takes too long to check this; the schema, or the value, is too complicated"
_OTHERS = "unevaluatedProperties"
_PATTERNS = "patternProperties"


class StrangeSchema(Schema):
    """The same; what may take for ever is refused, or ended."""

    def __init__(self, source: Mapping[str, JsonValue]) -> None:
        try:
            with limited():
                super().__init__(source)
        except Exhausted:
            raise UsageError(f"{self}: it takes too long to check anything against it") from None

    def problems(self, value: JsonValue) -> tuple[str, ...]:
        """See the base; a value that takes too long does not fit."""
        try:
            with limited():
                return super().problems(value)
        except Exhausted:
            return (_SLOW,)

    def _check_patterns(self) -> None:
        _check_patterns(self.source)

    @property
    def _kind(self) -> Callable[..., object]:
        return _BOUNDED


def _check_patterns(source: Mapping[str, JsonValue]) -> None:
    members = [*parts(dict(source))]
    if any(_OTHERS in each for each in members) and any(_PATTERNS in each for each in members):
        raise UsageError(f"schema: {_OTHERS} and {_PATTERNS} cannot be used together here")
    for each in patterns(dict(source)):
        look()
        try:
            pattern(each)
        except Unsupported as error:
            raise UsageError(f"schema: the pattern {error}") from None


def _has(source: str, text: str) -> bool:
    return pattern(source).search(text, look)


def _pattern(
    _validator: Validating, wanted: JsonValue, value: JsonValue, _schema: object
) -> Iterator[ValidationError]:
    if isinstance(wanted, str) and isinstance(value, str) and not _has(wanted, value):
        yield ValidationError(f"{value!r} does not match {wanted!r}")


def _by_pattern(
    validator: Validating, wanted: JsonValue, value: JsonValue, _schema: object
) -> Iterator[ValidationError]:
    if not isinstance(wanted, dict) or not isinstance(value, dict):
        return
    for source, inner in wanted.items():
        for name in value:
            if _has(source, name):
                yield from validator.descend(value[name], inner, path=name, schema_path=source)


def _additional(
    validator: Validating, wanted: JsonValue, value: JsonValue, schema: Mapping[str, JsonValue]
) -> Iterator[ValidationError]:
    patterns, known = schema.get(_PATTERNS), schema.get("properties")
    if not isinstance(patterns, dict) or not isinstance(value, dict):
        yield from _PLAIN_ADDITIONAL(validator, wanted, value, schema) or ()
        return
    declared = known if isinstance(known, dict) else {}
    for name in value:
        if name in declared or any(_has(source, name) for source in patterns):
            continue
        if wanted is False:
            yield ValidationError(f"{name!r} is no property, and matches no pattern")
        elif isinstance(wanted, dict):
            yield from validator.descend(value[name], wanted, path=name)


def _watched(keyword: Keyword) -> Keyword:
    def watched(
        validator: Validating, wanted: JsonValue, value: JsonValue, schema: Mapping[str, JsonValue]
    ) -> Iterator[ValidationError] | None:
        look()
        return keyword(validator, wanted, value, schema)

    return watched


_LIBRARY = cast(
    "dict[str, Keyword]",
    Draft202012Validator.VALIDATORS,  # pyright: ignore[reportUnknownMemberType]
)
_PLAIN_ADDITIONAL = _LIBRARY["additionalProperties"]
_KEYWORDS: dict[str, Keyword] = {
    **_LIBRARY,
    **QUICK_KEYWORDS,
    "pattern": _pattern,
    _PATTERNS: _by_pattern,
    "additionalProperties": _additional,
}
_BOUNDED = cast(
    "Callable[..., object]",
    validators.extend(  # pyright: ignore[reportUnknownMemberType]
        Draft202012Validator, {name: _watched(each) for name, each in _KEYWORDS.items()}
    ),
)
