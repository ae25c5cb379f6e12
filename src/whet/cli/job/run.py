"""``whet job run`` and ``whet job wait``."""

from pathlib import Path
from typing import Annotated

import typer

from whet.app.jobs import batch, cancel, expiry
from whet.app.jobs.create import create
from whet.app.jobs.office import Office
from whet.cli.asset_output import line
from whet.cli.command import Call, when_stopped
from whet.cli.job.artifacts import check_folder, deliver, make_folder
from whet.cli.job.batch import wait_for_batch
from whet.cli.job.foreground import Foreground
from whet.cli.job.output import (
    INTERRUPTED,
    JOB,
    UNSUCCESSFUL,
    Force,
    Out,
    end,
    job_command,
    opened_jobs,
    print_outcome,
)
from whet.cli.job.request import JobWanted, agreed, checked, requested
from whet.cli.job.states import StateWords
from whet.cli.options import fail, say
from whet.core.bilingual import Both
from whet.core.errors import Draining, NotFound, WhetError
from whet.core.job import Job
from whet.core.naming import short


class RunWords(StateWords):
    """What is said of working at a job and of waiting for it."""

    cached = Both(
        "Just the same was done before, and this is what it came to; --no-cache does it anew.",
        "之前做过完全相同的作业，这里给出其结果；--no-cache 重新执行。",
    )
    files = Both("files: {path}", "文件：{path}")
    stopped = Both("stopped; job {job} is cancelled", "已停止；作业 {job} 已取消")
    still = Both(
        "no longer waiting; job {job} is {state}: {command}",
        "不再等待；作业 {job} {state}：{command}",
    )
    not_yet = Both(
        "job {job} is {state} after {seconds:g} s", "{seconds:g} 秒后作业 {job} 仍为：{state}"
    )


JobOrBatch = Annotated[
    str, typer.Argument(help="A job or a batch: " + JOB[0].lower() + JOB[1:], metavar="ID")
]
Timeout = Annotated[float | None, typer.Option(help="Give up after so many seconds.", min=0)]


def run(call: Call, wanted: JobWanted, out: Out = None, force: Force = False) -> None:
    """Do a job in this process, from its request to its files."""
    if out is not None:
        check_folder(out, force=force)
    words = RunWords(call.language)
    with opened_jobs(call.settings) as office:
        expiry.sweep(office)
        request = requested(office, wanted)
        checked(office, request)
        agreed(office, request, [request.wanted], yes=wanted.yes)
        if out is not None:
            make_folder(out)
        job = create(office, request.wanted, None, request.at_hand, claims=True)
        try:
            if job.cache_hit:
                typer.echo(words.cached, err=True)
            job = Foreground(office, owns=True).to_its_end(job)
        except KeyboardInterrupt:
            cancel.drop(office, job.request_id)
            fail(words.stopped.format(job=short(job.request_id)), INTERRUPTED)
        except Draining as drained:
            _left(call, office, job, drained.exit_code)
        files, trouble = _delivered(call, office, job, out)
        print_outcome(call, job, files)
        if trouble is not None:
            fail(str(trouble), trouble.exit_code)
        end(call, job)


@when_stopped("no longer waiting; the job is still there")
def wait(call: Call, job: JobOrBatch, timeout: Timeout = None) -> None:
    """Wait for a job or a batch."""
    with opened_jobs(call.settings) as office:
        expiry.sweep(office)
        try:
            found = office.find(job)
        except NotFound as error:
            try:
                batch_id = batch.find(office.app, job)
            except NotFound:
                raise error from None
            wait_for_batch(call, office, batch_id, timeout)
        else:
            wait_for(call, office, found, timeout)


def wait_for(call: Call, office: Office, job: Job, timeout: float | None = None) -> None:
    """Wait for a job, and do it where nobody else does; say what it came to."""
    try:
        job = Foreground(office, owns=False).to_its_end(job, timeout)
    except KeyboardInterrupt:
        _left(call, office, job, INTERRUPTED)
    except Draining as drained:
        _left(call, office, job, drained.exit_code)
    print_outcome(call, job, {})
    if job.state in ("queued", "running"):
        words = RunWords(call.language)
        shown = {"job": short(job.request_id), "state": words.states[job.state]}
        say(words.not_yet.format(**shown, seconds=timeout or 0))
        raise typer.Exit(UNSUCCESSFUL)
    end(call, job)


def _left(call: Call, office: Office, job: Job, code: int) -> None:
    """Say how to go on with a job that this process does not wait for any more."""
    words = RunWords(call.language)
    state = words.states[office.get(job.request_id).state]
    again = job_command(call, "wait", job.request_id)
    fail(words.still.format(job=short(job.request_id), state=state, command=again), code)


def _delivered(
    call: Call, office: Office, job: Job, out: Path | None
) -> tuple[dict[str, str], WhetError | None]:
    """Put the files where somebody wants them, and say where they are; what goes wrong with that
    takes nobody the result."""
    artifacts = job.result.artifacts if job.result else ()
    if not artifacts:
        return {}, None
    where = office.places.run(job.run_id)
    found = {each.path: str(where / each.path) for each in artifacts}
    where, trouble = where / "artifacts", None
    if out is not None:
        try:
            found, where = deliver(office, job, out), out
        except WhetError as error:
            trouble = error
    typer.echo(RunWords(call.language).files.format(path=line(str(where), 4096)), err=True)
    return found, trouble
