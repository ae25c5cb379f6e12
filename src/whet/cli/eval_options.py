"""The options of ``whet eval``, as values."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.options import (
    Imported,
    Json,
    MaxCost,
    MaxMinutes,
    MaxTokens,
    Workspace,
    named_values,
    usable_values,
)

if TYPE_CHECKING:
    from whet.app.eval_request import EvalRequest

Skill = Annotated[
    str,
    typer.Argument(help="The folder of the skill, with its evals/evals.json.", metavar="SKILL_DIR"),
]
Engines = Annotated[
    list[str] | None,
    typer.Option(
        "--engine", help="An agent to run it on; may be repeated. Default: as configured."
    ),
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", help="A model, or engine:model; may be repeated."),
]
EngineOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", help="An option of the engines as NAME=VALUE, VALUE as JSON; may be repeated."
    ),
]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", help="simulated, a model, or engine:model; repeat for a panel."),
]
Readings = Annotated[int, typer.Option(help="How often each judge reads a run.", min=1, max=20)]
Html = Annotated[Path | None, typer.Option("--html", help="Write a page to this file.")]
Junit = Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML to this file.")]
Markdown = Annotated[Path | None, typer.Option("--markdown", help="Write Markdown to this file.")]
Summary = Annotated[
    Path | None,
    typer.Option("--summary", help="Add Markdown to this file, as a CI step summary wants it."),
]
MaxTrials = Annotated[int | None, typer.Option(help="Stop after this many runs.", min=0)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")]
TrustScripts = Annotated[
    bool, typer.Option("--trust-scripts", help="Let scripts of the suite run, in the sandbox.")
]
FailUnder = Annotated[
    float | None,
    typer.Option(help="Exit 1 if the skill's mean score is below this (0 to 1).", min=0, max=1),
]
FailOnRegression = Annotated[
    bool, typer.Option("--fail-on-regression", help="Exit 1 if the verdict is: worse.")
]


class GateScope(StrEnum):
    """What a regression is looked for in."""

    LIKE_THESE = "like-these"
    THESE = "these"


Scope = Annotated[
    GateScope,
    typer.Option(
        "--gate-scope",
        help="Look for a regression on evals like-these (6 evals or more), or on these alone.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Run:
    """The options of ``whet eval run``."""

    skill: Skill
    engine: Engines = None
    model: Models = None
    option: EngineOptions = None
    runs: Annotated[
        int | None, typer.Option(help="Runs of each eval. Default: as the suite says.", min=1)
    ] = None
    against: Annotated[
        str | None,
        typer.Option(help="Compare with an older version: v3 of the library, or a folder."),
    ] = None
    baseline: Annotated[
        bool | None,
        typer.Option("--baseline/--no-baseline", help="Run without the skill as well, or not."),
    ] = None
    adaptive: Annotated[
        bool, typer.Option("--adaptive", help="Stop as soon as it is clear; --runs is the most.")
    ] = False
    margin: Annotated[
        float, typer.Option(help="The difference (0 to 1) that does not matter.", min=0, max=0.99)
    ] = 0.0
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="Also compare outputs side by side, blind.")
    ] = False
    judge: Judges = None
    judge_model: Annotated[
        str | None, typer.Option(help="The model of the judge, instead of the suite's.")
    ] = None
    readings: Readings = 1
    trust_scripts: TrustScripts = False
    timeout: Annotated[
        float | None, typer.Option(help="Seconds for each run. Default: 600.", min=1)
    ] = None
    parallel: Annotated[
        int, typer.Option(help="Runs at once for each engine and model.", min=1, max=256)
    ] = 8
    max_cost: MaxCost = None
    max_tokens: MaxTokens = None
    max_trials: MaxTrials = None
    max_minutes: MaxMinutes = None
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Measure anew; nothing on record is reused.")
    ] = False
    imported: Imported = False
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be run and what it may cost.")
    ] = False
    yes: Yes = False
    fail_under: FailUnder = None
    fail_on_regression: FailOnRegression = False
    gate_scope: Scope = GateScope.LIKE_THESE
    junit: Junit = None
    html: Html = None
    markdown: Markdown = None
    summary: Summary = None
    workspace: Workspace = None
    json: Json = False

    @property
    def written(self) -> list[Path]:
        """The files that are to be written."""
        asked = (self.junit, self.html, self.markdown, self.summary)
        return [path for path in asked if path is not None]

    def request(self) -> "EvalRequest":
        """What is asked for."""
        from whet.app.eval_request import EvalRequest
        from whet.core.budget import Budget

        with usable_values():
            return EvalRequest(
                skill=self.skill,
                against=self.against,
                engines=tuple(self.engine) if self.engine else None,
                models=tuple(self.model or ()),
                runs=self.runs,
                baseline=self.baseline,
                adaptive=self.adaptive,
                margin=self.margin,
                fresh=self.fresh,
                imported=self.imported,
                judges=tuple(self.judge or ([self.judge_model] if self.judge_model else [])),
                readings=self.readings,
                pairwise=self.pairwise,
                trust_scripts=self.trust_scripts,
                timeout_seconds=self.timeout,
                options=named_values(self.option or ()),
                budget=Budget(
                    max_trials=self.max_trials,
                    max_cost_usd=self.max_cost,
                    max_tokens=self.max_tokens,
                    max_seconds=None if self.max_minutes is None else self.max_minutes * 60,
                ),
                width=self.parallel,
            )


@dataclass(frozen=True, kw_only=True)
class Regrade:
    """The options of ``whet eval regrade``."""

    skill: Skill
    judge: Judges = None
    readings: Annotated[
        int | None, typer.Option(help="How often each judge reads a run.", min=1, max=20)
    ] = None
    trust_scripts: TrustScripts = False
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Race:
    """The options of ``whet eval race``."""

    skill: Skill
    rivals: Annotated[
        list[str], typer.Argument(help="Folders of other skills, for the same evals.")
    ]
    engine: Annotated[
        str | None, typer.Option(help="The agent to run it on. Default: as configured.")
    ] = None
    model: Annotated[str | None, typer.Option(help="The model.")] = None
    runs: Annotated[
        int | None, typer.Option(help="Runs of each eval. Default: as the suite says.", min=1)
    ] = None
    judge: Judges = None
    max_cost: MaxCost = None
    max_trials: MaxTrials = None
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False

    def request(self) -> "EvalRequest":
        """What is asked for."""
        from whet.app.eval_request import EvalRequest
        from whet.core.budget import Budget

        with usable_values():
            return EvalRequest(
                skill=self.skill,
                engines=(self.engine,) if self.engine else None,
                models=(self.model,) if self.model else (),
                runs=self.runs,
                judges=tuple(self.judge or ()),
                budget=Budget(max_cost_usd=self.max_cost, max_trials=self.max_trials),
            )
