"""Results of projects, and trials that are to be tried again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "retries",
        sa.Column("address", sa.String, primary_key=True),
        sa.Column("generation", sa.Integer, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("project", sa.String, nullable=False),
        sa.Column("arm", sa.String, nullable=False),
        sa.Column("set", sa.String, nullable=False),
        sa.Column("case", sa.String, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("grade_status", sa.String),
        sa.Column("score", sa.Float),
        sa.Column("trial", sa.String, nullable=False),
        sa.Column("generation", sa.Integer),
        sa.Column("grade", sa.String),
        sa.Column("duration_ms", sa.Float, nullable=False),
        sa.Column("cost_usd", sa.Float),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("project", "arm", "set", "case", "attempt"),
    )
    op.create_index("results_in_order", "results", ["project", "ordinal"])
    op.create_index(
        "results_by_status", "results", ["project", "status", "grade_status", "ordinal"]
    )
