"""``whet eval calibrate``: how far judges agree with people."""

from dataclasses import dataclass
from typing import Annotated

import typer

from whet.cli.eval_init import Skill
from whet.cli.eval_review import Engine, Model
from whet.cli.options import Json, Workspace, one_line_errors, taking


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


@taking(Calibrate)
def calibrate(options: Calibrate) -> None:
    """Hold the judges against people's labels, and correct the pass rate by what comes of it."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.eval_calibrate_run import run

        run(read(options.workspace), options)
