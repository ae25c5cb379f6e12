"""``whet job``: do jobs here and now, and look after those that others do."""

import typer

from whet.cli.job import options as options_
from whet.cli.options import one_line_errors, taking

STOPPED = "stopped"
STILL_THERE = "no longer waiting; the job is still there"

app = typer.Typer(
    name="job",
    help="Skills that are run with typed inputs: ask for them, wait, answer, take the files.",
    no_args_is_help=True,
)


@taking(options_.Run)
def run(options: options_.Run) -> None:
    """Run a skill with typed inputs in this process, and print what it came to as JSON."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.work_run import run

        run(read(options.workspace), options)


@app.command("submit")
@taking(options_.Submit)
def submit(options: options_.Submit) -> None:
    """Ask for a job, or for many, that a server does, or whoever waits for it."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.submit_run import submit

        submit(read(options.workspace), options)


@app.command("list")
@taking(options_.List)
def list_(options: options_.List) -> None:
    """List the jobs, the newest first."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.find_run import list_

        list_(read(options.workspace), options)


@app.command("status")
@taking(options_.One)
def status(options: options_.One) -> None:
    """Show where a job is, and what it waits for."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.find_run import status

        status(read(options.workspace), options)


@app.command("wait")
@taking(options_.Wait)
def wait(options: options_.Wait) -> None:
    """Wait for a job or a batch to end, and do it here if nobody else does; exit code 1 if it
    did not succeed."""
    with one_line_errors(STILL_THERE):
        from whet.app.settings import read
        from whet.cli.job.work_run import wait

        wait(read(options.workspace), options)


@app.command("logs")
@taking(options_.Logs)
def logs(options: options_.Logs) -> None:
    """Show what the agent did, line by line."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.logs_run import logs

        logs(read(options.workspace), options)


@app.command("result")
@taking(options_.One)
def result(options: options_.One) -> None:
    """Print what a job that is over came to, as JSON."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.find_run import result

        result(read(options.workspace), options)


@app.command("reply")
@taking(options_.Reply)
def reply(options: options_.Reply) -> None:
    """Answer an agent that waits; without VALUE and --file, show what it asks."""
    with one_line_errors("stopped; nothing was answered"):
        from whet.app.settings import read
        from whet.cli.job.change_run import reply

        reply(read(options.workspace), options)


@app.command("cancel")
@taking(options_.One)
def cancel(options: options_.One) -> None:
    """End a job for good, in whichever process it is."""
    with one_line_errors("no longer waiting; it ends as soon as it can"):
        from whet.app.settings import read
        from whet.cli.job.change_run import cancel

        cancel(read(options.workspace), options)


@app.command("artifacts")
@taking(options_.Artifacts)
def artifacts(options: options_.Artifacts) -> None:
    """List the files that a job delivered, or write them into a folder."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.deliver_run import artifacts

        artifacts(read(options.workspace), options)


@app.command("bundle")
@taking(options_.Bundle)
def bundle(options: options_.Bundle) -> None:
    """Write all that a job delivered into a zip; for debugging, also how it came about."""
    with one_line_errors("stopped; nothing was written"):
        from whet.app.settings import read
        from whet.cli.job.deliver_run import bundle

        bundle(read(options.workspace), options)


@app.command("case")
@taking(options_.Case)
def case(options: options_.Case) -> None:
    """Make a job that succeeded a test case of a baseline."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.change_run import case

        case(read(options.workspace), options)


@app.command("batch")
@taking(options_.Batch)
def batch(options: options_.Batch) -> None:
    """Show all jobs of a batch in one table."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.find_run import batch

        batch(read(options.workspace), options)


@app.command("delete")
@taking(options_.Delete)
def delete(options: options_.Delete) -> None:
    """Forget jobs that are over, with their files; their session logs stay."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.job.change_run import delete

        delete(read(options.workspace), options)
