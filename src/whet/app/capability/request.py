"""What a person asks for when a run is started, checked and filled in."""

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from whet.app.app import App
from whet.app.config import MOST_RETRIES, Defaults, defaults
from whet.app.pins import Wish, pinned
from whet.app.secret_store import SHARED
from whet.core.budget import Budget
from whet.core.errors import UsageError
from whet.core.text import storable
from whet.core.tools import FINAL, canonical
from whet.core.value import Value
from whet.documents.base import Number
from whet.documents.capability import Dimension, EvaluationStart
from whet.evaluate.capability.cases import MOST_SECONDS, MOST_WEIGHT
from whet.evaluate.capability.scores import WEIGHTS
from whet.evaluate.plan import Pin

TIMEOUT_SECONDS = 120.0
CONCURRENCY = 4
MOST_CONCURRENCY = 64

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


def read_overrides(wanted: EvaluationStart) -> Overrides:
    """The overrides of a request; raises ``UsageError`` for whatever cannot be, by its name."""
    _refuse_halves(wanted)
    known = ", ".join(EvaluationStart.model_fields)
    for name in wanted.model_extra or {}:
        raise UsageError(f"{name}: unknown; known: {known}")
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


def options_of(wanted: EvaluationStart, overrides: Overrides) -> dict[str, JsonValue]:
    """The options of the engine: with the servers, and only the tools, that the run is to have."""
    options = dict(overrides.options)
    servers = dict(overrides.mcp_servers)
    if wanted.tool_names is not None:
        names = list(dict.fromkeys(map(canonical, wanted.tool_names)))
        options["allowed_tools"] = [name for name in names if "@" not in name and name != FINAL]
        named = {name.partition("@")[0] for name in names if "@" in name}
        servers = {name: server for name, server in servers.items() if name in named}
    if servers:
        options["mcp_servers"] = {**servers}
    return options


def narrowed(tools: Sequence[str], tool_names: Sequence[str] | None) -> list[str]:
    """The tools of an agent, with those of a server by name where only some are wanted."""
    if tool_names is None:
        return sorted(tools)
    of_servers = {name for name in map(canonical, tool_names) if "@" in name}
    found: set[str] = set()
    for tool in tools:
        server, mark, inner = tool.partition("@")
        if mark and inner == "*" and tool not in of_servers:
            found |= {name for name in of_servers if name.partition("@")[0] == server}
        else:
            found.add(tool)
    return sorted(found)


def pin_of(app: App, name: str | None, options: dict[str, JsonValue], owner: str = SHARED) -> Pin:
    """Who is measured; *name* is an engine, a model or ``engine:model``. Raises ``UsageError``
    where it is none of them: nobody wants to measure another one unawares. Secrets of the options
    are put aside for *owner*."""
    engine, model = _named(app, name, defaults(app))
    if model and app.parts.engine(engine).simulated:
        if model != engine:
            raise UsageError(f"the {engine} agent has no model {model!r}")
        model = ""
    models = (f"{engine}:{model}",) if model else ()
    [pin] = pinned(app, Wish((engine,), models, options, owner=owner))
    app.require_credential(pin.engine, pin.model)
    return pin


def _named(app: App, name: str | None, known: Defaults) -> tuple[str, str]:
    """Engine and model; the model is empty for the agent's own."""
    if name is None:
        return known.engine, known.model_for(known.engine)
    name = name.strip()
    if not name:
        raise UsageError("model_name: is empty; leave it out for the default")
    engines = app.parts.engines()
    if name in engines:
        return name, known.model_for(name)
    engine, mark, model = name.partition(":")
    if mark and engine in engines:
        if not model:
            raise UsageError(f"model_name {name!r} names no model after the colon")
        return engine, model
    if app.parts.engine(known.engine).simulated:
        raise UsageError(
            f"model_name {name!r} is no engine, and the default engine {known.engine} has no "
            f"models; name an engine ({', '.join(engines)}) or engine:model"
        )
    return known.engine, name
