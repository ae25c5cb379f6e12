"""``whet project list``, ``show`` and ``results``: find projects, and look at what came of them."""

from whet.cli.options import one_line_errors, taking
from whet.cli.project_find_options import List, Results
from whet.cli.project_make_options import Plain

STOPPED = "stopped"


@taking(List)
def list_(options: List) -> None:
    """List the projects, the newest first."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_find_run import list_

        list_(read(options.workspace), options)


@taking(Plain)
def show(options: Plain) -> None:
    """Show how a project is set up, and its ranking once it has one."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_find_run import show

        show(read(options.workspace), options)


@taking(Results)
def results(options: Results) -> None:
    """List results; with --skill and --case show one in full."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_results_run import results

        results(read(options.workspace), options)
