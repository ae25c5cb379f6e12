"""The tables of whet.db. Changed only together with a migration."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    text,
)

HEAD = "0003"
"""The migration that these tables correspond to."""

metadata = MetaData()

JSON = {"json": True}
"""Marks a column whose text is JSON, where a document has the value itself."""

executions = Table(
    "executions",
    metadata,
    Column("id", String, primary_key=True),
    Column("address", String, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("owner", String, nullable=False),
    Column("started_at", String, nullable=False),
    Column("ended_at", String),
    Column("outcome", String),
    Column("failure", String),
    Column("error", Text),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cache_read_tokens", Integer, nullable=False),
    Column("cache_write_tokens", Integer, nullable=False),
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
    Column("address", String, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("address", "generation"),
)

retries = Table(
    "retries",
    metadata,
    Column("address", String, primary_key=True),
    Column("generation", Integer, nullable=False),
)

grades = Table(
    "grades",
    metadata,
    Column("address", String, primary_key=True),
    Column("trial", String, nullable=False),
    Column("data", Text, nullable=False),
    Index("grades_by_trial", "trial"),
)

results = Table(
    "results",
    metadata,
    Column("project", String, nullable=False),
    Column("arm", String, nullable=False),
    Column("set", String, nullable=False),
    Column("case", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("status", String, nullable=False),
    Column("grade_status", String),
    Column("score", Float),
    Column("trial", String, nullable=False),
    Column("generation", Integer),
    Column("grade", String),
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
    Column("run_id", String, primary_key=True),
    Column("user_id", String),
    Column("model_name", String, nullable=False),
    Column("language", String),
    Column("status", String, nullable=False),
    Column("case_set", String, nullable=False),
    Column("config_snapshot", Text, info=JSON),
    Column("tool_snapshot", Text, info=JSON),
    Column("dimension_scores", Text, info=JSON),
    Column("total_score", Float),
    Column("started_at", String, nullable=False),
    Column("finished_at", String),
    Column("elapsed_s", Float),
    Column("error", Text),
    Column("simulated", Boolean),
    Column("owner", String),
    Column("case_set_digest", String),
    Column("extra", Text),
    Index("evaluation_runs_by_start", "started_at", "run_id"),
)

evaluation_items = Table(
    "evaluation_items",
    metadata,
    Column("run_id", String, nullable=False),
    Column("case_id", String, nullable=False),
    Column("dimension", String, nullable=False),
    Column("status", String, nullable=False),
    Column("score", Float),
    Column("max_score", Float),
    Column("weight", Float),
    Column("prompt", Text, nullable=False),
    Column("final_answer", Text),
    Column("tool_calls", Text, info=JSON),
    Column("checker_detail", Text, info=JSON),
    Column("started_at", String),
    Column("finished_at", String),
    Column("elapsed_s", Float),
    Column("error", Text),
    Column("skip_reason", String),
    Column("session_id", String),
    Column("ordinal", Integer, nullable=False),
    Column("extra", Text),
    PrimaryKeyConstraint("run_id", "case_id"),
    Index("evaluation_items_in_order", "run_id", "ordinal"),
)

evaluation_case_sets = Table(
    "evaluation_case_sets",
    metadata,
    Column("digest", String, primary_key=True),
    Column("case_set", String),
    Column("version", String),
    Column("language", String),
    Column("created_at", String, nullable=False),
    Column("data", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("cursor", Integer, primary_key=True, autoincrement=True),
    Column("at", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("data", Text, nullable=False),
    Index("events_by_subject", "subject", "cursor"),
    # Without it SQLite may give the cursor of a deleted row out again.
    sqlite_autoincrement=True,
)

states = Table(
    "states",
    metadata,
    Column("kind", String, nullable=False),
    Column("key", String, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("created_at", String, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("kind", "key"),
)

timers = Table(
    "timers",
    metadata,
    Column("kind", String, nullable=False),
    Column("key", String, nullable=False),
    Column("due", Float, nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("kind", "key"),
    Index("timers_by_due", "due"),
)

blobs = Table(
    "blobs",
    metadata,
    Column("digest", String, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
