"""Jobs."""

import sqlalchemy as sa
from alembic import op

from whet.stores.columns import Count, Word

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("request_id", Word, primary_key=True),
        sa.Column("run_id", Word, nullable=False),
        sa.Column("state", Word, nullable=False),
        sa.Column("skill_id", Word, nullable=False),
        sa.Column("engine", Word, nullable=False),
        sa.Column("owner", Word),
        sa.Column("key", Word, unique=True),
        sa.Column("batch", Word),
        sa.Column("batch_index", Count),
        sa.Column("wants_cancel", sa.Boolean, nullable=False),
        sa.Column("created_at", Word, nullable=False),
        sa.Column("revision", Count, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_index("jobs_by_state", "jobs", ["state", "created_at"])
    op.create_index("jobs_by_time", "jobs", ["created_at", "request_id"])
    op.create_index("jobs_by_run", "jobs", ["run_id"])
    op.create_index("jobs_by_batch", "jobs", ["batch", "batch_index"])
