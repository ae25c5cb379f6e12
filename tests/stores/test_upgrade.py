"""A database of an older whet is brought up to date, with all that is in it."""

import json
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from pydantic import JsonValue
from sqlalchemy import text

from tests.stores.postgres_server import Server
from whet.app.clock import SystemClock
from whet.app.evals import EvalState
from whet.app.experiment_run import ExperimentState
from whet.stores import migrate
from whet.stores.chosen import chosen
from whet.stores.schema import HEAD
from whet.stores.sql import SqlStore
from whet.testing.store_evaluations import item, run


def old(folder: Path, url: str | None, revision: str) -> None:
    """A database as the whet of that revision left it."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    engine = chosen(folder, url).engine
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        state = "INSERT INTO states VALUES ('k', 'old', 3, '', '{}')"
        connection.execute(text(state))
    engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("revision", ["0001", "0002", "0003"])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_old_database_is_brought_up_to_date(
    kind: str, revision: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = None
    if kind == "postgres":
        server: Server = request.getfixturevalue("postgres")
        url = server.empty()
    old(tmp_path, url, revision)
    for number in (1, 2):
        store = SqlStore(tmp_path, lambda _owner: True, SystemClock(), url)
        present = store.states.get("k", "old")
        assert present is not None
        assert present.revision == 3
        store.evaluations.create_eval_run(run(number), [item("a", f"run-{number}")])
        assert store.evaluations.get_eval_run_detail("run-1") is not None
        store.close()
    engine = chosen(tmp_path, url).engine
    with engine.connect() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars()
        assert list(found) == [HEAD]
    engine.dispose()


EXPERIMENT: dict[str, JsonValue] = {
    "id": "p1",
    "name": "P",
    "folder": "project_p",
    "status": "interrupted",
    "owner": "gone",
    "started_at": "2026-01-02T00:00:00.000Z",
    "ended_at": "2026-01-02T00:01:00.000Z",
    "total_trials": 8,
    "error": None,
    "control": "paused",
    "elapsed_s": 60.0,
}
EVAL: dict[str, JsonValue] = {
    "id": "e1",
    "skill": "knives",
    "status": "running",
    "owner": "gone",
    "started_at": "2026-01-03T00:00:00.000Z",
    "ended_at": None,
    "total_trials": 12,
    "legs": [{"engine": "simulated", "model": "m", "iteration": 1, "folder": "evals/k"}],
    "request": {"skill": "./knives"},
    "warnings": ["few"],
    "error": None,
    "elapsed_s": None,
}
LEFT: dict[str, JsonValue] = {
    "id": "e1",
    "kind": "eval",
    "options": {},
    "owners": ["gone"],
    "wish": 0,
}
TAGS: dict[str, JsonValue] = {
    "id": "t1",
    "kind": "auto_tag",
    "options": {"kind": "skill"},
    "owners": ["gone"],
    "wish": 0,
}


def test_states_of_older_versions_become_runs(tmp_path: Path) -> None:
    old(tmp_path, None, "0006")
    engine = chosen(tmp_path, None).engine
    insert = text("INSERT INTO states VALUES (:kind, :key, :revision, :at, :value)")
    rows: tuple[tuple[str, str, int, dict[str, JsonValue]], ...] = (
        ("experiment", "p1", 3, EXPERIMENT),
        ("eval", "e1", 2, EVAL),
        ("control", "p1", 4, {"wish": "paused", "at": ""}),
        ("background", "e1", 1, LEFT),
        ("background", "t1", 1, TAGS),
        ("background", "p1", 2, {}),
        ("evaluation", "c1", 1, {"owner": "gone"}),
    )
    with engine.begin() as connection:
        for day, (kind, key, revision, value) in enumerate(rows, 1):
            about = {"kind": kind, "key": key, "revision": revision, "at": f"2026-01-0{day}"}
            connection.execute(insert, {**about, "value": json.dumps(value)})
    engine.dispose()
    store = SqlStore(tmp_path, lambda _owner: False, SystemClock())
    project, suite, tags = (store.runs.get(each) for each in ("p1", "e1", "t1"))
    assert project is not None
    assert suite is not None
    assert tags is not None
    assert ExperimentState.of(project).model_dump(exclude={"failed"}) == EXPERIMENT
    assert EvalState.of(suite).model_dump(mode="json", include={*EVAL} - {"request"}) == {
        name: value for name, value in EVAL.items() if name != "request"
    }
    assert (project.wishes, project.is_unattended) == (4, False)
    assert (suite.is_unattended, suite.created_at) == (True, "2026-01-02")
    assert (tags.kind, tags.request, tags.is_unattended) == ("auto_tag", {"kind": "skill"}, True)
    for kind in ("experiment", "eval", "control", "background", "evaluation"):
        assert not store.states.list(kind)
    store.close()
