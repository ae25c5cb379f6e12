"""One request to a model, and what came of it as steps."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pydantic import JsonValue

from whet.core.errors import EngineFailure, UsageError
from whet.core.failure import Failure
from whet.core.step import Ended, Said, Spent, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.engines.agent_cli.failures import classify
from whet.engines.api.providers import Access
from whet.ports.workdir import Workdir

if TYPE_CHECKING:  # the library takes seconds to load, and need not be there
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_ASK_JSON = "Answer with one JSON value that fits this JSON Schema, and nothing else:\n\n{schema}"


async def converse(
    model: "Model", spec: TrialSpec, workdir: Workdir, schema: dict[str, JsonValue] | None
) -> AsyncGenerator[Step]:
    """One streamed request: what is used up is known as early as the service tells it."""
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.messages import ModelRequest
    from pydantic_ai.settings import ModelSettings

    parameters, wish = _output(model, schema)
    system = "\n\n".join(filter(None, (_instructions(spec, workdir), wish))) or None
    request = ModelRequest.user_text_prompt(spec.stimulus.prompt, instructions=system)
    tokens = 0
    async with model_request_stream(
        model,
        [request],
        model_settings=ModelSettings(max_retries=0),
        model_request_parameters=parameters,
        instrument=False,
    ) as stream:
        async for _ in stream:
            if (total := stream.usage.input_tokens + stream.usage.output_tokens) != tokens:
                tokens = total
                yield Spent(_now(), _usage(stream.get()))
        response = stream.get()
    ended = _ended(response)
    if ended.answer:
        yield Said(ended.at, ended.answer)
    yield ended


def _output(
    model: "Model", schema: dict[str, JsonValue] | None
) -> tuple["ModelRequestParameters", str | None]:
    """How an answer by a schema is asked for: of the service where it can, else in words."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if schema is None:
        return ModelRequestParameters(), None
    if schema.get("type") == "object" and model.profile.get("supports_json_schema_output"):
        wanted = OutputObjectDefinition(json_schema=dict(schema), name="answer")
        return ModelRequestParameters(output_mode="native", output_object=wanted), None
    return ModelRequestParameters(), _ASK_JSON.format(schema=json.dumps(schema))


def _instructions(spec: TrialSpec, workdir: Workdir) -> str | None:
    if spec.skill is None or workdir.skill is None:
        return None
    text = (workdir.skill / spec.skill.entry.path).read_text(encoding="utf-8", errors="replace")
    return _FRONT_MATTER.sub("", text) if spec.skill.kind == "package" else text


def _ended(response: "ModelResponse") -> Ended:
    """What the model came to."""
    usage = _usage(response)
    answer = response.text or ""
    match response.finish_reason:
        case "content_filter":
            return Ended(_now(), answer, usage, Failure.REFUSAL, "the model refused to answer")
        case "length":
            error = "the answer is longer than the model may give"
            return Ended(_now(), answer, usage, Failure.CONTEXT, error, cut=True)
        case None | "error":
            return Ended(_now(), answer, usage, Failure.NETWORK, "the answer broke off")
        case _:
            return Ended(_now(), answer, usage)


def _usage(response: "ModelResponse") -> Usage:
    """What is used up so far; the library counts cached tokens as input too."""
    used = response.usage
    cached = used.cache_read_tokens + used.cache_write_tokens
    return Usage(
        input_tokens=max(0, used.input_tokens - cached),
        output_tokens=used.output_tokens,
        cache_read_tokens=used.cache_read_tokens,
        cache_write_tokens=used.cache_write_tokens,
        cost_usd=_cost(response) if used.input_tokens else None,
    )


def _cost(response: "ModelResponse") -> float | None:
    """The price as far as the library knows it."""
    with suppress(LookupError, ValueError, AssertionError):
        return float(response.cost().total_price)
    return None


def end_of(error: Exception, access: Access, spent: Usage) -> Ended:
    """How a trouble ends the trial; raises it if that is no answer of the model."""
    failure = _failure(error, access)
    if isinstance(failure, EngineFailure) and failure.kind.is_answer:
        return Ended(_now(), "", spent, failure.kind, str(failure))
    raise failure from error


def _failure(error: Exception, access: Access) -> EngineFailure | UsageError:
    from pydantic_ai.exceptions import (
        ContentFilterError,
        ModelAPIError,
        ModelConnectionError,
        ModelHTTPError,
    )

    said = f"{access.provider}: {_one_line(error)}"
    match error:
        case ContentFilterError():
            return EngineFailure(Failure.REFUSAL, said)
        case ModelHTTPError(status_code=status):
            kind = classify(status, said)
            if kind is Failure.CRASH and status < 500:
                return UsageError(f"{said} (model {access.model!r})")
            return EngineFailure(kind, said)
        case ModelConnectionError():
            return EngineFailure(Failure.NETWORK, said)
        case ModelAPIError():
            kind = classify(None, said)
            return EngineFailure(Failure.NETWORK if kind is Failure.CRASH else kind, said)
        case _:
            return EngineFailure(Failure.CRASH, said)


def _one_line(error: Exception) -> str:
    """What the service said, without the library's words around it where that can be told."""
    match getattr(error, "body", None):
        case {"error": {"message": str(message)}} | {"message": str(message)}:
            text = f"{getattr(error, 'status_code', '')} {message}".strip()
        case _:
            text = str(error)
    return " ".join(text.split())[:500]


def _now() -> datetime:
    return datetime.now(UTC)
