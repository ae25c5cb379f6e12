"""The order in which records were kept."""

import sqlalchemy as sa
from alembic import op

from whet.stores.columns import Count, Word

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "recorded",
        sa.Column("cursor", Count, primary_key=True, autoincrement=True),
        sa.Column("address", Word, nullable=False),
        sa.Column("generation", Count, nullable=False),
        sqlite_autoincrement=True,
    )
    # Those from before: nobody knows their order any more, and any will do.
    op.execute(
        "INSERT INTO recorded (address, generation)"
        " SELECT address, generation FROM trials ORDER BY address, generation"
    )
