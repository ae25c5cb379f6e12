"""``whet package``: install job packages, look at them, go back, remove them."""

import typer

from whet.cli.options import one_line_errors, taking
from whet.cli.package import options as options_

STOPPED = "stopped"

app = typer.Typer(
    name="package",
    help="Install skill packages that keep a contract: inputs, engines, outputs, files.",
    no_args_is_help=True,
)


@app.command("install")
@taking(options_.Install)
def install(options: options_.Install) -> None:
    """Install a package, or update it by a higher version; whole or not at all."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.package.run import install

        install(read(options.workspace), options)


@app.command("list")
@taking(options_.List)
def list_(options: options_.List) -> None:
    """List the installed packages, and what keeps some of them from being run."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.package.run import list_

        list_(read(options.workspace), options)


@app.command("show")
@taking(options_.Plain)
def show(options: options_.Plain) -> None:
    """Show what a package takes and promises: inputs, parameters, outputs, files."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.package.run import show

        show(read(options.workspace), options)


@app.command("history")
@taking(options_.Plain)
def history(options: options_.Plain) -> None:
    """List the versions of a package, the newest first."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.package.run import history

        history(read(options.workspace), options)


@app.command("rollback")
@taking(options_.Rollback)
def rollback(options: options_.Rollback) -> None:
    """Make what an older version said the next one, be its number lower."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.package.run import rollback

        rollback(read(options.workspace), options)


@app.command("remove")
@taking(options_.Plain)
def remove(options: options_.Plain) -> None:
    """Remove a package; it is archived, and nothing is deleted."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.package.run import remove

        remove(read(options.workspace), options)
