"""Jobs whose process is gone leave nothing behind when they end."""

import asyncio
from pathlib import Path

import pytest

from tests.app.jobs.offices import TEXT, office_on, wanted
from whet.app.jobs import cancel
from whet.app.jobs.create import AtHand, create
from whet.app.jobs.dispatch import carry_out
from whet.app.jobs.office import Office
from whet.core.job import Job


def left_by_a_dead_process(workspace: Path, folder: Path, on_restart: str) -> Job:
    """A running job, with what its turns left."""
    document = folder / "rivers.txt"
    document.write_text(TEXT)
    asked = wanted(runtime_options={"on_restart": on_restart})
    with office_on(workspace) as gone:
        job = create(gone, asked, None, AtHand({"document": document}), claims=True)
        (gone.places.turns(job.run_id) / "1").mkdir(parents=True)
    return job


@pytest.mark.parametrize("end", ["cancelled", "failed"])
def test_what_its_turns_left_goes_with_it(end: str, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    job = left_by_a_dead_process(workspace, tmp_path, "fail" if end == "failed" else "rerun")
    with office_on(workspace, installs=False) as office:
        after = asyncio.run(ended(office, job, end))
        assert after.state == end
        assert not office.places.turns(job.run_id).exists()


async def ended(office: Office, job: Job, end: str) -> Job:
    if end == "cancelled":
        return await cancel.cancel(office, job.request_id)
    return await carry_out(office, job.request_id)


def test_one_that_goes_on_keeps_it(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    job = left_by_a_dead_process(workspace, tmp_path, "rerun")
    with office_on(workspace, installs=False) as office:
        after = asyncio.run(carry_out(office, job.request_id))
        assert (after.state, after.restarts) == ("succeeded", 1)
