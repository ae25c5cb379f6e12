"""The options of the commands that make projects and keep them in order."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.options import Json, Workspace, named_values, usable_values
from whet.cli.project_options import Project, Yes

if TYPE_CHECKING:
    from whet.app.projects.create import Comparison

Name = Annotated[str, typer.Argument(help="What to call it.", metavar="NAME")]
Start = Annotated[bool, typer.Option("--run", help="Run it at once.")]


@dataclass(frozen=True, kw_only=True)
class Create:
    """The options of ``whet project create``."""

    name: Name
    skill: Annotated[
        list[str],
        typer.Option("--skill", help="A skill by id or name, @v2 for a version; may be repeated."),
    ]
    baseline: Annotated[
        list[str],
        typer.Option(
            "--baseline", help="A baseline by id or name, @v2 for a version; may be repeated."
        ),
    ]
    description: Annotated[str, typer.Option(help="What it is about.")] = ""
    engine: Annotated[str, typer.Option(help="The agent. Default: as configured.")] = ""
    model: Annotated[str, typer.Option(help="The model. Default: as configured.")] = ""
    repeats: Annotated[
        int, typer.Option(help="How often each case is tried with each skill.", min=1, max=100)
    ] = 1
    timeout: Annotated[
        float | None, typer.Option(help="Seconds for each attempt. Default: as configured.")
    ] = None
    retries: Annotated[
        int | None,
        typer.Option(help="Retries after a passing trouble. Default: as configured.", min=0),
    ] = None
    flag: Annotated[
        list[str] | None,
        typer.Option(
            "--flag", help="A flag for the agent's program, as --flag=--x; may be repeated."
        ),
    ] = None
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", help="An option of the engine as NAME=VALUE, VALUE as JSON; repeatable."
        ),
    ] = None
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", help="simulated, a model, or engine:model; repeat for a panel."),
    ] = None
    readings: Annotated[
        int, typer.Option(help="How often each judge reads an answer.", min=1, max=20)
    ] = 1
    structural_gate: Annotated[
        bool,
        typer.Option(
            "--structural-gate/--no-structural-gate",
            help="Spare the judges what failed a critical check, which then scores 0; or not.",
        ),
    ] = True
    token_threshold: Annotated[
        int | None, typer.Option(help="Tokens from which a conversation is long.", min=1)
    ] = None
    compress: Annotated[
        bool | None,
        typer.Option(
            "--compress/--no-compress", help="Have the agent compress long conversations, or not."
        ),
    ] = None
    export: Annotated[
        bool | None, typer.Option("--export/--no-export", help="Export them, or not.")
    ] = None
    iteration: Annotated[
        list[str] | None,
        typer.Option(
            "--iteration",
            help="A default of a later search for better skills, NAME=VALUE; repeatable.",
        ),
    ] = None
    run: Start = False
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False

    def comparison(self) -> "Comparison":
        """What is asked for."""
        from whet.app.projects.create import Comparison, ContextWish, IterationWish

        with usable_values():
            return Comparison(
                name=self.name,
                description=self.description,
                skills=tuple(self.skill),
                baselines=tuple(self.baseline),
                engine=self.engine,
                model=self.model,
                repeats=self.repeats,
                timeout_seconds=self.timeout,
                retries=self.retries,
                extra_flags=tuple(self.flag or ()),
                options=named_values(self.option or ()),
                judges=tuple(self.judge or ()),
                readings=self.readings,
                structural_gate=self.structural_gate,
                context=ContextWish(
                    token_threshold=self.token_threshold,
                    auto_compress=self.compress,
                    auto_export=self.export,
                ),
                iteration=IterationWish.model_validate(named_values(self.iteration))
                if self.iteration
                else None,
            )


@dataclass(frozen=True, kw_only=True)
class Clone:
    """The options of ``whet project clone``."""

    project: Project
    name: Annotated[
        str, typer.Option("--name", help="What to call it. Default: as the old one, and (copy).")
    ] = ""
    newest: Annotated[
        bool, typer.Option("--newest", help="With the newest versions of skills and baselines.")
    ] = False
    run: Start = False
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Rename:
    """The options of ``whet project rename``."""

    project: Project
    name: Annotated[str, typer.Argument(help="The new name.", metavar="NAME")]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Plain:
    """The options of a command that has none of its own."""

    project: Project
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Adopt:
    """The options of ``whet project adopt``."""

    project: Project
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False
