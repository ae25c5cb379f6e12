"""The tables of the database. Changed only together with a migration."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    text,
)

from whet.stores.columns import Count, Word

HEAD = "0007"
"""The migration that these tables correspond to."""

metadata = MetaData()

versions = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""As the migrations keep it: one row, the newest migration that the database has seen."""

JSON = {"json": True}
"""Marks a column whose text is JSON, where a document has the value itself."""

executions = Table(
    "executions",
    metadata,
    Column("id", Word, primary_key=True),
    Column("address", Word, nullable=False),
    Column("generation", Count, nullable=False),
    Column("owner", Word, nullable=False),
    Column("started_at", Word, nullable=False),
    Column("ended_at", Word),
    Column("outcome", Word),
    Column("failure", Word),
    Column("error", Text),
    Column("input_tokens", Count, nullable=False),
    Column("output_tokens", Count, nullable=False),
    Column("cache_read_tokens", Count, nullable=False),
    Column("cache_write_tokens", Count, nullable=False),
    Column("cost_usd", Float),
    Index("executions_by_address", "address", "started_at"),
    # A claim: at most one open execution per address and generation.
    Index(
        "one_claim",
        "address",
        "generation",
        unique=True,
        sqlite_where=text("outcome IS NULL"),
    ),
)

trials = Table(
    "trials",
    metadata,
    Column("address", Word, nullable=False),
    Column("generation", Count, nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("address", "generation"),
)

recorded = Table(
    "recorded",
    metadata,
    Column("cursor", Count, primary_key=True, autoincrement=True),
    Column("address", Word, nullable=False),
    Column("generation", Count, nullable=False),
    sqlite_autoincrement=True,
)

retries = Table(
    "retries",
    metadata,
    Column("address", Word, primary_key=True),
    Column("generation", Count, nullable=False),
)

grades = Table(
    "grades",
    metadata,
    Column("address", Word, primary_key=True),
    Column("trial", Word, nullable=False),
    Column("data", Text, nullable=False),
    Index("grades_by_trial", "trial"),
)

results = Table(
    "results",
    metadata,
    Column("project", Word, nullable=False),
    Column("arm", Word, nullable=False),
    Column("set", Word, nullable=False),
    Column("case", Word, nullable=False),
    Column("attempt", Count, nullable=False),
    Column("ordinal", Count, nullable=False),
    Column("status", Word, nullable=False),
    Column("grade_status", Word),
    Column("score", Float),
    Column("trial", Word, nullable=False),
    Column("generation", Count),
    Column("grade", Word),
    Column("duration_ms", Float, nullable=False),
    Column("cost_usd", Float),
    Column("error", Text),
    PrimaryKeyConstraint("project", "arm", "set", "case", "attempt"),
    Index("results_in_order", "project", "ordinal"),
    Index("results_by_status", "project", "status", "grade_status", "ordinal"),
)

evaluation_runs = Table(
    "evaluation_runs",
    metadata,
    Column("run_id", Word, primary_key=True),
    Column("user_id", Word),
    Column("model_name", Word, nullable=False),
    Column("language", Word),
    Column("status", Word, nullable=False),
    Column("case_set", Word, nullable=False),
    Column("config_snapshot", Text, info=JSON),
    Column("tool_snapshot", Text, info=JSON),
    Column("dimension_scores", Text, info=JSON),
    Column("total_score", Float),
    Column("started_at", Word, nullable=False),
    Column("finished_at", Word),
    Column("elapsed_s", Float),
    Column("error", Text),
    Column("simulated", Boolean),
    Column("owner", Word),
    Column("case_set_digest", Word),
    Column("extra", Text),
    Index("evaluation_runs_by_start", "started_at", "run_id"),
)

evaluation_items = Table(
    "evaluation_items",
    metadata,
    Column("run_id", Word, nullable=False),
    Column("case_id", Word, nullable=False),
    Column("dimension", Word, nullable=False),
    Column("status", Word, nullable=False),
    Column("score", Float),
    Column("max_score", Float),
    Column("weight", Float),
    Column("prompt", Text, nullable=False),
    Column("final_answer", Text),
    Column("tool_calls", Text, info=JSON),
    Column("checker_detail", Text, info=JSON),
    Column("started_at", Word),
    Column("finished_at", Word),
    Column("elapsed_s", Float),
    Column("error", Text),
    Column("skip_reason", Word),
    Column("session_id", Word),
    Column("ordinal", Count, nullable=False),
    Column("extra", Text),
    PrimaryKeyConstraint("run_id", "case_id"),
    Index("evaluation_items_in_order", "run_id", "ordinal"),
)

evaluation_case_sets = Table(
    "evaluation_case_sets",
    metadata,
    Column("digest", Word, primary_key=True),
    Column("case_set", Word),
    Column("version", Word),
    Column("language", Word),
    Column("created_at", Word, nullable=False),
    Column("data", Text, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("request_id", Word, primary_key=True),
    Column("run_id", Word, nullable=False),
    Column("state", Word, nullable=False),
    Column("skill_id", Word, nullable=False),
    Column("engine", Word, nullable=False),
    Column("owner", Word),
    Column("key", Word, unique=True),
    Column("batch", Word),
    Column("batch_index", Count),
    Column("wants_cancel", Boolean, nullable=False),
    Column("created_at", Word, nullable=False),
    Column("revision", Count, nullable=False),
    Column("data", Text, nullable=False),
    Index("jobs_by_state", "state", "created_at"),
    Index("jobs_by_time", "created_at", "request_id"),
    Index("jobs_by_run", "run_id"),
    Index("jobs_by_batch", "batch", "batch_index"),
)

events = Table(
    "events",
    metadata,
    Column("cursor", Count, primary_key=True, autoincrement=True),
    Column("at", Word, nullable=False),
    Column("kind", Word, nullable=False),
    Column("subject", Word, nullable=False),
    Column("data", Text, nullable=False),
    Index("events_by_subject", "subject", "cursor"),
    # Without it SQLite may give the cursor of a deleted row out again.
    sqlite_autoincrement=True,
)

states = Table(
    "states",
    metadata,
    Column("kind", Word, nullable=False),
    Column("key", Word, nullable=False),
    Column("revision", Count, nullable=False),
    Column("created_at", Word, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("kind", "key"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Word, primary_key=True),
    Column("kind", Word, nullable=False),
    Column("status", Word, nullable=False),
    Column("owner", Word, nullable=False),
    Column("parent", Word),
    Column("is_unattended", Boolean, nullable=False),
    Column("epoch", Count, nullable=False),
    Column("created_at", Word, nullable=False),
    Column("data", Text, nullable=False),
    Index("runs_by_time", "created_at", "id"),
    Index("runs_by_status", "status", "created_at"),
    Index("runs_by_parent", "parent"),
)

timers = Table(
    "timers",
    metadata,
    Column("kind", Word, nullable=False),
    Column("key", Word, nullable=False),
    Column("due", Float, nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("kind", "key"),
    Index("timers_by_due", "due"),
)

blobs = Table(
    "blobs",
    metadata,
    Column("digest", Word, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
