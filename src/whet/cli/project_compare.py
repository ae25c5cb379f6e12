"""``whet project compare`` and ``environment``: two skills, or two projects, side by side."""

from whet.cli.options import one_line_errors, taking
from whet.cli.project_compare_options import Compare, Environment

STOPPED = "stopped"


@taking(Compare)
def compare(options: Compare) -> None:
    """Say which of two skills is better on the cases that both were tried on, and how sure."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_compare_run import compare

        compare(read(options.workspace), options)


@taking(Environment)
def environment(options: Environment) -> None:
    """Show what a project is carried out with, or how two projects differ in that."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_environment_run import environment

        environment(read(options.workspace), options)
