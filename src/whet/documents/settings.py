"""Workspace format: the settings of a workspace and the short-lived sessions of its tools."""

from typing import Literal

from whet.documents.base import Document, Items, Number
from whet.documents.project import ContextConfig


class CliSettings(Document):
    """``cli/config.json``."""

    cli_path: str
    default_model: str
    default_timeout_seconds: Number | None = None
    """Absent where every command takes the time that it takes by itself."""

    default_retry_count: int
    temp_session_ttl_days: Number
    context: ContextConfig
    updated_at: str

    default_engine: str | None = None


class TempSession(Document):
    """``cli/temp_session/{session_id}.json``."""

    session_id: str
    created_at: str
    expires_at: str
    purpose: Literal["auto_tag", "baseline_gen", "project_test"]
    """``project_test`` is ours: a run of a project some of whose conversations grew too long."""
    related_target_type: str | None
    related_target_id: str | None
    status: Literal["active", "closed", "expired"]
    context_exports: Items[str]

    owner: str | None = None
    """The process that it is the session of."""
