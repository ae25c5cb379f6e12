"""``whet project export`` and ``import``: projects out into a file, and in from one."""

from whet.cli.options import one_line_errors, taking
from whet.cli.project_file_options import Export, Import


@taking(Export)
def export(options: Export) -> None:
    """Write a project to a zip that can be imported elsewhere, or a report of it."""
    with one_line_errors("stopped; nothing was written"):
        from whet.app.settings import read
        from whet.cli.project_file_run import export

        export(read(options.workspace), options)


@taking(Import)
def import_(options: Import) -> None:
    """Take a project in from a zip that was exported; nothing of it is run."""
    with one_line_errors("stopped; nothing was taken in"):
        from whet.app.settings import read
        from whet.cli.project_file_run import take_in

        take_in(read(options.workspace), options)
