"""The office of jobs as a command has it, and what to type next."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from whet.app.app import opened
from whet.app.jobs.office import Office
from whet.app.library.library import Library, library
from whet.app.runs.service import RunService
from whet.app.settings import Settings
from whet.cli.asset_output import command
from whet.core.job import Job
from whet.core.naming import short
from whet.evaluate.review import printable


@contextmanager
def office_of(settings: Settings) -> Generator[Office]:
    """The jobs of a workspace; its library is opened when somebody looks for a skill."""
    with ExitStack() as stack:
        app = stack.enter_context(opened(settings))

        @cache
        def skills() -> Library:
            return stack.enter_context(library(settings.workspace, "skill"))

        yield Office(app, skills)


def hint(verb: str, request_id: str, workspace: Path | None, more: str = "") -> str:
    """A command for a job, by the beginning of its id."""
    words = f"job {verb} {short(request_id)} {more}".rstrip()
    return printable(command(words, workspace))


def is_abandoned(office: Office, job: Job) -> bool:
    """Whether a job is said to be running while its process is gone."""
    run = RunService(office.app).find(job.request_id)
    return job.state == "running" and (run is None or run.status == "interrupted")
