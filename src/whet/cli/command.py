"""How a function becomes a command: options, settings, output and errors, in one place.

A command is a function of the values that a person gives. A parameter of it may be

- ``Call``: the settings and what every command takes (``--workspace``, ``--json``, ``--lang``);
- a request (a pydantic model) or a dataclass: each of its fields is an option;
- anything that typer knows, as ``Annotated[bool, typer.Option(help=…)]``.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import typer
from pydantic import BaseModel

from whet.app.settings import Settings, read
from whet.cli.options import Json, Workspace, one_line_errors
from whet.cli.request_options import RequestOptions

Function = TypeVar("Function", bound=Callable[..., None])

STOPPED = "stopped"
GOES_ON = "stopped; run the same command again to go on where it ended"

Language = Annotated[
    Literal["en", "zh"] | None,
    typer.Option("--lang", help="The language of the output. Default: as the settings say."),
]


@dataclass(frozen=True, slots=True)
class Call:
    """What every command is called with."""

    settings: Settings
    workspace: Path | None
    """As it was given, for commands that are shown to be typed next."""

    json: bool

    @property
    def language(self) -> str:
        """What the output is written in."""
        return self.settings.language

    def command(self, words: str) -> str:
        """A command to be typed next, for the same workspace."""
        from whet.cli.asset_output import command

        return command(words, self.workspace)


def when_stopped(message: str) -> Callable[[Function], Function]:
    """Say *message* after Ctrl-C instead of ``stopped``."""

    def mark(function: Function) -> Function:
        function.when_stopped = message  # pyright: ignore[reportFunctionMemberAccess]
        return function

    return mark


def command_function(
    function: Callable[..., None], fixed: Mapping[str, Any]
) -> Callable[..., None]:
    """The function as typer takes it: one parameter for each option, errors as one line."""
    hints = get_type_hints(function, include_extras=True)
    takers = [
        _taker(one, hints[name])
        for name, one in inspect.signature(function).parameters.items()
        if name not in fixed
    ]
    stopped: str = getattr(function, "when_stopped", STOPPED)

    def run(**given: Any) -> None:
        with one_line_errors(stopped):
            plain = {name: _plain(value) for name, value in given.items()}
            values = {taker.name: taker.take(plain) for taker in takers}
            function(**fixed, **values)

    takers.sort(key=lambda taker: taker.parameters is _CALL)
    parameters = [_choices(one) for taker in takers for one in taker.parameters]
    # What has no default comes first, as Python wants it; typer goes by names.
    parameters.sort(key=lambda one: one.default is not inspect.Parameter.empty)
    run.__name__ = function.__name__
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    return run


@dataclass(frozen=True)
class _Taker:
    """The options behind one parameter of a command, and its value from theirs."""

    name: str
    parameters: list[inspect.Parameter]
    take: Callable[[dict[str, Any]], Any]


def _taker(parameter: inspect.Parameter, hint: Any) -> _Taker:
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    name = parameter.name
    if bare is Call:
        return _Taker(name, _CALL, _call)
    if isinstance(bare, type) and issubclass(bare, BaseModel):
        options = RequestOptions(bare, hint)
        return _Taker(name, options.parameters, options.request)
    if isinstance(bare, type) and is_dataclass(bare):
        return _Taker(name, *_fields(bare))
    plain = parameter.replace(annotation=hint, kind=inspect.Parameter.KEYWORD_ONLY)
    return _Taker(name, [plain], lambda given: given[name])


def _fields(options: type) -> tuple[list[inspect.Parameter], Callable[[dict[str, Any]], Any]]:
    hints = get_type_hints(options, include_extras=True)
    shape = inspect.signature(options).parameters
    made = [
        one.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, one in shape.items()
    ]
    return made, lambda given: options(**{name: given[name] for name in shape})


class _Choice(StrEnum):
    """One of a few words, for typer, which takes no list of literals."""


def _choices(parameter: inspect.Parameter) -> inspect.Parameter:
    """The parameter as typer takes it: a list of literals becomes one of an enumeration."""
    hint, *marks = get_args(parameter.annotation) or (parameter.annotation,)
    for one in get_args(hint) or (hint,):
        item = get_args(one)[0] if get_origin(one) is list else None
        if get_origin(item) is Literal:
            accepts: Any = list[_Choice(parameter.name, {word: word for word in get_args(item)})]
            return parameter.replace(annotation=Annotated[accepts | None, *marks])
    return parameter


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in cast("list[Any]", value)]
    return value.value if isinstance(value, _Choice) else value


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


_CALL = [
    _option("workspace", Workspace, None),
    _option("lang", Language, None),
    _option("json", Json, default=False),
]


def _call(given: dict[str, Any]) -> Call:
    settings = read(given["workspace"])
    if given["lang"]:
        settings = replace(settings, language=given["lang"])
    return Call(settings, given["workspace"], given["json"])
