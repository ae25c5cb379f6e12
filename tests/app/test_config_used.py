"""What ``cli/config.json`` says is used wherever a person names nothing."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.app.evaluating import TRIALS, planned, run, skill, writes_python
from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import app_with, hand
from tests.evaluate.triggering import wants, write_queries, write_skill
from tests.run.agents import ends, now
from whet.app.app import App
from whet.app.config import Defaults, agree_to_program, defaults, path_of
from whet.app.doctor import EngineReport, engine_report
from whet.app.evals import Evals
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.trigger_plan import TriggerRequest
from whet.app.trigger_plan import plan as trigger_plan
from whet.core.errors import EngineFailure, EnvironmentProblem, UnknownPart
from whet.core.failure import Failure
from whet.core.step import Said, Step
from whet.core.trial import TrialSpec
from whet.documents.project import ContextConfig
from whet.ports.workdir import Workdir


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def put(workspace: Path, value: object) -> None:
    path = path_of(workspace)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def held_by(workspace: Path, value: object = None, **environment: str) -> Defaults:
    if value is not None:
        put(workspace, value)
    with app_on(workspace, **environment) as app:
        return defaults(app)


def test_defaults_of_an_empty_workspace(workspace: Path) -> None:
    found = held_by(workspace)
    context = ContextConfig(token_threshold=80_000, auto_compress=False)
    assert found == Defaults("simulated", "", "claude", None, 2, 7.0, context)


def test_a_model_is_for_the_engine_that_the_file_speaks_of(workspace: Path) -> None:
    old = held_by(
        workspace,
        {
            "cli_path": "/opt/bin/claude",
            "default_model": "claude-opus-4-6",
            "default_timeout_seconds": 60,
        },
    )
    assert (old.engine, old.timeout_seconds) == ("simulated", 60)
    assert old.model_for("claude") == "claude-opus-4-6"
    assert old.model_for("codex") == ""
    new = held_by(workspace, {"default_engine": "codex", "default_model": "gpt-5"})
    assert (new.model_for("codex"), new.model_for("claude")) == ("gpt-5", "")
    assert new.filling(None, (), None) == {
        "engines": ("codex",),
        "models": ("codex:gpt-5",),
        "timeout_seconds": None,
    }
    named = new.filling(("claude", "codex"), (), 5)
    assert named["models"] == ("codex:gpt-5",)
    assert named["timeout_seconds"] == 5
    assert new.filling((), ("m",), None)["engines"] == ()
    every = held_by(workspace, WHET_DEFAULT_MODEL="m")
    assert (every.model_for("codex"), every.model_for("claude")) == ("m", "m")


def _script(path: Path, version: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {version}\n")
    path.chmod(0o755)
    return path


def claude_report(workspace: Path, path: str, name: str = "claude") -> EngineReport:
    with app_on(workspace, PATH=path) as app:
        return engine_report(app.parts, name)


def put_here(workspace: Path, values: dict[str, JsonValue]) -> None:
    """As a person sets them on this machine."""
    put(workspace, values)
    with app_on(workspace) as app:
        agree_to_program(app.settings)


def test_a_program_that_nobody_set_here_is_not_started(workspace: Path, tmp_path: Path) -> None:
    """The file may have come with a stranger's workspace."""
    for said in (str(_script(tmp_path / "opt/claude", "6.6.6")), "claude-next"):
        put(workspace, {"cli_path": said})
        _script(tmp_path / "bin/claude-next", "6.6.6")
        found = claude_report(workspace, f"{tmp_path / 'bin'}:/usr/bin:/bin")
        assert (found.installed, found.version) == (False, None)
        assert f"whet config set cli_path={said}" in str(found.problem)
        assert found.fix is None, "installing the usual program would not help"


