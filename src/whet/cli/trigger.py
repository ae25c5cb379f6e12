"""``whet trigger``: does an agent take the skill up when it should, and only then."""

import typer

from whet.cli.options import one_line_errors, taking
from whet.cli.trigger_options import Optimize, Run

app = typer.Typer(
    name="trigger",
    help="Measure and improve when agents take a skill up.",
    no_args_is_help=False,
    rich_markup_mode=None,
)

STOPPED = "stopped; run the same command again to go on where it ended"


@app.command("run")
@taking(Run)
def run(options: Run) -> None:
    """Put queries to agents and see which of them make the agent take the skill up."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.trigger_run import measure

        measure(read(options.workspace), options)


@app.command("optimize")
@taking(Optimize)
def optimize(options: Optimize) -> None:
    """Look for a description by which agents take the skill up at the right times."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.trigger_run import improve

        improve(read(options.workspace), options)
