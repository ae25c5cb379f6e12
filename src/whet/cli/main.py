"""The command ``whet``. A command is imported when it is called: ``--help`` stays quick."""

import os
import sys
from typing import Annotated

import typer

from whet import __version__
from whet.cli.command_group import CommandGroup
from whet.cli.options import say

app = typer.Typer(
    name="whet",
    cls=CommandGroup,
    help="Find out whether an agent skill really makes your agent better.",
    add_completion=False,
    # Plain help costs a third of the time that coloured boxes take.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"whet {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    _asked: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Find out whether an agent skill really makes your agent better."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


def main() -> None:
    """Run the command line; every expected error is one line on stderr and an exit code."""
    # A terminal that cannot show a character gets its escape, not an error.
    if (reconfigure := getattr(sys.stdout, "reconfigure", None)) is not None:
        reconfigure(errors="backslashreplace")
    if not sys.stdin:  # None when it was closed before the start
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    try:
        code: int | None = app(standalone_mode=False)
        if sys.stdout:  # None when it was closed before the start
            sys.stdout.flush()
    except typer.TyperException as error:
        context: typer.Context | None = getattr(error, "ctx", None)
        name = context.command_path if context else "whet"
        say(f"{error.format_message().rstrip('.')} (see {name} --help)")
        code = error.exit_code
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        code = _unforeseen(error)
    sys.exit(code)


def _unforeseen(error: OSError) -> int:
    """Trouble with a file, or with the output when no file is named."""
    if error.filename is not None:
        say(f"cannot use {error.filename}: {error.strerror}")
        return 3
    # The interpreter would try once more at its end, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # whoever read it has what it wanted
        return 1
    say(f"cannot write the output: {error.strerror}")
    return 3
