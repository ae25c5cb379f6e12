"""Job format: runner.json, the schemas beside it, and the messages of the job API."""

from typing import Literal

from pydantic import Field, JsonValue

from whet.documents.base import Document, Filled, Items, Number, Written

ExecutionMode = Literal["auto", "interactive"]

JobState = Literal[
    "waiting_upload",
    "queued",
    "running",
    "waiting_user",
    "waiting_auth",
    "succeeded",
    "failed",
    "cancelled",
]


class SchemaPaths(Document):
    """Where the schemas of a package lie; without a path, under their usual name in assets."""

    input: str | None = None
    parameter: str | None = None
    output: str | None = None


class ArtifactDeclaration(Document):
    """A file that a job yields."""

    role: str
    pattern: str
    mime: str | None = None
    required: bool


class Entrypoint(Document):
    """What an agent is told, by engine; ``common`` is for those without their own text."""

    prompts: dict[str, str] = {}
    result_json_filename: str | None = None


class McpNeeds(Document):
    """The MCP servers that a package needs."""

    required_servers: Items[str] = ()


class Runtime(Document):
    """What a package needs to run."""

    language: str | None = None
    version: str | None = None
    dependencies: Items[str] = ()
    default_options: dict[str, JsonValue] = {}


class RunnerManifest(Document):
    """``runner.json`` of a package."""

    id: Filled
    name: str | None = None
    description: str | None = None
    version: str | None = None
    execution_modes: Items[ExecutionMode] = Field(min_length=1)
    engines: Items[str] | None = None
    unsupported_engines: Items[str] | None = None
    max_attempt: int | None = None
    schemas: SchemaPaths
    entrypoint: Entrypoint | None = None
    engine_configs: dict[str, str] | None = None
    mcp: McpNeeds | None = None
    runtime: Runtime | None = None
    artifacts: Items[ArtifactDeclaration] | None = None

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        if isinstance(data, dict) and "unsupport_engine" in data:
            raise ValueError("unsupport_engine is now called unsupported_engines")
        return data


class InputProperty(Document):
    """An input in ``input.schema.json``: an uploaded file, or a value of the request."""

    x_input_source: Literal["file", "inline"] = Field(
        default="file", validation_alias="x-input-source", serialization_alias="x-input-source"
    )
    extensions: Items[str] | None = None


class InputSchema(Document):
    """``input.schema.json``, as far as whet itself reads it."""

    type: Literal["object"]
    properties: dict[str, InputProperty] = {}
    required: Items[str] = ()


class OutputProperty(Document):
    """A property in ``output.schema.json``; with an ``x-type`` it is an artifact."""

    x_type: Literal["artifact", "artifact-manifest", "file"] | None = Field(
        default=None, validation_alias="x-type", serialization_alias="x-type"
    )
    x_role: str | None = Field(
        default=None, validation_alias="x-role", serialization_alias="x-role"
    )
    x_filename: str | None = Field(
        default=None, validation_alias="x-filename", serialization_alias="x-filename"
    )


class OutputSchema(Document):
    """``output.schema.json``, as far as whet itself reads it."""

    type: Literal["object"]
    properties: dict[str, OutputProperty] = {}
    required: Items[str] = ()


class RuntimeOptions(Document):
    """How a job is run."""

    execution_mode: ExecutionMode | None = None
    no_cache: bool = False
    debug: bool = False
    hard_timeout_seconds: Number | None = None
    interactive_auto_reply: bool | None = None
    interactive_reply_timeout_sec: Number | None = None
    env: dict[str, str] = {}


class JobCreate(Document):
    """The body of a request for a job."""

    skill_id: Filled
    engine: str | None = None
    input: dict[str, JsonValue] = {}
    parameter: dict[str, JsonValue] = {}
    model: str | None = None
    runtime_options: RuntimeOptions = Field(default_factory=RuntimeOptions)


class JobCreated(Document):
    """The answer to it; a null status means that files must be uploaded first."""

    request_id: str
    cache_hit: bool
    status: JobState | None

    state: JobState | None = None


class JobUploaded(Document):
    """The answer to an upload."""

    request_id: str
    cache_hit: bool
    status: JobState | None
    extracted_files: Items[str]


class JobError(Document):
    """Why a job failed."""

    code: str | None
    message: str


class JobStatus(Document):
    """Where a job is."""

    request_id: str
    status: JobState | None
    skill_id: str
    engine: str
    model: str | None
    created_at: str
    updated_at: str
    warnings: Written[Items[JsonValue]] = ()
    error: JobError | None

    state: JobState | None = None
    run_id: str | None = None
    execution_mode: ExecutionMode | None = None
    current_attempt: int | None = None
    pending_interaction_id: str | int | None = None
    simulated: bool | None = None
    cost_usd: Number | None = None


class JobOutcome(Document):
    """What a job came to."""

    status: Literal["success", "failed", "cancelled"]
    data: JsonValue
    artifacts: Items[str]
    validation_warnings: Written[Items[JsonValue]] = ()
    error: JobError | None


class JobResult(Document):
    """The result of a finished job."""

    request_id: str
    result: JobOutcome


class Artifact(Document):
    """A file that a job yielded."""

    path: str
    size: int
    sha256: str
    role: str | None = None
    mime: str | None = None


class JobArtifacts(Document):
    """The relative paths of all artifacts, with details beside them."""

    request_id: str
    artifacts: Items[str]

    details: Items[Artifact] | None = None


class BundleManifest(Document):
    """``manifest.json`` in a bundle."""

    files: Items[Artifact]


class JobCancelled(Document):
    """The answer to a request to cancel."""

    request_id: str
    run_id: str | None
    status: JobState
    accepted: bool
    message: str
