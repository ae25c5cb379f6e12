"""A database of an older whet is brought up to date, with all that is in it."""

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from tests.stores.postgres_server import Server
from whet.app.clock import SystemClock
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
