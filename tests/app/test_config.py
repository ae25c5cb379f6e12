"""``cli/config.json``: read, changed, and used wherever a person names nothing."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.app.evaluating import TRIALS, planned, run, skill, writes_python
from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import app_with, hand
from tests.evaluate.triggering import wants, write_queries, write_skill
from tests.run.agents import ends
from whet.app.app import App
from whet.app.config import (
    BUILT_IN,
    Configuration,
    Defaults,
    change,
    configuration,
    defaults,
    path_of,
)
from whet.app.evals import Evals
from whet.app.parts import InstalledParts
from whet.app.projects import create_project
from whet.app.settings import Settings, read
from whet.app.trigger_plan import TriggerRequest
from whet.app.trigger_plan import plan as trigger_plan
from whet.core.errors import EnvironmentProblem, InvalidDocument, UnknownPart, UsageError
from whet.core.failure import Failure
from whet.documents.settings import CliSettings

NOW = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
ORIGINAL: dict[str, JsonValue] = {
    "cli_path": "claude",
    "default_model": "claude-opus-4-6",
    "default_timeout_seconds": 60,
    "default_retry_count": 2,
    "temp_session_ttl_days": 7,
    "context": {"token_threshold": 80000, "auto_compress": True, "auto_export": True},
    "updated_at": "2024-01-01T00:00:00Z",
}
"""As the program that the format comes from writes it."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def settings(workspace: Path, **environment: str) -> Settings:
    return read(workspace, {"WHET_SCRATCH": str(workspace.with_name("scratch")), **environment})


def put(workspace: Path, value: object) -> Path:
    path = path_of(workspace)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def changed(workspace: Path, **changes: JsonValue) -> Configuration:
    given_ = {key.replace("__", "."): value for key, value in changes.items()}
    held = settings(workspace)
    return change(held, InstalledParts(held.machine), given_, NOW)


def told(found: Configuration) -> dict[str, tuple[JsonValue, str]]:
    return {key: (one.value, one.source) for key, one in found.values.items()}


def test_without_a_file_all_is_built_in(workspace: Path) -> None:
    found = configuration(settings(workspace))
    assert told(found) == {key: (value, "built-in") for key, value in BUILT_IN.items()}
    assert (found.exists, found.updated_at) == (False, None)
    assert not workspace.exists(), "looking makes nothing"


def test_the_environment_beats_the_file_and_that_what_is_built_in(workspace: Path) -> None:
    put(workspace, {"default_engine": "codex", "default_retry_count": 4, "context": {}})
    found = told(
        configuration(
            settings(
                workspace,
                WHET_DEFAULT_RETRY_COUNT="5",
                WHET_DEFAULT_TIMEOUT_SECONDS="1.5",
                WHET_DEFAULT_MODEL="7",
                WHET_DEFAULT_ENGINE="",
            )
        )
    )
    assert found["default_engine"] == ("codex", "file")
    assert found["default_retry_count"] == (5, "environment")
    assert found["default_timeout_seconds"] == (1.5, "environment")
    assert found["default_model"] == ("7", "environment")
    assert found["context.auto_export"] == (True, "built-in")


BROKEN: dict[str, tuple[object, str]] = {
    "no json": ("{", "broken JSON"),
    "no object": ([1], "must be an object"),
    "text for number": ({"default_timeout_seconds": "60"}, "default_timeout_seconds"),
    "truth for number": ({"default_retry_count": True}, "default_retry_count"),
    "fraction": ({"default_retry_count": 1.5}, "default_retry_count"),
    "negative": ({"default_retry_count": -1}, "default_retry_count"),
    "endless": ({"default_timeout_seconds": 1e300}, "default_timeout_seconds"),
    "never": ({"temp_session_ttl_days": 0}, "temp_session_ttl_days"),
    "nothing": ({"default_model": None}, "default_model"),
    "empty": ({"default_engine": ""}, "default_engine"),
    "control": ({"default_model": "a\u001b[2J"}, "default_model"),
    "context": ({"context": 5}, "context"),
    "inside": ({"context": {"token_threshold": "many"}}, "context.token_threshold"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_named(workspace: Path, name: str) -> None:
    value, words = BROKEN[name]
    path = put(workspace, value)
    before = path.read_text()
    with pytest.raises(InvalidDocument, match=words.replace(".", r"\.")) as caught:
        configuration(settings(workspace))
    assert str(path) in str(caught.value)
    if name in ("no json", "no object", "context"):
        with pytest.raises(InvalidDocument):
            changed(workspace, default_retry_count=1)
        assert path.read_text() == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("WHET_DEFAULT_RETRY_COUNT", "many"),
        ("WHET_DEFAULT_RETRY_COUNT", "-1"),
        ("WHET_DEFAULT_TIMEOUT_SECONDS", "Infinity"),
        ("WHET_DEFAULT_ENGINE", " x"),
    ],
)
def test_a_variable_that_makes_no_sense_is_named(workspace: Path, name: str, text: str) -> None:
    with pytest.raises(UsageError, match=name):
        configuration(settings(workspace, **{name: text}))


