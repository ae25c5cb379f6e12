"""``whet session``: what agents did, and what they are doing."""

import typer

from whet.cli.options import one_line_errors, taking
from whet.cli.session import options as options_
from whet.cli.session.tail import tail

STOPPED = "stopped"

app = typer.Typer(
    name="session",
    help="What agents did, call by call, and what they are doing now.",
    no_args_is_help=True,
)


@app.command("import")
@taking(options_.Import)
def import_(options: options_.Import) -> None:
    """Read logs of other programs into sessions; exit code 1 if one was refused."""
    with one_line_errors("stopped; what was imported stays"):
        from whet.app.settings import read
        from whet.cli.session.import_run import run

        run(read(options.workspace), options)


@app.command("list")
@taking(options_.Narrowed)
def list_(options: options_.Narrowed) -> None:
    """List the sessions, the newest first."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.session.find_run import list_

        list_(read(options.workspace), options)


@app.command("search")
@taking(options_.Search)
def search(options: options_.Search) -> None:
    """Find sessions and calls by words, and by what was done."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.session.find_run import search

        search(read(options.workspace), options)


@app.command("show")
@taking(options_.Show)
def show(options: options_.Show) -> None:
    """Show what an agent did, call by call, with its phases."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.session.show_run import show

        show(read(options.workspace), options)


@app.command("annotate")
@taking(options_.Annotate)
def annotate(options: options_.Annotate) -> None:
    """Say which phases a session has: by rule, by hand, or by asking an engine."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.session.annotate_run import annotate

        annotate(read(options.workspace), options)


@app.command("stats")
@taking(options_.One)
def stats(options: options_.One) -> None:
    """Show where the time went, what failed, was repeated and was touched."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.session.stats_run import stats

        stats(read(options.workspace), options)


@app.command("compare")
@taking(options_.Compare)
def compare(options: options_.Compare) -> None:
    """Hold two sessions side by side, call by call, and say where they part."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.session.compare_run import compare

        compare(read(options.workspace), options)


@app.command("export")
@taking(options_.Export)
def export(options: options_.Export) -> None:
    """Write a session as a page, Markdown, JSON or OpenTelemetry spans, without secrets."""
    with one_line_errors("stopped; nothing was written"):
        from whet.app.settings import read
        from whet.cli.session.export_run import export

        export(read(options.workspace), options)


app.command("tail")(tail)
