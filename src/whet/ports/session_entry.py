"""What the index knows of a session."""

from typing import Literal

from whet.core.value import Value

SessionKind = Literal["job", "import", "file", "trial", "ask"]
"""A job's; one of another program; any other file in ``sessions/``; a trial's on record; and what a
model was asked in between, by a judge say."""

SessionStatus = Literal["success", "failed", "in_progress"]


class SessionEntry(Value):
    """A session as a list shows it."""

    name: str
    """What it goes by: the name of its file, or what the session of its trial is called."""

    kind: SessionKind
    session_id: str
    title: str
    prompt: str
    """How it begins."""

    status: SessionStatus
    engine: str | None = None
    model: str | None = None
    created_at: str
    completed_at: str
    duration_ms: int | float
    calls: int
    failed: int
    """Of the calls."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: int | float | None = None
    simulated: bool | None = None
    skills: tuple[str, ...] = ()
    """Those that the agent took up."""

    path: str | None = None
    """Of its file, relative to the workspace; None for that of a trial."""

    trial_address: str | None = None
    generation: int | None = None
    """Of the record, where it is a trial's."""

    request_id: str | None = None
    """Of the job."""

    source_file: str | None = None
    source_format: str | None = None
    source_digest: str | None = None
    """Of the log that it was read from."""

    original_id: str | None = None
    """What the log called it."""
