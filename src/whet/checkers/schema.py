"""What keeps a JSON value from fitting a schema; also a script that is ended when it took long.

Imported only where there is a schema: the library behind it is slow to load.
"""

import json
import signal
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Protocol, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from pydantic import JsonValue
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, SchemaRegistry

_MOST = 3
_LONGEST = 200
_DATA = ("const", "enum", "default", "examples")
_NESTED = "it is nested too deeply, or without end"


class _Validator(Protocol):
    """What is used of the library's validator, with the types that it lacks."""

    def iter_errors(self, instance: JsonValue) -> Iterator[ValidationError]: ...


def mistake(schema: JsonValue) -> str | None:
    """Why *schema* is none; what it refers to must be inside it, nothing is ever fetched."""
    if not isinstance(schema, dict):
        return "must be an object"
    try:
        Draft202012Validator.check_schema(schema)
        resolver = _registry().resolver_with_root(DRAFT202012.create_resource(schema))
        for reference in _references(schema):
            resolver.lookup(reference)
    except SchemaError as error:
        return f"is no JSON Schema: {_told(error)}"
    except Unresolvable as error:
        return f"refers to {error.ref!r}, which is not in it"
    except RecursionError:
        return f"is no JSON Schema: {_NESTED}"
    return None


def complaints(schema: dict[str, JsonValue], value: JsonValue) -> list[str]:
    """What keeps *value* from fitting; empty if it fits."""
    validator = cast("_Validator", Draft202012Validator(schema, registry=_registry()))
    try:
        return [_told(error) for error in islice(validator.iter_errors(value), _MOST)]
    except (RecursionError, ArithmeticError):
        return [f"$: {_NESTED}"]


def _registry() -> SchemaRegistry:
    return Registry()  # the one that is used by default fetches what it does not know


def _references(schema: JsonValue) -> Iterator[str]:
    waiting = [schema]
    while waiting:
        match waiting.pop():
            case dict() as node:
                found = (node.get("$ref"), node.get("$dynamicRef"))
                yield from (reference for reference in found if isinstance(reference, str))
                waiting += [inner for name, inner in node.items() if name not in _DATA]
            case list() as items:
                waiting += items
            case _:
                pass


def _told(error: ValidationError | SchemaError) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    return f"${''.join(steps)[:_LONGEST]}: {' '.join(error.message.split())[:_LONGEST]}"


def _main() -> None:
    question = json.load(sys.stdin)
    signal.setitimer(signal.ITIMER_PROF, question["seconds"])
    json.dump(complaints(question["schema"], question["value"]), sys.stdout)


if __name__ == "__main__":
    _main()
