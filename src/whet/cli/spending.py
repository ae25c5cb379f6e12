"""Before anybody is charged: say how much, and ask."""

import sys

import typer

from whet.core.errors import UsageError

ASK_ABOVE_USD = 1.0
"""What may be spent without a question."""


def confirm(what: str, cost_usd: float | None, *, yes: bool) -> None:
    """Ask whether to go on with *what*; raises ``UsageError`` where nobody can answer.

    A cost that nobody knows is asked about like a large one.
    """
    if yes or (cost_usd is not None and cost_usd <= ASK_ABOVE_USD):
        return
    about = "nobody knows the cost yet" if cost_usd is None else f"about {cost_usd:.2f} USD"
    if not sys.stdin.isatty():
        raise UsageError(f"{what}: {about}; confirm with --yes, or limit it with --max-cost")
    if not typer.confirm(f"{what}: {about}. Go on?", err=True):
        raise typer.Exit(1)