def test_cli_path_is_the_program_of_claude(workspace: Path, tmp_path: Path) -> None:
    usual = _script(tmp_path / "bin/claude", "1.0.0")
    other = _script(tmp_path / "opt/claude-dev", "2.0.0")
    path = f"{tmp_path / 'bin'}:/usr/bin:/bin"
    found = claude_report(workspace, path)
    assert (found.version, found.program, found.program_setting) == ("1.0.0", str(usual), None)
    put_here(workspace, {"cli_path": str(other)})
    found = claude_report(workspace, path)
    assert (found.installed, found.version, found.program) == (True, "2.0.0", str(other))
    assert found.program_setting == "cli_path"
    _script(tmp_path / "bin/claude-next", "3.0.0")
    put_here(workspace, {"cli_path": "claude-next"})
    assert claude_report(workspace, path).version == "3.0.0"
    # It is looked at anew: an app that is open takes the next one too.
    with app_on(workspace, PATH=path) as app:
        assert app.parts.engine("claude").version({}) == "3.0.0"
        put_here(workspace, {"cli_path": "claude"})
        assert app.parts.engine("claude").version({}) == "1.0.0"


def test_cli_path_of_another_program_is_for_its_engine(workspace: Path, tmp_path: Path) -> None:
    codex = _script(tmp_path / "opt/codex", "4.0.0")
    put_here(workspace, {"cli_path": str(codex), "default_model": "m"})
    path = f"{_script(tmp_path / 'bin/claude', '1.0.0').parent}:/usr/bin:/bin"
    assert claude_report(workspace, path).version == "1.0.0"
    assert claude_report(workspace, path, "codex").program == str(codex)
    assert held_by(workspace).model_for("codex") == "m"


def test_cli_path_that_cannot_be_is_told_with_its_fix(workspace: Path, tmp_path: Path) -> None:
    inside = _script(workspace / "evil", "6.6.6")
    link = tmp_path / "link"
    link.symlink_to(inside)
    for said, why in (
        (str(tmp_path / "gone"), "is no program"),
        ("bin/claude", "is no absolute path"),
        (str(inside), "lies in the workspace"),
        (str(link), "lies in the workspace"),
        (f"{tmp_path}/x/../workspace/evil", "lies in the workspace"),
    ):
        put_here(workspace, {"cli_path": said})
        found = claude_report(workspace, "/usr/bin:/bin")
        assert (found.installed, found.version) == (False, None)
        assert why in str(found.problem)
        assert said in str(found.problem)
        assert "whet config set cli_path=claude" in str(found.problem)
        with (
            app_on(workspace, PATH="/usr/bin:/bin") as app,
            pytest.raises(EnvironmentProblem, match=why),
        ):
            app.parts.engine("claude").version({})


def app_of(workspace: Path, **values: JsonValue) -> Any:
    put(workspace, values)
    return app_with(workspace, hand(writes_python))


HAND: dict[str, JsonValue] = {
    "default_engine": "hand",
    "default_model": "vendor/m:1",
    "default_timeout_seconds": 33,
    "default_retry_count": 0,
}


def test_evals_take_what_nobody_named(workspace: Path, tmp_path: Path) -> None:
    knives = skill(tmp_path)

    def legs(app: App, **request: Any) -> tuple[list[str], float]:
        made = planned(app, knives, judges=("simulated",), **request)
        cases = [case for leg in made.legs for case in leg.design.cases]
        [seconds] = {case.stimulus.limits.timeout_seconds for case in cases}
        return [leg.name for leg in made.legs], seconds

    with app_of(workspace, **HAND) as app:
        assert legs(app) == (["hand:vendor/m:1"], 33)
        assert legs(app, models=("other",)) == (["hand:other"], 33)
        assert legs(app, engines=("simulated",)) == (["simulated:simulated"], 33)
        assert legs(app, timeout_seconds=44) == (["hand:vendor/m:1"], 44)
    put(workspace, {})
    with app_on(workspace) as app:
        assert legs(app) == (["simulated:simulated"], 60)


