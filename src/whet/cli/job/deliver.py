"""Files that a job delivered, into a folder that somebody names."""

from pathlib import Path

from whet.app.jobs.office import Office
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.files import inside
from whet.core.job import Job
from whet.curate.places import is_behind_link
from whet.documents.files import reason, write_atomic

PREFIX = "artifacts/"


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise ``UsageError`` unless files can be put there: their names are the agent's choice, so
    none of those that are there is replaced unless somebody says so."""
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"--out {folder}: is no folder")
        if folder.is_dir() and not force and any(folder.iterdir()):
            raise UsageError(f"--out {folder}: is not empty; choose another, or use --force")
    except OSError as error:
        raise EnvironmentProblem(f"cannot use {folder}: {reason(error)}") from error


def make_folder(folder: Path) -> None:
    """Make it before the work is done: whoever cannot write there hears of it in time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"cannot use {folder}: {reason(error)}") from error


def deliver(office: Office, job: Job, folder: Path) -> dict[str, str]:
    """Write the files of a job below *folder*, without the ``artifacts/`` of their paths; where
    each of them is. Links are not written through."""
    found: dict[str, str] = {}
    make_folder(folder)
    try:
        top = folder.absolute()
        for artifact in job.result.artifacts if job.result else ():
            path = top / inside(artifact.path.removeprefix(PREFIX))
            if is_behind_link(path.parent, top):
                raise UsageError(f"{path.parent} is behind a link, which is not followed")
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, office.app.store.blobs.get(artifact.digest), durable=False)
            found[artifact.path] = str(path)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write into {folder}: {reason(error)}") from error
    return found
