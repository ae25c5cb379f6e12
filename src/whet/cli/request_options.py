"""The options of a command from the fields of its request."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import typer
from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from whet.cli.options import named_values
from whet.core.errors import UsageError


@dataclass(frozen=True)
class Spelling:
    """How the command line writes a request, where that is not ``--name-of-the-field``.

    ``Annotated[EvalRequest, Spelling({"engines": "--engine"}, arguments={"skill": "SKILL"})]``
    """

    options: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict[str, str])
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields that are given without a name, and what the help calls them; a text that it calls
    ``WORDS...`` may be given as several words."""

    help: Mapping[str, str] = field(default_factory=dict[str, str])
    """Help lines that differ from the descriptions of the fields."""

    without: tuple[str, ...] = ()
    """Fields that the command line does not have; they keep their default."""


class RequestOptions:
    """The parameters that typer needs for a request, and the request made of their values."""

    def __init__(self, model: type[BaseModel], hint: Any) -> None:
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        self._spelling = next((one for one in marks if isinstance(one, Spelling)), Spelling())
        self._model = model
        self._fields = {
            name: one
            for name, one in model.model_fields.items()
            if name not in self._spelling.without
        }

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """One for each field."""
        return [self._parameter(name, one) for name, one in self._fields.items()]

    def request(self, given: Mapping[str, Any]) -> BaseModel:
        """The request; raises ``UsageError`` that names the option whose value cannot be."""
        values = {
            name: " ".join(given[name]) if self._is_words(name, one) else _value(given[name], one)
            for name, one in self._fields.items()
            if given[name] is not None
        }
        try:
            return self._model.model_validate(values)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            path = [str(one) for one in first["loc"]]
            raise UsageError(": ".join([self._named(path), first["msg"]])) from None

    def _named(self, path: list[str]) -> str:
        name = path[0] if path else ""
        if name in self._spelling.arguments:
            return self._spelling.arguments[name]
        spelled = self._spelling.options.get(name, f"--{name.replace('_', '-')}")
        return spelled if isinstance(spelled, str) else spelled[0]

    def _is_words(self, name: str, one: FieldInfo) -> bool:
        metavar = self._spelling.arguments.get(name, "")
        return metavar.endswith("...") and not _kind(one.annotation).is_many

    def _parameter(self, name: str, one: FieldInfo) -> inspect.Parameter:
        text = self._spelling.help.get(name, one.description or "")
        kind = _kind(one.annotation)
        is_flag = kind.accepts is bool and not kind.is_optional
        bounds: dict[str, Any] = {} if kind.accepts not in (int, float) else _bounds(one)
        default: Any = None if kind.is_many else one.get_default(call_default_factory=True)
        if default is PydanticUndefined:
            default = inspect.Parameter.empty
        is_list = kind.is_many or self._is_words(name, one)
        accepts: Any = list[kind.accepts] if is_list else kind.accepts
        if default is None:
            accepts = accepts | None
        if (metavar := self._spelling.arguments.get(name)) is not None:
            info: Any = typer.Argument(help=text, metavar=metavar, **bounds)
        else:
            spelled = self._spelling.options.get(name, f"--{name.replace('_', '-')}")
            names = [spelled] if isinstance(spelled, str) else list(spelled)
            if kind.accepts is bool and kind.is_optional:
                names = [f"{names[0]}/--no-{names[0].removeprefix('--')}"]
            metavar = "NAME=VALUE" if kind.is_mapping else None
            info = typer.Option(
                *names, help=text, metavar=metavar, show_default=not is_flag, **bounds
            )
        return inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[accepts, info],
        )


@dataclass(frozen=True)
class _Kind:
    """What one value of a field is, and how many there may be."""

    accepts: Any
    is_optional: bool = False
    is_many: bool = False
    is_mapping: bool = False


def _kind(annotation: Any) -> _Kind:
    annotation = _bare(annotation)
    rest = [one for one in get_args(annotation) if one is not type(None)]
    if get_origin(annotation) in (Union, UnionType) and len(rest) < len(get_args(annotation)):
        inner = _kind(rest[0])
        return _Kind(inner.accepts, True, inner.is_many, inner.is_mapping)
    if get_origin(annotation) in (tuple, list, frozenset, set):
        return _Kind(_kind(get_args(annotation)[0]).accepts, is_many=True)
    if get_origin(annotation) in (dict, Mapping):
        return _Kind(str, is_many=True, is_mapping=True)
    return _Kind(annotation)


def _bare(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def _bounds(one: FieldInfo) -> dict[str, Any]:
    """The bounds that the help can show; the model checks all of them."""
    found: dict[str, Any] = {}
    for mark in one.metadata:
        if isinstance(mark, Ge | Gt):
            found["min"] = mark.ge if isinstance(mark, Ge) else mark.gt
        elif isinstance(mark, Le):
            found["max"] = mark.le
    return found


def _value(given: Any, one: FieldInfo) -> Any:
    return named_values(given) if _kind(one.annotation).is_mapping else given
