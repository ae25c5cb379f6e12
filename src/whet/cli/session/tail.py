"""``whet session tail``: what agents are doing now."""

from dataclasses import dataclass
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors, taking


@dataclass(frozen=True, kw_only=True)
class Tail:
    """What is followed."""

    reference: Annotated[
        str | None,
        typer.Argument(
            help="A job, an execution or a trial, by its id or the unique beginning of that; or "
            "an experiment, an eval run or a capability run by its id. Without it: list what runs.",
            metavar="ID",
        ),
    ] = None
    json: Json = False
    workspace: Workspace = None


@taking(Tail)
def tail(options: Tail) -> None:
    """Follow an agent at work, whichever process runs it, to its end; without ID, list what runs
    now. With --json each event is one line."""
    with one_line_errors("no longer following; what was followed goes on"):
        from whet.app.settings import read
        from whet.cli.session.tail_run import tail

        tail(read(options.workspace), options)
