"""``whet eval init``: a first suite for a skill."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors, taking

Skill = Annotated[
    Path, typer.Argument(help="The folder of the skill, with its SKILL.md.", metavar="SKILL_DIR")
]


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
        int, typer.Option(help="How many; at most 3 without an engine.", min=1, max=20)
    ] = 3
    force: Annotated[
        bool, typer.Option("--force", help="Also where there is a suite; it is kept as .bak.")
    ] = False
    workspace: Workspace = None
    json: Json = False


@taking(Init)
def init(options: Init) -> None:
    """Write a draft of evals/evals.json and evals/triggers.json for a skill."""
    with one_line_errors("stopped; nothing was written"):
        from whet.app.settings import read
        from whet.cli.eval_init_run import run

        run(read(options.workspace), options)
