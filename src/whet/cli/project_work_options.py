"""The options of the commands that run projects."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.options import Imported, Json, MaxCost, MaxMinutes, MaxTokens, Workspace, budget_of
from whet.cli.project_options import Case, InBaseline, InSkill, Project, Yes

if TYPE_CHECKING:
    from whet.core.budget import Budget


@dataclass(frozen=True, kw_only=True)
class Run:
    """The options of ``whet project run`` and ``resume``."""

    project: Project
    imported: Imported = False
    max_trials: Annotated[
        int | None, typer.Option(help="Stop after this many trials; run goes on with it.", min=0)
    ] = None
    max_cost: MaxCost = None
    max_tokens: MaxTokens = None
    max_minutes: MaxMinutes = None
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False

    @property
    def budget(self) -> "Budget":
        """What the run may use."""
        from whet.core.budget import NO_LIMITS

        return budget_of(self.max_cost, self.max_tokens, self.max_minutes) or NO_LIMITS


@dataclass(frozen=True, kw_only=True)
class Retry:
    """The options of ``whet project retry``."""

    project: Project
    skill: InSkill = None
    baseline: InBaseline = None
    case: Case = None
    failed: Annotated[bool, typer.Option("--failed", help="Those that failed.")] = False
    unscored: Annotated[
        bool, typer.Option("--unscored", help="Those that the judges gave no usable score.")
    ] = False
    run: Annotated[bool, typer.Option("--run", help="Run it at once.")] = False
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False
