"""Results of projects, and trials that are to be tried again."""

import sqlalchemy as sa
from alembic import op

from whet.stores.columns import Count, Word

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "retries",
        sa.Column("address", Word, primary_key=True),
        sa.Column("generation", Count, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("project", Word, nullable=False),
        sa.Column("arm", Word, nullable=False),
        sa.Column("set", Word, nullable=False),
        sa.Column("case", Word, nullable=False),
        sa.Column("attempt", Count, nullable=False),
        sa.Column("ordinal", Count, nullable=False),
        sa.Column("status", Word, nullable=False),
        sa.Column("grade_status", Word),
        sa.Column("score", sa.Float),
        sa.Column("trial", Word, nullable=False),
        sa.Column("generation", Count),
        sa.Column("grade", Word),
        sa.Column("duration_ms", sa.Float, nullable=False),
        sa.Column("cost_usd", sa.Float),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("project", "arm", "set", "case", "attempt"),
    )
    op.create_index("results_in_order", "results", ["project", "ordinal"])
    op.create_index(
        "results_by_status", "results", ["project", "status", "grade_status", "ordinal"]
    )
