"""Bring an old or empty database up to date. Imported only when there is something to do."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from whet.stores.backend import Sealing
from whet.stores.compaction import TO_BE_COMPACTED


def upgrade(engine: Engine, sealing: Sealing | None = None) -> None:
    """Run every migration that the database has not seen yet, in one transaction.

    Secrets that are found in it are put aside by *sealing*, or else lost."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        config.attributes["seal"] = sealing and sealing.put_aside
        command.upgrade(config, "head")
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA user_version={TO_BE_COMPACTED}")
