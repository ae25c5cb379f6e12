"""Capability runs, their items, and the case sets they used."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "evaluation_runs",
        sa.Column("run_id", sa.String, primary_key=True),
        sa.Column("user_id", sa.String),
        sa.Column("model_name", sa.String, nullable=False),
        sa.Column("language", sa.String),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("case_set", sa.String, nullable=False),
        sa.Column("config_snapshot", sa.Text),
        sa.Column("tool_snapshot", sa.Text),
        sa.Column("dimension_scores", sa.Text),
        sa.Column("total_score", sa.Float),
        sa.Column("started_at", sa.String, nullable=False),
        sa.Column("finished_at", sa.String),
        sa.Column("elapsed_s", sa.Float),
        sa.Column("error", sa.Text),
        sa.Column("simulated", sa.Boolean),
        sa.Column("owner", sa.String),
        sa.Column("case_set_digest", sa.String),
        sa.Column("extra", sa.Text),
    )
    op.create_index("evaluation_runs_by_start", "evaluation_runs", ["started_at", "run_id"])
    _items()
    op.create_table(
        "evaluation_case_sets",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("case_set", sa.String),
        sa.Column("version", sa.String),
        sa.Column("language", sa.String),
        sa.Column("created_at", sa.String, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )


def _items() -> None:
    op.create_table(
        "evaluation_items",
        sa.Column("run_id", sa.String, nullable=False),
        sa.Column("case_id", sa.String, nullable=False),
        sa.Column("dimension", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("score", sa.Float),
        sa.Column("max_score", sa.Float),
        sa.Column("weight", sa.Float),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("final_answer", sa.Text),
        sa.Column("tool_calls", sa.Text),
        sa.Column("checker_detail", sa.Text),
        sa.Column("started_at", sa.String),
        sa.Column("finished_at", sa.String),
        sa.Column("elapsed_s", sa.Float),
        sa.Column("error", sa.Text),
        sa.Column("skip_reason", sa.String),
        sa.Column("session_id", sa.String),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("extra", sa.Text),
        sa.PrimaryKeyConstraint("run_id", "case_id"),
    )
    op.create_index("evaluation_items_in_order", "evaluation_items", ["run_id", "ordinal"])
