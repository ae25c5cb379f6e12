"""Before anybody is charged: say how much, and ask."""

import sys

import typer

from whet.core.errors import ConfirmationNeeded

LIMITS = "; the options --max-… are hard limits"


def confirm(what: str, *, yes: bool, hint: str = LIMITS) -> None:
    """Ask whether to go on with *what*; raises ``ConfirmationNeeded`` where nobody can answer."""
    if yes:
        return
    if not sys.stdin.isatty():
        joint = "; or " if "--" in what else ": "
        raise ConfirmationNeeded(f"{what}{joint}confirm with --yes{hint}")
    if not typer.confirm(f"{what}. Go on?", err=True):
        raise typer.Exit(1)
