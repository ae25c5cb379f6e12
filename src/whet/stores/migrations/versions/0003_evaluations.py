"""Capability runs, their items, and the case sets they used."""

import sqlalchemy as sa
from alembic import op

from whet.stores.columns import Count, Word

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "evaluation_runs",
        sa.Column("run_id", Word, primary_key=True),
        sa.Column("user_id", Word),
        sa.Column("model_name", Word, nullable=False),
        sa.Column("language", Word),
        sa.Column("status", Word, nullable=False),
        sa.Column("case_set", Word, nullable=False),
        sa.Column("config_snapshot", sa.Text),
        sa.Column("tool_snapshot", sa.Text),
        sa.Column("dimension_scores", sa.Text),
        sa.Column("total_score", sa.Float),
        sa.Column("started_at", Word, nullable=False),
        sa.Column("finished_at", Word),
        sa.Column("elapsed_s", sa.Float),
        sa.Column("error", sa.Text),
        sa.Column("simulated", sa.Boolean),
        sa.Column("owner", Word),
        sa.Column("case_set_digest", Word),
        sa.Column("extra", sa.Text),
    )
    op.create_index("evaluation_runs_by_start", "evaluation_runs", ["started_at", "run_id"])
    _items()
    op.create_table(
        "evaluation_case_sets",
        sa.Column("digest", Word, primary_key=True),
        sa.Column("case_set", Word),
        sa.Column("version", Word),
        sa.Column("language", Word),
        sa.Column("created_at", Word, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )


def _items() -> None:
    op.create_table(
        "evaluation_items",
        sa.Column("run_id", Word, nullable=False),
        sa.Column("case_id", Word, nullable=False),
        sa.Column("dimension", Word, nullable=False),
        sa.Column("status", Word, nullable=False),
        sa.Column("score", sa.Float),
        sa.Column("max_score", sa.Float),
        sa.Column("weight", sa.Float),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("final_answer", sa.Text),
        sa.Column("tool_calls", sa.Text),
        sa.Column("checker_detail", sa.Text),
        sa.Column("started_at", Word),
        sa.Column("finished_at", Word),
        sa.Column("elapsed_s", sa.Float),
        sa.Column("error", sa.Text),
        sa.Column("skip_reason", Word),
        sa.Column("session_id", Word),
        sa.Column("ordinal", Count, nullable=False),
        sa.Column("extra", sa.Text),
        sa.PrimaryKeyConstraint("run_id", "case_id"),
    )
    op.create_index("evaluation_items_in_order", "evaluation_items", ["run_id", "ordinal"])
