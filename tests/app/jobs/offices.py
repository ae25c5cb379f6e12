"""An office of jobs on a fresh workspace, and packages for it."""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pydantic import JsonValue

from tests.app.opening import app_on
from whet.app.jobs.dispatch import carry_out
from whet.app.jobs.office import Office
from whet.app.library.library import library
from whet.app.packages.packages import Packages
from whet.core.job import Job
from whet.documents.job import JobCreate

EXAMPLE = Path(__file__).parents[3] / "examples" / "text-report"
TEXT = "The Rhine is long. Ships use the Rhine.\n"


@contextmanager
def office_on(workspace: Path, *, installs: bool = True) -> Generator[Office]:
    """As a command has it, with the example installed unless it is not wanted."""
    with app_on(workspace) as app, library(workspace, "skill") as shelf:
        if installs:
            Packages(shelf, app.parts.engines()).install(EXAMPLE)
        yield Office(app, lambda: shelf)


def wanted(**more: JsonValue) -> JobCreate:
    """A request for the example that is fine but for its file."""
    whole: dict[str, JsonValue] = {
        "skill_id": "text-report",
        "engine": "simulated",
        "input": {"title": "Rivers"},
        **more,
    }
    return JobCreate.parse(whole, "test")


def done(office: Office, job: Job) -> Job:
    """The job after all that is to be done for it here."""
    return asyncio.run(carry_out(office, job.request_id))


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def package_at(folder: Path, name: str) -> Path:
    """A skill that says nothing of what it takes."""
    text = f"---\nname: {name}\ndescription: Says what it is asked to say.\n---\nSay it.\n"
    return write(folder / name, {"SKILL.md": text})
