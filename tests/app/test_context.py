"""Long conversations of a project: estimated, warned of, kept for some days."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import WithEngine
from tests.app.test_evals_legs import Telling
from tests.run.agents import answers
from whet.app.app import App
from whet.app.context import MOST_EXPORTS
from whet.app.experiments import Experiments
from whet.app.parts import InstalledParts
from whet.app.projects.copies import clone
from whet.app.projects.create import create_project
from whet.app.projects.requests import ContextWish
from whet.app.projects.status import status
from whet.core.errors import UsageError
from whet.core.tokens import estimate
from whet.documents.result import CaseResult
from whet.documents.settings import TempSession
from whet.evaluate.project import Project


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def ran(app: App, context: ContextWish) -> Project:
    project = create_project(app, COMPARISON.model_copy(update={"context": context}))
    asyncio.run(Experiments(app).run(project))
    return project


def results(project: Project) -> list[CaseResult]:
    return [CaseResult.load(path) for path in sorted(project.folder.glob("results/*/case_*.json"))]


def kept(workspace: Path) -> list[TempSession]:
    folder = workspace / "cli/temp_session"
    return [TempSession.load(path) for path in sorted(folder.glob("*.json"))]


def warnings(app: App, project: Project) -> list[dict[str, object]]:
    events = app.store.events.since(0, project.config.id)
    return [dict(event.data) for event in events if event.kind == "context.warning"]


def test_short_conversations_are_counted_and_left_alone(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = ran(app, ContextWish())
        assert warnings(app, project) == []
        run = status(app, project).run
        assert run is not None
        assert run.long_conversations == 0
    found = results(project)
    assert len(found) == 8
    assert all((one.estimated_tokens or 0) > 0 for one in found)
    assert {one.context_risk for one in found} == {"normal"}
    assert not (workspace / "cli/temp_session").exists()


def test_a_conversation_beyond_the_threshold_is_warned_of_and_kept(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = ran(app, ContextWish(token_threshold=10))
        told = warnings(app, project)
        run = status(app, project).run
        assert run is not None
        assert run.long_conversations == len(told) == 8
    by_place = {(one["arm"], one["case"], one["attempt"]): one for one in told}
    [session] = kept(workspace)
    assert (session.purpose, session.related_target_id) == ("project_test", project.config.id)
    assert session.status == "closed"
    assert len(session.context_exports) == 8
    for result in results(project):
        place = (f"{result.skill_id[:8]}_v1", result.case_id, result.attempt)
        warning = by_place[place]
        assert result.context_risk == "critical"
        assert warning["estimated_tokens"] == result.estimated_tokens
        assert warning["auto_action_taken"] == "export"
        name = result.case_id + ("" if result.attempt == 1 else f".run-{result.attempt}")
        [export] = [
            path
            for path in session.context_exports
            if f"/{place[0]}/" in path and path.endswith(f"/{name}.md")
        ]
        text = (workspace / export).read_text()
        assert result.input in text
        assert result.actual_output in text


def test_near_the_threshold_is_a_warning_and_no_file(workspace: Path) -> None:
    with app_on(workspace) as app:
        largest = max(one.estimated_tokens or 0 for one in results(ran(app, ContextWish())))
        project = ran(app, ContextWish(token_threshold=largest))
        told = warnings(app, project)
    # The answers are those of the first project: nothing was run, nothing is warned of again.
    assert told == []
    assert "critical" in {one.context_risk for one in results(project)}
    assert kept(workspace) == []


def test_they_are_kept_only_where_that_is_wanted(workspace: Path) -> None:
    with app_on(workspace) as app:
        project = ran(app, ContextWish(token_threshold=10, auto_export=False))
        assert {one["auto_action_taken"] for one in warnings(app, project)} == {None}
        assert kept(workspace) == []
        more = {"context": ContextWish(token_threshold=10), "repeats": 3}
        asyncio.run(Experiments(app).run(create_project(app, COMPARISON.model_copy(update=more))))
    [session] = kept(workspace)
    assert len(session.context_exports) == 4, "what was reused was told of before"


@pytest.mark.slow
def test_files_of_one_run_are_limited(workspace: Path) -> None:
    with app_on(workspace) as app:
        many = {"context": ContextWish(token_threshold=1), "repeats": 30}
        project = create_project(app, COMPARISON.model_copy(update=many))
        asyncio.run(Experiments(app).run(project))
        assert len(warnings(app, project)) == 120
    [session] = kept(workspace)
    assert len(session.context_exports) == MOST_EXPORTS


def test_an_estimate_counts_what_was_said(workspace: Path) -> None:
    with app_on(workspace) as app:
        for one in results(ran(app, ContextWish())):
            assert (one.estimated_tokens or 0) >= estimate(one.input) + estimate(one.actual_output)


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
        assert not silent.config.context_config.auto_compress, "nobody told the agent to"
        assert silent.config.cli_config.options is None, "agents look after that themselves"
        assert clone(mine, silent, "", newest=False).config.cli_config.options is None
        with pytest.raises(UsageError, match="simulated cannot be told when to compress"):
            create_project(app, asked.model_copy(update={"engine": "simulated"}))
