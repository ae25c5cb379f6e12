"""``whet capability``: measure what an agent can do, on cases that rules decide."""

import typer

from whet.cli import capability_options as options_
from whet.cli.options import one_line_errors, taking

STOPPED = "stopped"

app = typer.Typer(
    name="capability",
    help="Measure what an agent can do: tools, logic, common knowledge, complex tasks.",
    no_args_is_help=True,
)


@app.command("sets")
@taking(options_.Sets)
def sets(options: options_.Sets) -> None:
    """List the case sets, bundled ones and those of the workspace, and what is wrong with them."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_sets_run import sets

        sets(read(options.workspace), options)


@app.command("lint")
@taking(options_.Lint)
def lint(options: options_.Lint) -> None:
    """Look for mistakes in a case set; exit code 1 if there are errors."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_sets_run import lint

        lint(read(options.workspace), options)


@app.command("coverage")
@taking(options_.Coverage)
def coverage(options: options_.Coverage) -> None:
    """Show which tools, dimensions, languages, tags and checkers the cases of a set touch."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_sets_run import coverage

        coverage(read(options.workspace), options)


@app.command("run")
@taking(options_.Run)
def run(options: options_.Run) -> None:
    """Run a case set on an agent, and print what it came to."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_work_run import run

        run(read(options.workspace), options)


@app.command("resume")
@taking(options_.Resume)
def resume(options: options_.Resume) -> None:
    """Go on with a run that was interrupted, killed or failed; what it has is not done again."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_work_run import resume

        resume(read(options.workspace), options)


@app.command("cancel")
@taking(options_.Plain)
def cancel(options: options_.Plain) -> None:
    """End a run for good, in whichever process it is; what it has is kept."""
    with one_line_errors("no longer waiting; it ends as soon as it can"):
        from whet.app.settings import read
        from whet.cli.capability_work_run import cancel

        cancel(read(options.workspace), options)


@app.command("delete")
@taking(options_.Several)
def delete(options: options_.Several) -> None:
    """Remove runs, their items and their folders; one that is running has to be cancelled first."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_work_run import delete

        delete(read(options.workspace), options)


@app.command("list")
@taking(options_.List)
def list_(options: options_.List) -> None:
    """List the runs, the newest first."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_find_run import list_

        list_(read(options.workspace), options)


@app.command("show")
@taking(options_.Show)
def show(options: options_.Show) -> None:
    """Show what a run came to, and why its cases failed; with --case one of them in full."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_find_run import show

        show(read(options.workspace), options)


@app.command("compare")
@taking(options_.Several)
def compare(options: options_.Several) -> None:
    """Hold runs against the first of them: which cases flipped, and how far they are apart."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_compare_run import compare

        compare(read(options.workspace), options)


@app.command("stability")
@taking(options_.Several)
def stability(options: options_.Several) -> None:
    """Say how alike several runs of one set are: which cases flip, and how far the totals go."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.capability_compare_run import stability

        stability(read(options.workspace), options)


@app.command("export")
@taking(options_.Export)
def export(options: options_.Export) -> None:
    """Write a report of a run: a page, Markdown, a table, or all of it as JSON."""
    with one_line_errors("stopped; nothing was written"):
        from whet.app.settings import read
        from whet.cli.capability_export_run import export

        export(read(options.workspace), options)
