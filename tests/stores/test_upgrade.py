"""A database of an older whet is brought up to date, with all that is in it."""

import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from whet.app.clock import SystemClock
from whet.stores import migrate
from whet.stores.schema import HEAD
from whet.stores.sql import SqlStore
from whet.testing.store_evaluations import item, run


def old(path: Path, revision: str) -> Path:
    """A database as the whet of that revision left it."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.exec_driver_sql("INSERT INTO states VALUES ('k', 'old', 3, '', '{\"a\": 1}')")
    engine.dispose()
    return path


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_an_old_database_is_brought_up_to_date(tmp_path: Path, revision: str) -> None:
    path = old(tmp_path / "whet.db", revision)
    for _ in range(2):
        store = SqlStore(tmp_path, lambda _owner: True, SystemClock())
        present = store.states.get("k", "old")
        assert present is not None
        assert (present.revision, present.value) == (3, {"a": 1})
        store.close()
    store = SqlStore(tmp_path, lambda _owner: True, SystemClock())
    store.evaluations.create_eval_run(run(), [item("a")])
    assert store.evaluations.get_eval_run_detail("run-1") is not None
    store.close()
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]
    connection.close()
