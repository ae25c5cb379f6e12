"""``whet runs``: every run of every kind, in whichever process it is."""

from dataclasses import dataclass
from typing import Annotated

import typer

from whet.cli.options import (
    Json,
    MaxCost,
    MaxMinutes,
    MaxTokens,
    Workspace,
    budget_of,
    one_line_errors,
    taking,
)

app = typer.Typer(
    name="runs",
    help="List, watch, pause, resume and stop runs of every kind, in whichever process.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Reference = Annotated[str, typer.Argument(help="The id of a run, or its beginning.", metavar="RUN")]
Kinds = Annotated[
    list[str] | None, typer.Option("--kind", help="Only runs of this kind; can be repeated.")
]
Statuses = Annotated[
    list[str] | None, typer.Option("--status", help="Only runs in this status; can be repeated.")
]
Limit = Annotated[int, typer.Option(help="The most to list.", min=1, max=200)]
Yes = Annotated[bool, typer.Option("--yes", help="Agree to the cost without a question.")]
STOPPED = "stopped"


@app.command("list")
def list_(
    kind: Kinds = None,
    status: Statuses = None,
    limit: Limit = 20,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List runs, the newest first: projects, evals, capability runs, jobs, races and the like."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.runs_table import list_runs

        list_runs(read(workspace), kind or [], status or [], limit, as_json=json)


@app.command("show")
def show(run: Reference, workspace: Workspace = None, json: Json = False) -> None:
    """Show a run: how far it is, what it cost, and how it ended."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.runs_table import show_run

        show_run(read(workspace), run, as_json=json)


@app.command("watch")
def watch(run: Reference, workspace: Workspace = None, json: Json = False) -> None:
    """Follow a run to its end; exit code 1 unless that is completion."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.runs_table import watch_run

        watch_run(read(workspace), run, as_json=json)


@app.command("pause")
def pause(run: Reference, workspace: Workspace = None, json: Json = False) -> None:
    """Let what is under way come to its end, and start nothing more."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.runs_table import halt_run

        halt_run(read(workspace), run, "paused", as_json=json)


@app.command("stop")
def stop(run: Reference, workspace: Workspace = None, json: Json = False) -> None:
    """End the agents of a run now; what they had answered stays, and most runs can be resumed."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.runs_table import halt_run

        halt_run(read(workspace), run, "stopped", as_json=json)


@dataclass(frozen=True, kw_only=True)
class Resume:
    """The options of ``whet runs resume``."""

    run: Reference
    yes: Yes = False
    max_cost: MaxCost = None
    max_tokens: MaxTokens = None
    max_minutes: MaxMinutes = None
    workspace: Workspace = None
    json: Json = False


@app.command("resume")
@taking(Resume)
def resume(options: Resume) -> None:
    """Go on with a run here; what is on record is not done again. It may use what is left of its
    budget, or a new one."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.runs_table import resume_run

        budget = budget_of(options.max_cost, options.max_tokens, options.max_minutes)
        settings = read(options.workspace)
        resume_run(settings, options.run, budget, yes=options.yes, as_json=options.json)
