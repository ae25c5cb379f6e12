"""Before anybody is charged: limits, how much it may be, and the question whether to go on."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.options import MaxCost, MaxMinutes, MaxTokens, usable_values
from whet.core.budget import Budget
from whet.core.errors import ConfirmationNeeded

if TYPE_CHECKING:
    from whet.app.eval_estimate import Estimate

LIMITS = "; the options --max-… are hard limits"

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")]


@dataclass(frozen=True, kw_only=True)
class Spending:
    """The options that say how much may be spent, and whether to ask before."""

    max_cost: MaxCost = None
    max_tokens: MaxTokens = None
    max_trials: Annotated[int | None, typer.Option(help="Stop after this many runs.", min=0)] = None
    max_minutes: MaxMinutes = None
    yes: Yes = False

    def budget(self) -> Budget:
        """The limits as a budget; raises ``UsageError``."""
        with usable_values():
            return Budget(
                max_trials=self.max_trials,
                max_cost_usd=self.max_cost,
                max_tokens=self.max_tokens,
                max_seconds=None if self.max_minutes is None else self.max_minutes * 60,
            )


def confirm_cost(
    cost: "Estimate", *, yes: bool, before: str = "", first: str = "", hint: str = ""
) -> None:
    """Ask about a cost that a person should agree to; *first* is how people limit it to some
    trials, *before* stands before the cost."""
    if cost.needs_consent:
        confirm(before + cost.in_words(first), yes=yes, hint=hint)


def confirm(what: str, *, yes: bool, hint: str = LIMITS) -> None:
    """Ask whether to go on with *what*; raises ``ConfirmationNeeded`` where nobody can answer."""
    if yes:
        return
    if not sys.stdin.isatty():
        joint = "; or " if "--" in what else ": "
        raise ConfirmationNeeded(f"{what}{joint}confirm with --yes{hint}")
    if not typer.confirm(f"{what}. Go on?", err=True):
        raise typer.Exit(1)
