"""A workspace with projects and jobs of somebody else, taken over or simply copied."""

import asyncio
import shutil
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.bundling import bundle
from tests.app.jobs.offices import done, wanted
from tests.security.attacks import SECRETS, office_with, package, project_in, user_on
from whet.app.clock import SystemClock
from whet.app.experiments import Experiments
from whet.app.jobs.create import create
from whet.app.projects.requests import ProjectListing
from whet.app.projects.shelf import ProjectShelf
from whet.core.errors import ConsentNeeded, WhetError
from whet.curate.original.workspace import import_workspace


@pytest.mark.parametrize("way", ["imported", "copied"])
@pytest.mark.parametrize("version", ["", None])
def test_a_project_of_a_workspace_runs_a_shell(
    tmp_path: Path, way: str, version: str | None
) -> None:
    mark, here = tmp_path / "started", tmp_path / "here"
    there = here if way == "copied" else tmp_path / "stranger"
    change = {
        "cli_config__engine": "command",
        "cli_config__engine_version": version,
        "cli_config__sandbox": "none",
        "cli_config__options": {"argv": ["/bin/sh", "-c", f"touch {mark}"]},
    }
    project_in(there, bundle(tmp_path, trials=False), **change)
    if way == "imported":
        here.mkdir()
        import_workspace(there, here, SystemClock().now())
    with user_on(here, **SECRETS) as app:
        [project] = ProjectShelf(app).page(ProjectListing()).items
        with pytest.raises(WhetError, match="argv"):
            asyncio.run(Experiments(app).run(project))
    assert not mark.exists()


def test_a_queued_job_of_a_copied_database_runs_outside_the_sandbox(tmp_path: Path) -> None:
    """What a database says was agreed to elsewhere, if at all."""
    there, here = tmp_path / "there" / "workspace", tmp_path / "here" / "workspace"
    mark = tmp_path / "started"
    options: JsonValue = {"argv": ["/bin/sh", "-c", f"touch {mark}"]}
    plain = package(tmp_path, "report")
    asked = wanted(
        skill_id="report",
        engine="command",
        input={},
        runtime_options={"engine_options": options},
    )
    with user_on(there, WHET_SANDBOX="off") as app, office_with(app, plain) as office:
        job = create(office, asked)  # the stranger's own machine, where it was typed
    shutil.copytree(there, here)
    with user_on(here, WHET_SANDBOX="auto") as app, office_with(app) as office:
        after = done(office, office.get(job.request_id))
    assert after.state == "failed"
    assert not mark.exists()


def test_an_adopted_project_runs_in_the_sandbox_of_this_machine(tmp_path: Path) -> None:
    here = tmp_path / "here"
    options: dict[str, JsonValue] = {"argv": ["/bin/echo", "hello"]}
    change = {
        "cli_config__engine": "command",
        "cli_config__engine_version": None,
        "cli_config__sandbox": "none",
        "cli_config__options": options,
    }
    project_in(here, bundle(tmp_path, trials=False), **change)
    with user_on(here) as app:
        [project] = ProjectShelf(app).page(ProjectListing()).items
        with pytest.raises(ConsentNeeded, match=f"whet project adopt {project.config.id}"):
            asyncio.run(Experiments(app).run(project))
        app.access.give("command", options)
        asyncio.run(Experiments(app).run(project))
        used = {record.sandbox for record in app.store.ledger.latest(100)}
        assert app.access.sandbox() in used
        assert "none" not in used or app.access.sandbox() == "none"
