"""The options of ``whet trigger``."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.options import Json, MaxCost, Workspace

if TYPE_CHECKING:
    from whet.app.trigger_plan import TriggerRequest

Skill = Annotated[
    Path,
    typer.Argument(help="The folder of the skill, with its SKILL.md.", metavar="SKILL_DIR"),
]
Engines = Annotated[
    list[str] | None,
    typer.Option(
        "--engine", help="An agent to try it on; may be repeated. Default: as configured."
    ),
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", help="A model, or engine:model; may be repeated."),
]
Beside = Annotated[
    list[Path] | None,
    typer.Option(
        "--with",
        help="A competing skill, or a folder of them, that is offered as well; may be repeated.",
        metavar="DIR",
    ),
]
Runs = Annotated[int, typer.Option(help="Runs of each query.", min=1, max=100)]
Queries = Annotated[
    Path | None,
    typer.Option(help="The queries. Default: evals/triggers.json of the skill.", metavar="FILE"),
]
Timeout = Annotated[
    float | None,
    typer.Option(help="Seconds for each run. Default: as configured, else 120.", min=1),
]
MaxTrials = Annotated[int | None, typer.Option(help="Stop after this many runs.", min=0)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")]


@dataclass(frozen=True, kw_only=True)
class Shared:
    """What both commands take."""

    skill: Skill
    engine: Engines = None
    model: Models = None
    beside: Beside = None
    runs: Runs = 3
    queries: Queries = None
    timeout: Timeout = None
    max_cost: MaxCost = None
    max_trials: MaxTrials = None
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False

    def request(self) -> "TriggerRequest":
        """What is asked for."""
        from whet.app.trigger_plan import TriggerRequest
        from whet.core.budget import Budget

        return TriggerRequest(
            skill=self.skill,
            queries=self.queries,
            beside=tuple(self.beside or ()),
            engines=tuple(self.engine) if self.engine else None,
            models=tuple(self.model or ()),
            runs=self.runs,
            timeout_seconds=self.timeout,
            budget=Budget(max_cost_usd=self.max_cost, max_trials=self.max_trials),
        )


@dataclass(frozen=True, kw_only=True)
class Run(Shared):
    """The options of ``whet trigger run``."""

    fail_under: Annotated[
        float | None,
        typer.Option(help="Exit 1 if fewer queries (0 to 1) come out right.", min=0, max=1),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Optimize(Shared):
    """The options of ``whet trigger optimize``."""

    apply: Annotated[
        bool, typer.Option("--apply", help="Write the new description into SKILL.md.")
    ] = False
