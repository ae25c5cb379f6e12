"""Options that every command takes, and how errors end a command."""

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pydantic import JsonValue

    from whet.core.budget import Budget


Workspace = Annotated[
    Path | None,
    typer.Option(help="The folder with everything. Default: $WHET_WORKSPACE or ./workspace."),
]
Imported = Annotated[
    bool,
    typer.Option("--imported", help="Take answers of imported cassettes where there are no own."),
]
MaxCost = Annotated[float | None, typer.Option(help="Stop at this many USD.", min=0)]
MaxTokens = Annotated[int | None, typer.Option(help="Stop at this many tokens.", min=0)]
MaxMinutes = Annotated[float | None, typer.Option(help="Stop after this time.", min=0)]
PageNumber = Annotated[int, typer.Option("--page", help="Which page.", min=1)]
PageSize = Annotated[int, typer.Option("--page-size", help="How many on a page.", min=1, max=200)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value instead of text.")]


def budget_of(
    max_cost: float | None, max_tokens: int | None, max_minutes: float | None
) -> "Budget | None":
    """The budget that options name, or None where they name none."""
    from whet.core.budget import NO_LIMITS, Budget

    seconds = None if max_minutes is None else max_minutes * 60
    named = Budget(max_cost_usd=max_cost, max_tokens=max_tokens, max_seconds=seconds)
    return None if named == NO_LIMITS else named


def named_values(given: Iterable[str]) -> "dict[str, JsonValue]":
    """Options written as NAME=VALUE; a value that is no JSON is a text."""
    from pydantic_core import from_json

    from whet.core.errors import UsageError

    found: dict[str, JsonValue] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not name or not equals:
            raise UsageError(f"{each!r} is no option; write NAME=VALUE")
        try:
            found[name] = from_json(value.encode(errors="surrogateescape"), allow_inf_nan=False)
        except ValueError:
            found[name] = value
    return found


@contextmanager
def one_line_errors(stopped: str) -> Generator[None]:
    """Turn an expected error into one line and its exit code; *stopped* is said after Ctrl-C."""
    from whet.core.errors import WhetError

    try:
        yield
    except WhetError as error:
        fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        fail(stopped, 130)


@contextmanager
def usable_values() -> Generator[None]:
    """Turn values that no run can have into a ``UsageError``."""
    from pydantic import ValidationError

    from whet.core.errors import UsageError

    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UsageError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def fail(message: str, code: int) -> None:
    """End the command with one line on stderr."""
    say(message)
    raise typer.Exit(code)


def say(message: str) -> None:
    """Put one line on stderr, however many the message has; it may quote a stranger's file."""
    line = " ".join(message.split())
    plain = "".join(one if one.isprintable() else repr(one)[1:-1] for one in line)
    sys.stderr.write(f"whet: {plain}\n")
