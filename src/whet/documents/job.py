"""Job format: runner.json, the schemas beside it, and the messages of the job API."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from whet.core.value import LARGEST_NUMBER
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

    role: Filled
    pattern: Filled
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
    schemas: SchemaPaths | None = None
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


class ParameterSchema(Document):
    """``parameter.schema.json``, as far as whet itself reads it."""

    type: Literal["object"]


class OutputProperty(Document):
    """A property in ``output.schema.json``; with an ``x-type`` it is an artifact."""

    x_type: Literal["artifact", "artifact-manifest", "file"] | None = Field(
        default=None, validation_alias="x-type", serialization_alias="x-type"
    )
    x_role: Filled | None = Field(
        default=None, validation_alias="x-role", serialization_alias="x-role"
    )
    x_filename: Filled | None = Field(
        default=None, validation_alias="x-filename", serialization_alias="x-filename"
    )


class OutputSchema(Document):
    """``output.schema.json``, as far as whet itself reads it."""

    type: Literal["object"]
    properties: dict[str, OutputProperty] = {}
    required: Items[str] = ()


Whole = Annotated[int, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
"""A whole number that every program reads as it is."""

Seconds = Whole | Annotated[float, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
"""A time; 3 stays 3 and 3.0 stays 3.0."""

_Amount = (
    Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
    | Annotated[float, Field(ge=0, le=LARGEST_NUMBER)]
)


_WEB_ADDRESS = r"^https?://[A-Za-z0-9.-]+(:[1-9][0-9]{0,3})?(/[!-~]*)?$"
LEAST_SECRET = 8
MOST_KEY = 200
KEY_LENGTH = {"minLength": 1, "maxLength": MOST_KEY}
"""Of an idempotency key, as the contract says it."""

_CLOSED = ConfigDict(json_schema_extra={"additionalProperties": False})
"""Of documents whose unknown fields are refused where they are sent."""


class JobBudget(Document):
    """The most that a job may use, all its turns together."""

    model_config = _CLOSED

    max_cost_usd: _Amount | None = None
    max_tokens: Annotated[int, Field(ge=0, le=LARGEST_NUMBER)] | None = None
    max_seconds: _Amount | None = None


class RuntimeOptions(Document):
    """How a job is run."""

    model_config = _CLOSED

    execution_mode: ExecutionMode | None = None
    no_cache: bool = False
    debug: bool = False
    hard_timeout_seconds: Seconds | None = None
    interactive_auto_reply: bool | None = None
    interactive_reply_timeout_sec: Seconds | None = None
    env: dict[str, str] = {}

    retries: Whole | None = None
    retry_on: Items[str] | None = None
    on_restart: Literal["rerun", "fail"] | None = None
    keep_seconds: Seconds | None = None
    engine_options: dict[str, JsonValue] = {}
    budget: JobBudget | None = None
    interactive_require_user_reply: bool | None = None
    """The opposite of ``interactive_auto_reply``, as older clients say it."""

    session_timeout_sec: Seconds | None = None
    interactive_wait_timeout_sec: Seconds | None = None
    hard_wait_timeout_sec: Seconds | None = None
    wait_timeout_sec: Seconds | None = None
    """Four older names of ``interactive_reply_timeout_sec``, of which the first one counts."""

    verbose: bool | None = None
    debug_keep_temp: bool | None = None
    """Accepted, and without effect."""


class Webhook(Document):
    """Where the end of a job is told, and the key that the message is signed with."""

    url: Annotated[Filled, Field(json_schema_extra={"pattern": _WEB_ADDRESS})]
    secret: Annotated[Filled, Field(json_schema_extra={"minLength": LEAST_SECRET})]


class JobCreate(Document):
    """The body of a request for a job."""

    model_config = _CLOSED

    skill_id: str = ""
    engine: str | None = None
    input: dict[str, JsonValue] = {}
    parameter: dict[str, JsonValue] = {}
    model: str | None = None
    runtime_options: RuntimeOptions = Field(default_factory=RuntimeOptions)

    skill_source: Literal["installed", "temp_upload"] | None = None
    version: str | None = None
    """Of the skill; the newest if it is left out."""

    mode: ExecutionMode | None = None
    upload: bool | None = None
    """Whether files come for a skill that does not say which it takes."""

    idempotency_key: str | None = Field(default=None, json_schema_extra={**KEY_LENGTH})
    webhook: Webhook | None = None


class JobCreated(Document):
    """The answer to it; a null status means that files must be uploaded first."""

    request_id: str
    cache_hit: bool
    status: JobState | None

    state: JobState | None = None
    warnings: Items[JsonValue] | None = None
    """Options of the request that have no effect."""


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


class BatchItem(Document):
    """One of the inputs of a batch."""

    input: dict[str, JsonValue] = {}
    parameter: dict[str, JsonValue] = {}


class BatchCreate(Document):
    """The body of a request for many jobs of one skill."""

    skill_id: Filled
    items: Items[BatchItem] = Field(json_schema_extra={"minItems": 1})
    version: str | None = None
    engine: str | None = None
    engines: Items[str] | None = None
    """Each input is done by each of them; ``engine:model`` names a model too."""

    model: str | None = None
    mode: ExecutionMode | None = None
    parameter: dict[str, JsonValue] = {}
    """For every input that says nothing else."""

    runtime_options: RuntimeOptions = Field(default_factory=RuntimeOptions)
    webhook: Webhook | None = None
    confirmed: bool = False


class BatchRow(Document):
    """A job of a batch, or why there is none."""

    index: int
    request_id: str | None
    status: str | None
    engine: str
    model: str | None = None
    is_over: bool = False
    data: JsonValue = None
    artifacts: Items[str] = ()
    cost_usd: Number | None = None
    error: JobError | None = None


class BatchStatus(Document):
    """All jobs of a batch in one table."""

    batch_id: str
    total: int
    counts: dict[str, int]
    is_over: bool
    items: Items[BatchRow]


class ToCase(Document):
    """The body of a request to make a job a test case."""

    baseline: Filled
