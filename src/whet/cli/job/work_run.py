"""What ``whet job run`` and ``whet job wait`` do once their imports are worth their time."""

from collections.abc import Mapping
from pathlib import Path

import typer

from whet.app.jobs import batch, cancel, expiry
from whet.app.jobs.create import create
from whet.app.jobs.office import Office
from whet.app.settings import Settings
from whet.cli.asset_output import line
from whet.cli.job.batch_work import wait_for_batch
from whet.cli.job.deliver import check_folder, deliver, make_folder
from whet.cli.job.desk import hint, office_of
from whet.cli.job.foreground import Foreground
from whet.cli.job.options import Run, Wait
from whet.cli.job.outcome import UNSUCCESSFUL, end, print_outcome
from whet.cli.job.request import agreed, checked, requested
from whet.cli.job.words import JobWords
from whet.cli.options import fail, say
from whet.core.errors import Draining, NotFound, WhetError
from whet.core.job import Job
from whet.core.naming import short

INTERRUPTED = 130


def run(settings: Settings, options: Run) -> None:
    """Do a job in this process, from its request to its files."""
    if options.out is not None:
        check_folder(options.out, force=options.force)
    words = JobWords(settings.language).work
    with office_of(settings) as office:
        expiry.sweep(office)
        request = requested(office, options)
        checked(office, request)
        agreed(office, request, [request.wanted], yes=options.yes)
        if options.out is not None:
            make_folder(options.out)
        job = create(office, request.wanted, None, request.at_hand, claims=True)
        try:
            if job.cache_hit:
                typer.echo(words.cached, err=True)
            job = Foreground(office, owns=True).to_its_end(job)
        except KeyboardInterrupt:
            cancel.drop(office, job.request_id)
            fail(words.stopped.format(job=short(job.request_id)), INTERRUPTED)
        except Draining as drained:
            _left(office, job, options.workspace, drained.exit_code)
        files, trouble = _delivered(office, job, options)
        print_outcome(job, files, as_json=options.json)
        if trouble is not None:
            fail(str(trouble), trouble.exit_code)
        end(office, job, options.workspace)


def _left(office: Office, job: Job, workspace: Path | None, code: int) -> None:
    """Say how to go on with a job that this process does not wait for any more."""
    words = JobWords(office.app.settings.language)
    again = hint("wait", job.request_id, workspace)
    told = _told(office.get(job.request_id), words.find.states)
    fail(words.work.still.format(**told, command=again), code)


def wait(settings: Settings, options: Wait) -> None:
    """Wait for a job or a batch."""
    with office_of(settings) as office:
        expiry.sweep(office)
        try:
            job = office.find(options.job)
        except NotFound as error:
            try:
                batch_id = batch.find(office, options.job)
            except NotFound:
                raise error from None
            wait_for_batch(office, batch_id, options)
        else:
            wait_for(office, job, options)


def wait_for(office: Office, job: Job, options: Wait) -> None:
    """Wait for a job, and do it where nobody else does; say what it came to."""
    words = JobWords(office.app.settings.language)
    try:
        job = Foreground(office, owns=False).to_its_end(job, options.timeout)
    except KeyboardInterrupt:
        _left(office, job, options.workspace, INTERRUPTED)
    except Draining as drained:
        _left(office, job, options.workspace, drained.exit_code)
    print_outcome(job, {}, as_json=options.json)
    if job.state in ("queued", "running"):
        told = _told(job, words.find.states)
        say(words.work.not_yet.format(**told, seconds=options.timeout or 0))
        raise typer.Exit(UNSUCCESSFUL)
    end(office, job, options.workspace)


def _told(job: Job, states: Mapping[str, str]) -> dict[str, str]:
    return {"job": short(job.request_id), "state": states[job.state]}


def _delivered(office: Office, job: Job, options: Run) -> tuple[dict[str, str], WhetError | None]:
    """Put the files where somebody wants them, and say where they are; what goes wrong with that
    takes nobody the result."""
    words = JobWords(office.app.settings.language).work
    artifacts = job.result.artifacts if job.result else ()
    if not artifacts:
        return {}, None
    where = office.places.run(job.run_id)
    found = {each.path: str(where / each.path) for each in artifacts}
    where, trouble = where / "artifacts", None
    if options.out is not None:
        try:
            found, where = deliver(office, job, options.out), options.out
        except WhetError as error:
            trouble = error
    typer.echo(words.files.format(path=line(str(where), 4096)), err=True)
    return found, trouble
