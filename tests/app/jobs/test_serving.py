"""What is queued is left to a server, as long as there is one."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.app.jobs.offices import TEXT, office_on, wanted
from whet.app.jobs import cancel
from whet.app.jobs.create import AtHand, create
from whet.app.jobs.dispatch import Dispatcher, carry_on, carry_out
from whet.app.jobs.office import Office
from whet.app.jobs.serving import announce, is_served, withdraw
from whet.core.job import Job


def made(office: Office, folder: Path, *, claims: bool = False) -> Job:
    path = folder / "rivers.txt"
    path.write_text(TEXT)
    asked = wanted(runtime_options={"no_cache": True})
    return create(office, asked, None, AtHand({"document": path}), claims=claims)


def owners(workspace: Path) -> list[str]:
    """Who started agents."""
    with closing(sqlite3.connect(f"file:{workspace}/whet.db?mode=ro", uri=True)) as database:
        return [owner for (owner,) in database.execute("SELECT owner FROM executions")]


def test_a_server_is_one_until_it_says_otherwise_or_is_gone(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with office_on(workspace) as here:
        assert not is_served(here.app)
        with office_on(workspace) as there:
            with there.app.store.transaction():
                announce(there.app)
            assert is_served(here.app)
            assert not is_served(there.app), "nobody is served by himself"
            with there.app.store.transaction():
                withdraw(there.app)
            assert not is_served(here.app)
            with there.app.store.transaction():
                announce(there.app)
        assert not is_served(here.app), "a process that is gone does nothing"


def test_what_is_queued_is_left_to_a_server(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"

    async def wait(here: Office, there: Office, job: Job) -> Job:
        serving = asyncio.create_task(Dispatcher(there).run())
        after = await carry_out(here, job.request_id)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return after

    with office_on(workspace) as here, office_on(workspace) as there:
        with there.app.store.transaction():
            announce(there.app)
        job = made(here, tmp_path)
        after = asyncio.run(wait(here, there, job))
        assert after.state == "succeeded"
        assert owners(workspace) == [there.app.owner.id]
        assert not is_served(here.app)


def test_nobody_else_does_a_claimed_job(tmp_path: Path) -> None:
    with office_on(tmp_path / "workspace") as office:
        job = made(office, tmp_path, claims=True)
        after = asyncio.run(carry_on(office, job))
        assert after.state == "succeeded"
        assert after.restarts == 0


def test_a_claimed_job_can_be_dropped_before_it_is_begun(tmp_path: Path) -> None:
    with office_on(tmp_path / "workspace") as office:
        job = made(office, tmp_path, claims=True)
        assert cancel.drop(office, job.request_id).state == "cancelled"
        queued = made(office, tmp_path)
        assert cancel.drop(office, queued.request_id).state == "cancelled"


def test_a_job_of_another_process_is_only_asked_to_end(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with office_on(workspace) as here, office_on(workspace) as there:
        job = made(there, tmp_path, claims=True)
        dropped = cancel.drop(here, job.request_id)
        assert (dropped.state, dropped.wants_cancel) == ("running", True)
