"""Long conversations of projects: estimated, told of, written out, or compressed by the agent."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import WithEngine
from tests.app.test_evals_legs import Telling
from tests.run.agents import answers
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.parts import InstalledParts
from whet.app.projects.copies import clone
from whet.app.projects.create import ContextWish, create_project
from whet.core.errors import UsageError
from whet.evaluate.project import Project


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def carried_out(app: App, **wish: Any) -> Project:
    change = {"context": ContextWish(**wish), "judges": ("simulated",)}
    project = create_project(app, COMPARISON.model_copy(update=change))
    asyncio.run(Experiments(app).run(project))
    return project


def told(project: Project) -> dict[str, dict[str, Any]]:
    folder = project.folder / "results"
    files = (path for path in folder.glob("*/*.json"))
    return {str(path.relative_to(folder)): json.loads(path.read_text()) for path in files}


def warnings(app: App, project: Project) -> list[Any]:
    events = app.store.events.since(0, project.config.id)
    return [event.data for event in events if event.kind == "context.exceeded"]


def test_every_result_has_an_estimate(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = carried_out(app)
        for result in told(project).values():
            said = len(result["input"]) + len(result["actual_output"])
            assert result["context_tokens"] >= said / 4, "what tools were told is in it too"
            assert "context_exceeded" not in result
        assert not (project.folder / "contexts").exists()
        assert warnings(app, project) == []


def test_a_long_conversation_is_told_of_and_written_out(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = carried_out(app, token_threshold=5)
        results = told(project)
        assert len(results) == 8
        for place, result in results.items():
            assert result["context_exceeded"] is True
            assert result["context_export"] == f"contexts/{place}"
            log = json.loads((project.folder / result["context_export"]).read_text())
            assert log["trial_address"] == result["trial_address"]
            assert log["final_answer"] == result["actual_output"]
        events = warnings(app, project)
        assert len(events) == 8
        assert {event["token_threshold"] for event in events} == {5}
        assert all(event["exported"] and event["context_tokens"] > 5 for event in events)

        lost = project.folder / results.popitem()[1]["context_export"]
        lost.unlink()
        asyncio.run(Experiments(app).run(project))
        assert lost.exists(), "as every projection it comes back"
        assert len(warnings(app, project)) == 8, "nobody is warned of the same thing twice"


def test_it_is_written_out_only_where_that_is_wanted(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = carried_out(app, token_threshold=5, auto_export=False)
        for result in told(project).values():
            assert result["context_exceeded"] is True
            assert "context_export" not in result
        assert not (project.folder / "contexts").exists()


def test_compressing_is_the_agents_work(workspace: Path) -> None:
    wish = ContextWish(token_threshold=120_000, auto_compress=True)
    able = Telling([answers], abilities=frozenset({"compact"}))
    with app_on(workspace) as app:
        mine = replace(app, parts=WithEngine(able, InstalledParts(app.settings.machine)))
        asked = COMPARISON.model_copy(
            update={"engine": "hand", "context": wish, "judges": ("simulated",)}
        )
        project = create_project(mine, asked)
        assert project.config.cli_config.options == {"compact_tokens": 120_000}
        copy = clone(mine, project, "Copy", newest=False)
        assert copy.config.cli_config.options == {"compact_tokens": 120_000}
        assert copy.config.context_config == project.config.context_config

        silent = create_project(mine, asked.model_copy(update={"context": ContextWish()}))
        assert silent.config.context_config.auto_compress, "as configured"
        assert silent.config.cli_config.options is None, "agents look after that themselves"
        assert clone(mine, silent, "", newest=False).config.cli_config.options is None
        with pytest.raises(UsageError, match="simulated cannot be told when to compress"):
            create_project(app, asked.model_copy(update={"engine": "simulated"}))
