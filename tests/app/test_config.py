"""``cli/config.json``: read, changed, and used wherever a person names nothing."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.app.config import (
    BUILT_IN,
    Configuration,
    change,
    configuration,
    path_of,
)
from whet.app.parts import InstalledParts
from whet.app.settings import OVERRIDES, Settings, read
from whet.core.errors import EnvironmentProblem, InvalidDocument, UnknownPart, UsageError
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
    "no time": ({"default_timeout_seconds": 0}, "default_timeout_seconds=null"),
    "less than none": ({"default_timeout_seconds": -5}, "default_timeout_seconds=null"),
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
        "default_retry_count": 2,
        "temp_session_ttl_days": 7,
        "context": {"token_threshold": 5, "auto_compress": False, "auto_export": True},
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
            "auto_compress": False,
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
        ({"default_engine": "nope"}, UnknownPart, "unknown engine 'nope'; known: api, claude"),
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


@given(st.floats(0.001, 600_000), st.integers(0, 20), st.floats(0.01, 3650), st.integers(1))
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


@pytest.mark.parametrize("seconds", [0, -1, -0.5])
def test_no_time_is_refused_wherever_it_is_set(workspace: Path, seconds: float) -> None:
    held = settings(workspace)
    with pytest.raises(UsageError, match="default_timeout_seconds: must be greater than 0"):
        change(held, InstalledParts(held.machine), {"default_timeout_seconds": seconds}, NOW)
    assert not path_of(workspace).exists()
    put(workspace, {"default_timeout_seconds": seconds})
    with pytest.raises(InvalidDocument, match="whet config set default_timeout_seconds=null"):
        configuration(held)
    mended = change(held, InstalledParts(held.machine), {"default_timeout_seconds": None}, NOW)
    assert told(mended)["default_timeout_seconds"] == (None, "built-in"), "as the message says"
    variable = OVERRIDES["default_timeout_seconds"]
    with pytest.raises(UsageError, match=variable):
        configuration(settings(workspace, **{variable: str(seconds)}))