def test_evals_start_an_agent_as_often_as_is_configured(workspace: Path, tmp_path: Path) -> None:
    put(workspace, {"default_retry_count": 0})
    agent = hand(ends(Failure.RATE_LIMIT))
    with app_with(workspace, agent) as app:
        run(app, skill(tmp_path), engines=("hand",), judges=("simulated",))
    assert len(agent.starts) == TRIALS


def test_a_run_keeps_what_it_was_started_with(workspace: Path, tmp_path: Path) -> None:
    """Its request is stored with what held then, so that it can be resumed under other values."""
    knives = skill(tmp_path)
    with app_on(workspace) as app:
        first = run(app, knives).plan
        put(workspace, {"default_engine": "replay", "default_timeout_seconds": 99})
        stored = Evals(app).get(first.id).request
        assert planned(app, knives, **stored.model_dump(exclude={"skill"})).id == first.id


def test_triggers_take_what_nobody_named(workspace: Path, tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "own", "tidy-up", "Cleans spreadsheets.")
    write_queries(folder, [*wants("Repair it", "Mend it")])

    def leg(app: App, **request: Any) -> tuple[str, float]:
        made = trigger_plan(app, TriggerRequest(skill=folder, **request))
        [found] = made.legs
        [seconds] = {case.stimulus.limits.timeout_seconds for case in found.design.cases}
        assert made.request.patience == seconds
        return found.name, seconds

    with app_of(workspace, **HAND) as app:
        assert leg(app) == ("hand:vendor/m:1", 33)
        assert leg(app, engines=("simulated",), timeout_seconds=7) == ("simulated:simulated", 7)
    put(workspace, {})
    with app_on(workspace) as app:
        assert leg(app) == ("simulated:simulated", 120)


def test_projects_take_what_nobody_named(workspace: Path) -> None:
    fill(workspace)
    with app_of(workspace, **HAND) as app:
        config = create_project(app, COMPARISON).config.cli_config
        assert (config.engine, config.model) == ("hand", "vendor/m:1")
        assert (config.timeout_seconds, config.retry_count) == (33, 0)
        named = COMPARISON.model_copy(update={"engine": "simulated", "timeout_seconds": 5.0})
        config = create_project(app, named).config.cli_config
        assert (config.engine, config.model, config.timeout_seconds) == (
            "simulated",
            "simulated",
            5,
        )
    with app_of(workspace, default_engine="simulated", default_model="opus") as app:
        assert create_project(app, COMPARISON).config.cli_config.model == "simulated"
    put(workspace, {})
    with app_on(workspace) as app:
        config = create_project(app, COMPARISON).config.cli_config
    assert (config.engine, config.timeout_seconds, config.retry_count) == ("simulated", 60, 2)


def test_all_that_a_project_says_of_its_agents_reaches_them(workspace: Path) -> None:
    """Also its retries: what is stored and never used would be a lie in every report."""
    asked: list[TrialSpec] = []

    async def crashes(spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        asked.append(spec)
        yield Said(now(), "I begin.")
        raise EngineFailure(Failure.CRASH, "gone")

    fill(workspace)
    wish = {"engine": "hand", "model": "m", "judges": ("simulated",), "repeats": 1}
    wish |= {"retries": 3, "timeout_seconds": 7.5, "extra_flags": ("--fast",)}
    with app_with(workspace, hand(crashes)) as app:
        project = create_project(app, COMPARISON.model_copy(update=wish))
        asyncio.run(Experiments(app).run(project))
    assert Counter(spec.address for spec in asked).most_common() == [
        (address, 1 + 3) for address in dict.fromkeys(spec.address for spec in asked)
    ]
    assert {(spec.model, spec.stimulus.limits.timeout_seconds) for spec in asked} == {("m", 7.5)}
    assert all(spec.options == {"extra_flags": ["--fast"]} for spec in asked)


def test_an_engine_that_is_gone_is_said(workspace: Path) -> None:
    fill(workspace)
    put(workspace, {"default_engine": "gone"})
    with app_on(workspace) as app, pytest.raises(UnknownPart, match="unknown engine 'gone'"):
        create_project(app, COMPARISON)
