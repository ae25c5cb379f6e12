"""The options of the commands in which people draft, review and improve evals."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace

Skill = Annotated[
    Path, typer.Argument(help="The folder of the skill, with its SKILL.md.", metavar="SKILL_DIR")
]
Engine = Annotated[str | None, typer.Option(help="The engine whose runs are meant.")]
Model = Annotated[str | None, typer.Option(help="The model whose runs are meant.")]


class Label(StrEnum):
    """What a person finds."""

    PASS = "pass"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True)
class Init:
    """The options of ``whet eval init``."""

    skill: Skill
    engine: Annotated[
        str | None,
        typer.Option(help="Let a model write it, by this engine. Default: made from SKILL.md."),
    ] = None
    model: Annotated[str | None, typer.Option(help="The model that writes.")] = None
    evals: Annotated[
        int, typer.Option(help="How many; at most 12 without an engine.", min=1, max=20)
    ] = 12
    force: Annotated[
        bool, typer.Option("--force", help="Also where there is a suite; it is kept as .bak.")
    ] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Review:
    """The options of ``whet eval review``."""

    skill: Skill
    iteration: Annotated[int | None, typer.Option(help="Default: the newest.", min=1)] = None
    engine: Engine = None
    model: Model = None
    show: Annotated[bool, typer.Option("--show", help="Not blind: say which side a run is.")] = (
        False
    )
    scores: Annotated[
        bool, typer.Option("--scores", help="Also ask for a score in every dimension.")
    ] = False
    list_: Annotated[bool, typer.Option("--list", help="Only list the runs.")] = False
    run: Annotated[
        str | None, typer.Option(help="Review one run, by its number or id, without a terminal.")
    ] = None
    label: Annotated[Label | None, typer.Option(help="With --run: what you find.")] = None
    feedback: Annotated[str, typer.Option(help="With --run: why.")] = ""
    score: Annotated[
        list[str] | None,
        typer.Option(help="With --run: DIMENSION=SCORE; may be repeated.", metavar="DIM=N"),
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Calibrate:
    """The options of ``whet eval calibrate``."""

    skill: Skill
    iteration: Annotated[
        list[int] | None,
        typer.Option(help="May be repeated. Default: the newest that somebody reviewed.", min=1),
    ] = None
    engine: Engine = None
    model: Model = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """The options of ``whet eval feedback``."""

    skill: Skill
    iteration: Annotated[int | None, typer.Option(help="Default: the newest.", min=1)] = None
    of: Annotated[
        str | None, typer.Option(help="Whose runs, if there are several: engine or engine:model.")
    ] = None
    engine: Annotated[
        str | None, typer.Option(help="Also ask a model for edits, by this engine.")
    ] = None
    model: Annotated[str | None, typer.Option(help="The model that is asked.")] = None
    apply: Annotated[
        list[int] | None, typer.Option(help="Accept the edit of this number; may be repeated.")
    ] = None
    workspace: Workspace = None
    json: Json = False
