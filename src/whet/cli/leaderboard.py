"""``whet leaderboard``: how skills did in projects, baseline by baseline and over time."""

from typing import Any

import typer

from whet.cli.default_command import DefaultCommand
from whet.cli.leaderboard_options import History, Show
from whet.cli.options import one_line_errors, taking

STOPPED = "stopped"


class ShowByDefault(DefaultCommand):
    """``whet leaderboard`` is ``whet leaderboard show``."""

    default = "show"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Also where nothing is said at all."""
        return super().parse_args(ctx, args or [self.default])


app = typer.Typer(
    name="leaderboard",
    cls=ShowByDefault,
    help="How skills did in projects: `whet leaderboard`, in full `whet leaderboard show`.",
    rich_markup_mode=None,
)


@app.command("show")
@taking(Show)
def show(options: Show) -> None:
    """Show the best results on each baseline, and which of them are outdated."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.leaderboard_run import show

        show(read(options.workspace), options)


@app.command("history")
@taking(History)
def history(options: History) -> None:
    """Show how a skill did over its versions and over time, on each baseline."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.leaderboard_run import history

        history(read(options.workspace), options)
