"""Executions, trials, grades, events, states, timers and small blobs."""

import sqlalchemy as sa
from alembic import op

from whet.stores.columns import Count, Word

revision = "0001"
down_revision = None


def upgrade() -> None:
    _ledger()
    op.create_table(
        "events",
        sa.Column("cursor", Count, primary_key=True, autoincrement=True),
        sa.Column("at", Word, nullable=False),
        sa.Column("kind", Word, nullable=False),
        sa.Column("subject", Word, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("events_by_subject", "events", ["subject", "cursor"])
    op.create_table(
        "states",
        sa.Column("kind", Word, nullable=False),
        sa.Column("key", Word, nullable=False),
        sa.Column("revision", Count, nullable=False),
        sa.Column("created_at", Word, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("kind", "key"),
    )
    op.create_table(
        "timers",
        sa.Column("kind", Word, nullable=False),
        sa.Column("key", Word, nullable=False),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("kind", "key"),
    )
    op.create_index("timers_by_due", "timers", ["due"])
    op.create_table(
        "blobs",
        sa.Column("digest", Word, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def _ledger() -> None:
    op.create_table(
        "executions",
        sa.Column("id", Word, primary_key=True),
        sa.Column("address", Word, nullable=False),
        sa.Column("generation", Count, nullable=False),
        sa.Column("owner", Word, nullable=False),
        sa.Column("started_at", Word, nullable=False),
        sa.Column("ended_at", Word),
        sa.Column("outcome", Word),
        sa.Column("failure", Word),
        sa.Column("error", sa.Text),
        sa.Column("input_tokens", Count, nullable=False),
        sa.Column("output_tokens", Count, nullable=False),
        sa.Column("cache_read_tokens", Count, nullable=False),
        sa.Column("cache_write_tokens", Count, nullable=False),
        sa.Column("cost_usd", sa.Float),
    )
    op.create_index("executions_by_address", "executions", ["address", "started_at"])
    op.create_index(
        "one_claim",
        "executions",
        ["address", "generation"],
        unique=True,
        sqlite_where=sa.text("outcome IS NULL"),
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_table(
        "trials",
        sa.Column("address", Word, nullable=False),
        sa.Column("generation", Count, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("address", "generation"),
    )
    op.create_table(
        "grades",
        sa.Column("address", Word, primary_key=True),
        sa.Column("trial", Word, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_index("grades_by_trial", "grades", ["trial"])
