"""``whet session``: what agents did, and what they are doing."""

import typer

from whet.cli.session.tail import tail

app = typer.Typer(
    name="session",
    help="What agents did, call by call, and what they are doing now.",
    no_args_is_help=True,
)
app.command("tail")(tail)
