"""Unfinished runs and jobs in a workspace of somebody else: whoever serves it pays for them."""

import asyncio
import shutil
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.app.jobs.offices import wanted
from tests.app.opening import allow
from tests.app.recording import app_with, hand
from tests.run.agents import now
from tests.security.attacks import office_with
from tests.security.test_secrets_at_rest import report
from whet.app.app import App
from whet.app.jobs.create import create
from whet.app.jobs.dispatch import Dispatcher
from whet.app.runs.claim import RunClaim
from whet.app.runs.service import RunService
from whet.core.budget import NO_LIMITS, Purse
from whet.core.job import Job
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.ports.workdir import Workdir

RUN = "a-run"


def begun(app: App, identity: str) -> RunClaim:
    """A run as a server begins it."""
    service = RunService(replace(app, door="server"))
    return service.claim(service.new(identity, "project", "Of somebody", Purse(NO_LIMITS)))


async def paid(_spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
    yield Ended(now(), "{}")


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """A workspace whose server ended in the middle of a run, with a job in its queue."""
    workspace = tmp_path / "there" / "workspace"
    with app_with(workspace, hand(paid)) as app, office_with(app, report(tmp_path)) as office:
        create(office, wanted(skill_id="report", engine="hand", input={}))
        begun(app, RUN)
    return workspace


@pytest.fixture
def here(there: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(there, tmp_path / "here" / "workspace"))


def serve(app: App, seconds: float = 1.0) -> Job:
    """Do for a while what a server does by itself; the first of its jobs after that."""
    app = replace(app, door="server")
    with office_with(app) as office:

        async def serving() -> None:
            task = asyncio.create_task(Dispatcher(office).run())
            await asyncio.sleep(seconds)
            task.cancel()
            await asyncio.wait({task})

        asyncio.run(serving())
        return office.find("latest")


def test_a_copied_workspace_goes_on_by_itself(here: Path) -> None:
    for _ in range(2):  # also when something of our own was begun meanwhile
        with app_with(here, hand(paid)) as app:
            assert not RunService(app).take_left_behind()
            assert serve(app).state == "queued"
            begun(app, "ours").end("completed")


def test_after_consent_it_goes_on(here: Path) -> None:
    with app_with(here, hand(paid)) as app:
        question = app.foreign.remark()
        assert question.startswith("2 unfinished runs and jobs")
        app.access.give_code(question.split()[-3], "what came along")
        assert [run.id for run in RunService(app).take_left_behind()] == [RUN]
        assert serve(app).is_over
        assert app.foreign.remark() == ""


def test_a_policy_that_names_engines_replaces_consent(here: Path) -> None:
    allow(here, engines=["hand"])
    with app_with(here, hand(paid)) as app:
        assert [run.id for run in RunService(app).take_left_behind()] == [RUN]
        assert serve(app).is_over


def test_what_was_begun_here_goes_on(there: Path) -> None:
    with app_with(there, hand(paid)) as app:
        assert app.foreign.remark() == ""
        assert [run.id for run in RunService(app).take_left_behind()] == [RUN]
        assert serve(app).is_over


def test_our_own_jobs_are_not_kept_waiting_by_many_of_a_stranger(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whet.app.jobs.dispatch.LARGEST_PAGE", 1)
    with app_with(here, hand(paid)) as app, office_with(app) as office:
        ours = create(office, wanted(skill_id="report", engine="hand", input={}))
        serve(app)
        assert office.get(ours.request_id).is_over
