"""``whet eval feedback``: what the runs say of the suite, and edits to accept."""

from dataclasses import dataclass
from typing import Annotated

import typer

from whet.cli.eval_init import Skill
from whet.cli.options import Json, Workspace, one_line_errors, taking


@dataclass(frozen=True, kw_only=True)
class FeedbackOptions:
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


@taking(FeedbackOptions)
def feedback(options: FeedbackOptions) -> None:
    """Show what judges say of the suite, and the edits that follow; accept those you like."""
    with one_line_errors("stopped; what you accepted so far is written"):
        from whet.app.settings import read
        from whet.cli.eval_feedback_run import run

        run(read(options.workspace), options)
