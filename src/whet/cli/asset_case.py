"""``whet baseline case``: single cases of a baseline."""

import typer

from whet.cli.asset_case_options import CaseAdd, CaseEdit, CaseList, CaseRemove
from whet.cli.options import one_line_errors, taking

STOPPED = "stopped; nothing was changed"

app = typer.Typer(
    name="case",
    help="Single cases; each change is the next version of the baseline.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
@taking(CaseList)
def list_(options: CaseList) -> None:
    """List the cases of the newest version."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.asset_case_run import list_

        list_(read(options.workspace), options)


@app.command("add")
@taking(CaseAdd)
def add(options: CaseAdd) -> None:
    """Add a case, or those of a file; all of them, or none."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.asset_case_run import add

        add(read(options.workspace), options)


@app.command("edit")
@taking(CaseEdit)
def edit(options: CaseEdit) -> None:
    """Change fields of a case."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.asset_case_run import edit

        edit(read(options.workspace), options)


@app.command("remove")
@taking(CaseRemove)
def remove(options: CaseRemove) -> None:
    """Take a case out; older versions keep it."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.asset_case_run import remove

        remove(read(options.workspace), options)
