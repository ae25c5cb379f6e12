"""``whet project create`` and the like: make projects, and keep them in order."""

from whet.cli.options import one_line_errors, taking
from whet.cli.project_make_options import Adopt, Clone, Create, Plain, Rename

STOPPED = "stopped"


@taking(Create)
def create(options: Create) -> None:
    """Make a project of versions in the library: which skills, on which baselines, by whom."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_make_run import create

        create(read(options.workspace), options)


@taking(Clone)
def clone(options: Clone) -> None:
    """Make a new project of the same design, without results."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_make_run import copy

        copy(read(options.workspace), options)


@taking(Rename)
def rename(options: Rename) -> None:
    """Call a project otherwise; its folder keeps its name."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_make_run import rename

        rename(read(options.workspace), options)


@taking(Adopt)
def adopt(options: Adopt) -> None:
    """Agree on this machine to what a project that came from elsewhere starts and may reach."""
    with one_line_errors("stopped; nothing was changed"):
        from whet.app.settings import read
        from whet.cli.project_make_run import adopt

        adopt(read(options.workspace), options)


@taking(Plain)
def archive(options: Plain) -> None:
    """Put a project out of the way; nothing is deleted."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_make_run import archive

        archive(read(options.workspace), options, archived=True)


@taking(Plain)
def restore(options: Plain) -> None:
    """Take an archived project back."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_make_run import archive

        archive(read(options.workspace), options, archived=False)
