"""Executions, trials, grades, events, states, timers and small blobs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _ledger()
    op.create_table(
        "events",
        sa.Column("cursor", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("events_by_subject", "events", ["subject", "cursor"])
    op.create_table(
        "states",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("kind", "key"),
    )
    op.create_table(
        "timers",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("kind", "key"),
    )
    op.create_index("timers_by_due", "timers", ["due"])
    op.create_table(
        "blobs",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def _ledger() -> None:
    op.create_table(
        "executions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("started_at", sa.String, nullable=False),
        sa.Column("ended_at", sa.String),
        sa.Column("outcome", sa.String),
        sa.Column("failure", sa.String),
        sa.Column("error", sa.Text),
        sa.Column("input_tokens", sa.Integer, nullable=False),
        sa.Column("output_tokens", sa.Integer, nullable=False),
        sa.Column("cache_read_tokens", sa.Integer, nullable=False),
        sa.Column("cache_write_tokens", sa.Integer, nullable=False),
        sa.Column("cost_usd", sa.Float),
    )
    op.create_index("executions_by_address", "executions", ["address", "started_at"])
    op.create_index(
        "one_claim",
        "executions",
        ["address", "generation"],
        unique=True,
        sqlite_where=sa.text("outcome IS NULL"),
    )
    op.create_table(
        "trials",
        sa.Column("address", sa.String, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("address", "generation"),
    )
    op.create_table(
        "grades",
        sa.Column("address", sa.String, primary_key=True),
        sa.Column("trial", sa.String, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_index("grades_by_trial", "grades", ["trial"])
