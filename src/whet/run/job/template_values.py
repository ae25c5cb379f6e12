"""What the prompts of packages work with: values, filters and operators, each within bounds.

A template is a stranger's, and so may its values be. No step takes long by itself, and each of
them looks at the clock.
"""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, cast

from jinja2 import StrictUndefined
from jinja2.exceptions import SecurityError
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import JsonValue

from whet.core.effort import look

MOST_TEXT = 1_000_000
"""Characters that a prompt, or any text on the way to it, may have."""

MOST_RANGE = 1_000
FILTERS = frozenset(
    {
        *("abs", "capitalize", "count", "d", "default", "dictsort", "first", "float", "int"),
        *("items", "join", "last", "length", "list", "lower", "max", "min", "replace", "reverse"),
        *("round", "sort", "string", "sum", "title", "tojson", "trim", "truncate", "unique"),
        *("upper", "wordcount"),
    }
)
TESTS = frozenset(
    {
        *("boolean", "defined", "divisibleby", "eq", "equalto", "even", "false", "float", "ge"),
        *("greaterthan", "gt", "in", "integer", "iterable", "le", "lessthan", "lower", "lt"),
        *("mapping", "ne", "none", "number", "odd", "sequence", "string", "true", "undefined"),
        "upper",
    }
)
METHODS = frozenset({"items", "keys", "values", "get"})
SAME = "_whet_same"
"""A filter that only looks at the clock."""

_OF_LOOPS = frozenset(
    {
        *("index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0"),
        *("previtem", "nextitem"),
    }
)
_DIGITS = 15


def bounded(length: int) -> None:
    """Refuse a text that is longer than one may be."""
    if length > MOST_TEXT:
        raise SecurityError(f"a text has more than {MOST_TEXT:,} characters")


def bagged(value: JsonValue, known: frozenset[str] = frozenset()) -> object:
    """A JSON value as templates see it; *known* members may be absent."""
    match value:
        case dict():
            bag = _Bag({name: bagged(each) for name, each in value.items()})
            bag.known = known
            return bag
        case list():
            return [bagged(each) for each in value]
        case _:
            return value


def environment() -> ImmutableSandboxedEnvironment:
    """The library's sandbox with nothing in it but what is here."""
    # The library has a narrower type for its tables than it needs.
    made: Any = _Environment(
        undefined=StrictUndefined, finalize=_shown, keep_trailing_newline=True, autoescape=False
    )
    own: dict[str, Callable[..., object]] = {
        "replace": _replace,
        "join": _join,
        "sum": _sum,
        "tojson": _json,
        "round": _round,
        "string": _string,
    }
    filters = {**{name: made.filters[name] for name in FILTERS}, **own, SAME: _same}
    made.filters = {name: _clocked(each) for name, each in filters.items()}
    made.tests = {name: _clocked(made.tests[name]) for name in TESTS}
    made.globals = {"range": _range}
    return made


class _Bag(dict[str, object]):
    """An object of the inputs: its members come before any method of a dictionary."""

    known: frozenset[str] = frozenset()
    """Members that may be absent, and are nothing then; any other name is a mistake."""


class _Method:
    """A method of an object of the inputs, which can be called and is no value."""

    def __init__(self, name: str, call: Callable[..., object]) -> None:
        self._name = name
        self._call = call

    def __call__(self, *arguments: object) -> object:
        """Call it."""
        return self._call(*arguments)

    def __repr__(self) -> str:
        return f"{self._name}()"


class _Environment(ImmutableSandboxedEnvironment):
    intercepted_binops: ClassVar[frozenset[str]] = frozenset({"+", "*", "%"})  # pyright: ignore[reportIncompatibleVariableOverride]

    def getattr(self, obj: Any, attribute: str) -> Any:
        look()
        if isinstance(obj, _Bag):
            return self._member(obj, attribute)
        if isinstance(obj, LoopContext) and attribute in _OF_LOOPS:
            return super().getattr(obj, attribute)
        return self.undefined(hint=f"nothing there is called {attribute[:100]!r}", name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        look()
        if isinstance(obj, _Bag):
            return self._member(obj, argument)
        if isinstance(obj, list | tuple | str) and isinstance(argument, int | slice):
            with contextlib.suppress(LookupError):
                return cast(Any, obj)[argument]
        return self.undefined(hint=f"nothing there is called {str(cast(Any, argument))[:100]!r}")

    def _member(self, bag: _Bag, name: Any) -> Any:
        if name in bag:
            return bag[name]
        if name in bag.known:
            return None
        if name in METHODS:
            return _Method(name, getattr(bag, name))
        return self.undefined(hint=f"nothing there is called {str(name)[:100]!r}")

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        look()
        if operator != "+" and not _are_numbers(left, right):
            raise SecurityError(f"{operator} is for numbers only")
        if operator == "+" and not _are_numbers(left, right):
            bounded(len(left) + len(right))
        return super().call_binop(context, operator, left, right)


def _clocked(call: Callable[..., object]) -> Callable[..., object]:
    def clocked(*arguments: object, **named: object) -> object:
        look()
        return call(*arguments, **named)

    # How the library hands over its environment to those that want it.
    clocked.__dict__.update(getattr(call, "__dict__", {}))
    return clocked


def _are_numbers(*values: object) -> bool:
    return all(isinstance(value, int | float) for value in values)


def _same(value: object) -> object:
    return value


def _replace(text: object, old: str, new: str, count: int | None = None) -> str:
    whole = _string(text)
    bounded(len(whole) + (whole.count(old) + 1) * len(new))
    return whole.replace(old, new, -1 if count is None else count)


def _join(values: Iterable[object], between: str = "", attribute: str | None = None) -> str:
    if attribute is not None:
        raise SecurityError("join takes no attribute here")
    length, texts = 0, list[str]()
    for value in values:
        texts.append(_string(_shown(value)))
        length += len(texts[-1]) + len(between)
        bounded(length)
    return between.join(texts)


def _sum(values: Iterator[object]) -> float:
    # Of lists it would take for ever.
    return sum(value for value in values if isinstance(value, int | float))


def _round(value: float, precision: int = 0) -> float:
    # Of a whole number the library works out a power of ten that has as many digits as asked for.
    return round(value, max(-_DIGITS, min(precision, _DIGITS)))


def _range(*arguments: int) -> range:
    found = range(*arguments)
    if len(found) > MOST_RANGE:
        raise SecurityError(f"a range has more than {MOST_RANGE:,} numbers")
    return found


def _string(value: object) -> str:
    return value if isinstance(value, str) else str(_shown(value))


def _json(value: object, indent: int | None = None) -> str:
    """As JSON, piece by piece: indented, a short value may be a long text."""
    encoder = json.JSONEncoder(ensure_ascii=False, indent=min(indent, 8) if indent else None)
    if not indent:
        return encoder.encode(value)
    length, parts = 0, list[str]()
    for part in encoder.iterencode(value):
        parts.append(part)
        length += len(part)
        bounded(length)
    return "".join(parts)


def _shown(value: object) -> object:
    """Objects, lists and truth values as JSON, nothing as an empty text."""
    if value is None:
        return ""
    if isinstance(value, bool | dict | list | tuple):
        return _json(cast(object, value))
    return value