def test_a_change_writes_the_whole_format(workspace: Path) -> None:
    found = changed(workspace, default_engine="codex", context__token_threshold=5)
    path = path_of(workspace)
    assert found == configuration(settings(workspace))
    assert (found.file, found.exists, found.updated_at) == (str(path), True, "2024-05-06T07:08:09Z")
    document = CliSettings.load(path)
    assert document.to_data() == {
        "cli_path": "claude",
        "default_engine": "codex",
        "default_model": "default",
        "default_timeout_seconds": 0,
        "default_retry_count": 2,
        "temp_session_ttl_days": 7,
        "context": {"token_threshold": 5, "auto_compress": True, "auto_export": True},
        "updated_at": "2024-05-06T07:08:09Z",
    }
    assert [one.name for one in path.parent.iterdir()] == ["config.json"]


def test_a_change_leaves_the_rest_as_it_is(workspace: Path) -> None:
    strange: dict[str, JsonValue] = {"mine": [1, {"b": None}], **ORIGINAL}
    strange["context"] = {"auto_export": False, "token_threshold": 9, "theirs": "x"}
    path = put(workspace, strange)
    changed(workspace, default_retry_count=0)
    expected = {
        **strange,
        "default_retry_count": 0,
        "context": {
            "auto_export": False,
            "token_threshold": 9,
            "theirs": "x",
            "auto_compress": True,
        },
        "updated_at": "2024-05-06T07:08:09Z",
    }
    assert json.loads(path.read_text()) == expected


def test_null_goes_back_to_what_is_built_in(workspace: Path) -> None:
    changed(workspace, default_engine="codex", default_retry_count=9, context__auto_export=False)
    changed(workspace, default_engine=None, default_retry_count=None, context__auto_export=None)
    found = told(configuration(settings(workspace)))
    assert found["default_engine"] == ("simulated", "built-in")
    assert found["default_retry_count"][0] == 2
    assert found["context.auto_export"][0] is True
    assert "default_engine" not in json.loads(path_of(workspace).read_text())


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({}, UsageError, "KEY=VALUE"),
        ({"nope": 1}, UsageError, "unknown key 'nope'; known: cli_path, default_engine"),
        ({"context": {}}, UsageError, "unknown key 'context'"),
        ({"updated_at": "now"}, UsageError, "unknown key"),
        ({"default_engine": "nope"}, UnknownPart, "unknown engine 'nope'; installed: api, claude"),
        ({"default_model": "x", "default_retry_count": "3"}, UsageError, "a whole number"),
    ],
)
def test_all_of_a_change_or_nothing(
    workspace: Path, changes: dict[str, JsonValue], kind: type[UsageError], words: str
) -> None:
    path = put(workspace, ORIGINAL)
    held = settings(workspace)
    with pytest.raises(kind, match=words):
        change(held, InstalledParts(held.machine), changes, NOW)
    assert json.loads(path.read_text()) == ORIGINAL


def test_a_folder_that_cannot_be_made_is_said(workspace: Path) -> None:
    workspace.mkdir()
    (workspace / "cli").write_text("a file in its place")
    with pytest.raises(EnvironmentProblem, match="cli"):
        changed(workspace, default_retry_count=1)


def test_two_at_once_lose_nothing(workspace: Path) -> None:
    keys: list[dict[str, JsonValue]] = [
        {"default_engine": "codex"},
        {"default_model": "m"},
        {"default_retry_count": 7},
        {"default_timeout_seconds": 8},
        {"temp_session_ttl_days": 9},
        {"cli_path": "p"},
        {"context.token_threshold": 3},
        {"context.auto_export": False},
    ]
    held = settings(workspace)
    parts = InstalledParts(held.machine)

    def set_(one: dict[str, JsonValue]) -> Configuration:
        return change(held, parts, one, NOW)

    with ThreadPoolExecutor(len(keys)) as pool:
        assert len(list(pool.map(set_, keys))) == len(keys)
    found = told(configuration(held))
    assert {key: found[key][0] for one in keys for key in one} == {
        key: value for one in keys for key, value in one.items()
    }


@given(st.floats(0, 600_000), st.integers(0, 20), st.floats(0.01, 3650), st.integers(1))
def test_what_was_set_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, seconds: float, retries: int, days: float, most: int
) -> None:
    workspace = tmp_path_factory.mktemp("w")
    values: dict[str, JsonValue] = {
        "default_timeout_seconds": seconds,
        "default_retry_count": retries,
        "temp_session_ttl_days": days,
        "context.token_threshold": most,
    }
    held = settings(workspace)
    change(held, InstalledParts(held.machine), values, NOW)
    found = told(configuration(held))
    assert {key: found[key] for key in values} == {key: (v, "file") for key, v in values.items()}


def held_by(workspace: Path, value: object = None, **environment: str) -> Defaults:
    if value is not None:
        put(workspace, value)
    with app_on(workspace, **environment) as app:
        return defaults(app)


def test_defaults_of_an_empty_workspace(workspace: Path) -> None:
    found = held_by(workspace)
    assert found == Defaults("simulated", "", "claude", None, 2, 7.0)


def test_a_model_is_for_the_engine_that_the_file_speaks_of(workspace: Path) -> None:
    old = held_by(workspace, ORIGINAL)
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


def test_an_engine_that_is_gone_is_said(workspace: Path) -> None:
    fill(workspace)
    put(workspace, {"default_engine": "gone"})
    with app_on(workspace) as app, pytest.raises(UnknownPart, match="unknown engine 'gone'"):
        create_project(app, COMPARISON)
