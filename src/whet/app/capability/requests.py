"""What people ask of capability runs, over HTTP and by command."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, StrictBool, ValidationError

from whet.app.config import MOST_RETRIES
from whet.core.asset_query import LARGEST_PAGE
from whet.core.budget import Budget
from whet.core.errors import UsageError
from whet.core.text import storable
from whet.core.value import RequestModel, Value
from whet.documents.base import Number
from whet.documents.capability import MOST_SECONDS, MOST_WEIGHT, Dimension, RunStatus
from whet.evaluate.capability.scores import WEIGHTS
from whet.ports.evaluations import RunQuery

CONCURRENCY = 4
MOST_CONCURRENCY = 64
LANGUAGES = {"en": "en-US", "zh": "zh-CN"}

ReportForm = Literal["json", "csv", "markdown", "html"]
"""What a run can be written as."""

Weight = Annotated[float, Field(ge=0, le=MOST_WEIGHT, allow_inf_nan=False, strict=True)]


class Overrides(Value):
    """What ``config_overrides`` of a start may hold."""

    weights: dict[Dimension, Weight] = {}
    """Of the dimensions in the total; one that is not named keeps its usual weight."""

    timeout_s: float | None = Field(default=None, gt=0, le=MOST_SECONDS, allow_inf_nan=False)
    """Seconds for each case that does not say so itself."""

    concurrency: int = Field(default=CONCURRENCY, ge=1, le=MOST_CONCURRENCY)
    """Cases at once."""

    retries: int | None = Field(default=None, ge=0, le=MOST_RETRIES)
    """How often a case is tried again that the infrastructure failed."""

    mcp_servers: dict[str, dict[str, JsonValue]] = {}
    """MCP servers that the agent gets, as the option of that name has them."""

    skills: tuple[str, ...] = ()
    """Skills of the library that the agent gets."""

    options: dict[str, JsonValue] = {}
    """Options of the engine."""

    budget: Budget = Budget()
    """What the run may use; cases that it does not cover are skipped."""

    @property
    def all_weights(self) -> dict[Dimension, Number]:
        """The weight of every dimension: the given one, else the usual one."""
        return {**WEIGHTS, **self.weights}


def _describe_overrides(schema: dict[str, Any]) -> None:
    """Put the overrides into the contract; what they may be is checked by ``read_overrides``."""
    known = Overrides.model_json_schema(ref_template="#/components/schemas/{model}")
    schema.update(properties=known["properties"], additionalProperties=False)


class EvaluationStart(RequestModel):
    """What is to be measured, and whether its cost is agreed to."""

    user_id: str | None = Field(default=None, max_length=200, description="A label.")
    model_name: Annotated[str, Field(json_schema_extra={"pattern": r"\S"})] | None = Field(
        default=None, description="An engine, a model, or ``engine:model``."
    )
    language: Annotated[str, Field(json_schema_extra={"enum": [*LANGUAGES.values()]})] | None = (
        Field(default=None, description="``en-US`` or ``zh-CN``.")
    )
    case_set: str | None = None
    dimensions: tuple[Dimension, ...] | None = Field(default=None, min_length=1)
    tool_names: tuple[str, ...] | None = Field(
        default=None, description="The only tools that the agent may use."
    )
    config_overrides: (
        Annotated[dict[str, JsonValue], Field(json_schema_extra=_describe_overrides)] | None
    ) = None
    weights: dict[Dimension, Weight] | None = Field(
        default=None, description="Of the dimensions; one that is not named keeps its usual one."
    )
    stream: StrictBool = Field(default=False, description="Answer with the events of the run.")
    confirmed: StrictBool = False


_TIME = r"[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?Z?)?"
_RANGE = f"^({_TIME})?,({_TIME})?$"


class RunFilter(RequestModel):
    """Which runs, and which part of them."""

    user_id: str | None = None
    model_name: str | None = None
    status: RunStatus | None = None
    case_set: str | None = None
    language: str | None = None
    time_range: Annotated[str, Field(json_schema_extra={"pattern": _RANGE})] | None = Field(
        default=None, description="``from,to`` as ISO 8601; either may be left out."
    )
    limit: int = Field(default=50, ge=1, le=LARGEST_PAGE)
    offset: int = Field(default=0, ge=0, lt=2**63)

    def query(self) -> RunQuery:
        """The question to the store; raises ``UsageError``."""
        since, mark, until = (self.time_range or ",").partition(",")
        if not mark:
            raise UsageError("time_range: must be two times with a comma between them")
        return RunQuery(
            **self.model_dump(exclude={"time_range"}),
            since=since.strip() or None,
            until=until.strip() or None,
        )


def read_overrides(wanted: EvaluationStart) -> Overrides:
    """The overrides of a request; raises ``UsageError`` for whatever cannot be, by its name."""
    _refuse_halves(wanted)
    overridden = (wanted.config_overrides or {}).items()
    given: dict[str, object] = {name: value for name, value in overridden if value is not None}
    if wanted.weights is not None:
        if "weights" in given:
            raise UsageError("weights: given twice, also in config_overrides")
        given["weights"] = dict(wanted.weights)
    try:
        overrides = Overrides.model_validate(given)
    except ValidationError as error:
        raise UsageError(_complaint(error)) from None
    if not any(overrides.all_weights.values()):
        raise UsageError("weights: at least one dimension must have a weight above 0")
    for name in ("mcp_servers", "allowed_tools"):
        if name in overrides.options:
            instead = "config_overrides.mcp_servers" if name == "mcp_servers" else "tool_names"
            raise UsageError(f"config_overrides.options.{name}: use {instead} instead")
    return overrides


def _refuse_halves(wanted: EvaluationStart) -> None:
    """Half of a character can be sent, and be no part of what is kept."""
    for name, value in wanted.model_dump().items():
        told = json.dumps(value, ensure_ascii=False)
        if told != storable(told):
            raise UsageError(f"{name}: has characters that are no text in UTF-8")


def _complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"config_overrides.{place}: unknown; known: {', '.join(Overrides.model_fields)}"
    return f"config_overrides.{place}: {first['msg']}"
