"""Before anybody is charged: say how much, and ask."""

import sys

import typer

from whet.core.errors import ConfirmationNeeded


def confirm(what: str, *, yes: bool) -> None:
    """Ask whether to go on with *what*; raises ``ConfirmationNeeded`` where nobody can answer."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise ConfirmationNeeded(f"{what}: confirm with --yes; the options --max-… are hard limits")
    if not typer.confirm(f"{what}. Go on?", err=True):
        raise typer.Exit(1)
