"""``whet project run`` and the like: let a project work, halt it, see how far it is."""

from whet.cli.options import one_line_errors, taking
from whet.cli.project_make_options import Plain
from whet.cli.project_work_options import Retry, Run

STOPPED = "stopped; run the same command again to go on where it ended"


@taking(Run)
def run(options: Run) -> None:
    """Run a project to its end and print the ranking; what is on record is not run again."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_work_run import run

        run(read(options.workspace), options)


@taking(Run)
def resume(options: Run) -> None:
    """Go on with a project that was paused, stopped or killed: the same as run."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_work_run import run

        run(read(options.workspace), options)


@taking(Plain)
def pause(options: Plain) -> None:
    """Let what is under way come to its end, and begin nothing else; run goes on with it."""
    with one_line_errors("no longer waiting; it pauses as soon as it can"):
        from whet.app.settings import read
        from whet.cli.project_work_run import halt_it

        halt_it(read(options.workspace), options, "paused")


@taking(Plain)
def stop(options: Plain) -> None:
    """End the agents that run for it, wherever they do; run goes on with it."""
    with one_line_errors("no longer waiting; it stops as soon as it can"):
        from whet.app.settings import read
        from whet.cli.project_work_run import halt_it

        halt_it(read(options.workspace), options, "stopped")


@taking(Plain)
def status(options: Plain) -> None:
    """Say how far a project is, what failed, how long it takes and what it cost."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.project_work_run import show_status

        show_status(read(options.workspace), options)


@taking(Plain)
def watch(options: Plain) -> None:
    """Follow a running project until it ends, whichever process runs it."""
    with one_line_errors("no longer watching; the project goes on"):
        from whet.app.settings import read
        from whet.cli.project_work_run import watch

        watch(read(options.workspace), options)


@taking(Retry)
def retry(options: Retry) -> None:
    """Want other answers for some results, or for those that failed; the next run gets them."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.project_work_run import try_again

        try_again(read(options.workspace), options)
