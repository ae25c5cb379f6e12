"""Alembic's entry: migrations run on the connection that ``migrate.upgrade`` hands in."""

from alembic import context

from whet.stores.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,
)
context.run_migrations()
