"""Workspace format: the configuration of a project."""

from typing import Literal

from pydantic import Field, JsonValue

from whet.documents.base import Document, Items, Number, Written


class SkillRef(Document):
    """A skill version in a project, and where its copy lies."""

    ref_id: str
    name: Written[str] = ""
    purpose: Written[str] = ""
    provider: Written[str] = ""
    version: str
    local_path: str


class BaselineRef(Document):
    """A baseline version in a project, and where its copy lies."""

    ref_id: str
    name: Written[str] = ""
    version: str
    local_path: str

    purpose: str | None = None
    provider: str | None = None


class CliConfig(Document):
    """How agents are run."""

    model: str
    timeout_seconds: Number
    retry_count: int
    extra_flags: Written[Items[str]] = ()

    engine: str | None = None
    engine_version: str | None = None
    """The version of the engine when the project was created; another one does not run it."""
    options: dict[str, JsonValue] | None = None
    """What is peculiar to the engine."""
    sandbox: str | None = None


class ContextConfig(Document):
    """What happens to long conversations."""

    token_threshold: int
    auto_compress: Written[bool] = True
    auto_export: Written[bool] = True


class GradingConfig(Document):
    """Who judges, and how often each reads an answer."""

    judges: Items[str]
    """``simulated``, or ``engine:model``; fixed when the project is made."""

    readings: int = 1
    structural_gate: bool | None = None
    """False where judges are asked although a critical check failed; absent means true."""


class Progress(Document):
    """How far a project is, counted in pairs of skill and case."""

    total_tasks: int
    completed_tasks: int
    failed_tasks: int
    last_checkpoint: int | None

    total_trials: int | None = None


class IterationConfig(Document):
    """Defaults of an iteration; a start may override them."""

    mode: Written[str] = "standard"
    beam_width: Written[int] = 1
    plateau_threshold: Written[Number] = 1.0
    plateau_rounds_before_escape: Written[int] = 2

    max_rounds: int | None = None
    stop_threshold: Number | None = None


class ProjectConfig(Document):
    """``config.json`` of a project; ``status`` and ``progress`` follow the database."""

    id: str
    name: str
    description: Written[str] = ""
    status: Literal["pending", "running", "completed", "interrupted"]
    created_at: str
    updated_at: str
    skills: Items[SkillRef] = Field(min_length=1)
    baselines: Items[BaselineRef] = Field(min_length=1)
    cli_config: CliConfig
    context_config: ContextConfig
    progress: Progress
    original_skill_ids: Items[str] | None = None
    iteration_config: IterationConfig | None = None

    control: Literal["paused", "stopped"] | None = None
    """Why a project is interrupted, when a person wanted it."""

    repeats: int | None = None
    scope: Literal["workspace", "project"] | None = None
    """Who may reuse its answers; one that was begun elsewhere keeps them to itself."""

    origin_id: str | None = None
    """The id it was begun under, if that was another one: its own answers are kept under it."""

    imported: bool | None = None
    """Whether it came as a file: what it would start is a stranger's choice."""

    grading_config: GradingConfig | None = None
    archived: bool | None = None
    """Whether it is out of the way; nothing is deleted."""

    failed: Literal["all", "some"] | None = None
    """Marks a completed project in which every trial failed, or some came to no answer."""

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        if isinstance(data, dict) and data.get("status") == "paused":
            return data | {"status": "interrupted", "control": "paused"}
        return data
