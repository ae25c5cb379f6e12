"""Every document class, and what a JSON value that fits it can look like."""

import importlib
import json
import pkgutil
from functools import cache
from random import Random
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import JsonValue

import whet.documents
from whet.documents.base import Document
from whet.documents.result import Scores
from whet.documents.skill_creator import TriggerQuery, TriggerSet

Json = st.SearchStrategy[Any]


def exact(data: JsonValue) -> str:
    """A text that differs when a value, a number's type or the order of keys differs."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


@cache
def all_documents() -> tuple[type[Document], ...]:
    for module in pkgutil.iter_modules(whet.documents.__path__):
        importlib.import_module(f"whet.documents.{module.name}")
    found: dict[str, type[Document]] = {}
    waiting = list(Document.__subclasses__())
    while waiting:
        cls = waiting.pop()
        waiting += cls.__subclasses__()
        if cls.__module__.startswith("whet."):
            found[f"{cls.__module__}.{cls.__name__}"] = cls
    return tuple(found[name] for name in sorted(found))


TEXT = st.text(max_size=6)
ODD_KEYS = st.sampled_from(["_keys", "_note", "__dict__", "model_config", "parse", "self"])
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
SCALARS: dict[Any, Json] = {
    str: TEXT,
    int: st.integers(-(10**20), 10**20),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    NoneType: st.none(),
    JsonValue: ANY_JSON,
}


@cache
def json_of(cls: type[Document]) -> Json:
    """JSON values that are a *cls*: some optional keys, some unknown ones, in any order."""
    if cls is TriggerSet:
        return st.lists(json_of(TriggerQuery), max_size=3)
    required: dict[str, Json] = {}
    optional: dict[str, Json] = {}
    for name, field in cls.model_fields.items():
        group = required if field.is_required() else optional
        group[field.serialization_alias or name] = _values(field.annotation, field.metadata)
    known = st.fixed_dictionaries(required, optional=optional)
    unknown = st.dictionaries(
        TEXT.map("x-{}".format) | ODD_KEYS, NUMBERS if cls is Scores else ANY_JSON, max_size=2
    )
    return st.builds(_shuffled, known, unknown, st.integers(0, 999))


def _shuffled(known: dict[str, Any], unknown: dict[str, Any], seed: int) -> dict[str, Any]:
    items = [*known.items(), *unknown.items()]
    Random(seed).shuffle(items)
    return dict(items)


def _bounded(annotation: type, metadata: list[Any]) -> Json | None:
    """Numbers within the bounds that a field names; None where it names none."""
    single = [each for one in metadata for each in getattr(one, "metadata", [one])]
    low = max((each.ge for each in single if hasattr(each, "ge")), default=None)
    high = min((each.le for each in single if hasattr(each, "le")), default=None)
    if low is None and high is None:
        return None
    if annotation is int:
        return st.integers(low, high)
    return st.floats(low, high, allow_nan=False, allow_infinity=False)


def _values(annotation: Any, metadata: list[Any]) -> Json:
    least = max(
        (getattr(constraint, "min_length", None) or 0 for constraint in metadata), default=0
    )
    if annotation in (int, float):
        bounded = _bounded(annotation, metadata)
        return SCALARS[annotation] if bounded is None else bounded
    if annotation is str and least:
        return st.text(min_size=least, max_size=6)
    if isinstance(annotation, type) and issubclass(annotation, Document):
        return json_of(annotation)
    if annotation in SCALARS:
        return SCALARS[annotation]
    arguments = get_args(annotation)
    match get_origin(annotation):
        case origin if origin is Annotated:
            return _values(arguments[0], [*metadata, *arguments[1:]])
        case origin if origin is Literal:
            return st.sampled_from(arguments)
        case origin if origin in (Union, UnionType):
            return st.one_of(*[_values(argument, []) for argument in arguments])
        case origin if origin is tuple:
            return st.lists(_values(arguments[0], []), min_size=least, max_size=least + 1)
        case origin if origin is dict:
            return st.dictionaries(_values(arguments[0], []), _values(arguments[1], []), max_size=2)
        case _:
            raise AssertionError(f"no strategy for {annotation}")
