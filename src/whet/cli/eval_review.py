"""``whet eval review``: people look at runs."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from whet.cli.eval_init import Skill
from whet.cli.options import Json, Workspace, one_line_errors, taking

Engine = Annotated[str | None, typer.Option(help="The engine whose runs are meant.")]
Model = Annotated[str | None, typer.Option(help="The model whose runs are meant.")]


class Label(StrEnum):
    """What a person finds."""

    PASS = "pass"
    FAIL = "fail"


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


@taking(Review)
def review(options: Review) -> None:
    """Look at runs, blind, and say of each whether it passes; whatever you say is kept at once."""
    with one_line_errors("stopped; what you said so far is kept"):
        from whet.app.settings import read
        from whet.cli.eval_review_run import run

        run(read(options.workspace), options)
