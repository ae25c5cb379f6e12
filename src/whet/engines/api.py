"""A model behind an API, without an agent around it: prompt in, text out.

It has no tools. So a skill can only be read: the text of one, or the instructions in the
SKILL.md of a package, go in as system prompt, and a package's scripts cannot run. A trial with
input files is refused, since nothing could read them.
"""

import json
import re
import ssl
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version  # noqa: TID251 - of a library
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from pydantic import JsonValue

from whet.core.errors import EngineFailure, EnvironmentProblem, UsageError
from whet.core.failure import Failure
from whet.core.step import Ended, Said, Spent, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.engines.agent_cli.failures import classify
from whet.engines.agent_cli.options import AgentOptions
from whet.ports.inspected import Ability, Inspection
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir

if TYPE_CHECKING:  # the library takes seconds to load, and need not be there
    import httpx2
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

ADAPTER = 1
"""Raised whenever the same request would be put differently."""

_INSTALL = "pip install 'whet[api]'"
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_ASK_JSON = "Answer with one JSON value that fits this JSON Schema, and nothing else:\n\n{schema}"
_SPARE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class _Provider:
    """Whose API it is: where it is, unless a variable says otherwise, and whose key it wants."""

    url: str
    url_variable: str
    key_variables: tuple[str, ...]


_OPENAI = _Provider("https://api.openai.com/v1", "OPENAI_BASE_URL", ("OPENAI_API_KEY",))
_PROVIDERS = {
    "anthropic": _Provider(
        "https://api.anthropic.com", "ANTHROPIC_BASE_URL", ("ANTHROPIC_API_KEY",)
    ),
    "google": _Provider(
        "https://generativelanguage.googleapis.com",
        "GOOGLE_GEMINI_BASE_URL",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
    "openai": _OPENAI,
    "openai-chat": _OPENAI,  # the older protocol, which most compatible servers speak
}


@dataclass(frozen=True, slots=True)
class _Access:
    """One model with all that is needed to reach it."""

    provider: str
    model: str
    url: str
    key: str


class ApiEngine:
    """``ports.engine.Engine`` and ``Inspected`` for models written as ``provider:model``.

    One request for each execution and no second try: that is for whoever runs trials.
    """

    name = "api"
    simulated = False
    sandboxed = False
    abilities: ClassVar[frozenset[Ability]] = frozenset({"structured", "tools"})

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def version(self, _options: Mapping[str, JsonValue]) -> str:
        """See the port. Loads the library too: that takes seconds, which must not be taken from
        the time that a trial has."""
        found = _version()
        for name, provider in _PROVIDERS.items():
            if self._key(provider):
                _load(name)
        return found

    def inspect(self) -> Inspection:
        """See the port."""
        try:
            found = _version()
        except EnvironmentProblem as error:
            return Inspection(
                installed=False, problem=str(error), fix=_INSTALL, abilities=self.abilities
            )
        known = [provider for provider in _PROVIDERS.values() if self._key(provider)]
        names = [name for each in known for name in each.key_variables if self._variable(name)]
        return Inspection(
            installed=True,
            version=found,
            credential=", ".join(dict.fromkeys(names)) or None,
            problem=None if known else "no credential",
            fix=None if known else f"set {', '.join(sorted(_key_variables()))}, one of them",
            abilities=self.abilities,
            endpoints=tuple(dict.fromkeys(_endpoint(self._url(each)) for each in known)),
        )

    def secrets(self, _options: Mapping[str, JsonValue], /) -> Sequence[str]:
        """See the port."""
        return [key for name in sorted(_key_variables()) if (key := self._variable(name))]

    async def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        """Ask once; see the port."""
        options = AgentOptions.of(spec)
        _refuse(spec, options)
        access = self._access(spec.model)
        _version()
        from pydantic_ai.exceptions import AgentRunError, UserError

        seconds = spec.stimulus.limits.timeout_seconds
        try:
            async with self._client(access.url, seconds) as client:
                model = _model(access, client)
                conversation = _converse(model, spec, workdir, options.output_schema)
                async with aclosing(conversation) as steps:
                    async for step in steps:
                        yield step
        except AgentRunError as error:
            failure = _failure(error, access)
            if not (isinstance(failure, EngineFailure) and failure.kind.is_answer):
                raise failure from error
            yield Ended(_now(), "", Usage(), failure.kind, str(failure))
        except UserError as error:
            raise UsageError(f"{spec.model}: {' '.join(str(error).split())}") from error

    def _access(self, written: str) -> _Access:
        name, _, model = written.partition(":")
        provider = _PROVIDERS.get(name)
        if provider is None or not model:
            known = ", ".join(f"{each}:…" for each in _PROVIDERS)
            raise UsageError(f"model {written!r} of engine api: write {known}")
        key = self._key(provider)
        if not key:
            wanted = " or ".join(provider.key_variables)
            raise EngineFailure(Failure.AUTH, f"{name} has no credential; set {wanted}")
        return _Access(name, model, self._url(provider), key)

    def _client(self, url: str, seconds: float) -> "httpx2.AsyncClient":
        """A connection by the proxy and certificates of this machine; the trial's own limit
        ends a request before this one does."""
        import httpx2

        certificates = self._variable("SSL_CERT_FILE")
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(seconds + _SPARE_SECONDS, connect=min(seconds, 30.0)),
            trust_env=False,
            proxy=self._proxy(url),
            verify=ssl.create_default_context(cafile=certificates) if certificates else True,
        )

    def _proxy(self, url: str) -> str | None:
        address = urlsplit(url)
        without = self._variable("no_proxy") or self._variable("NO_PROXY") or ""
        if _is_among(address.hostname or "", without):
            return None
        names = (f"{address.scheme}_proxy", "all_proxy")
        found = (self._variable(each) for name in names for each in (name, name.upper()))
        return next(filter(None, found), None)

    def _key(self, provider: _Provider) -> str | None:
        return next(filter(None, map(self._variable, provider.key_variables)), None)

    def _url(self, provider: _Provider) -> str:
        return (self._variable(provider.url_variable) or provider.url).rstrip("/")

    def _variable(self, name: str) -> str | None:
        return self._machine.environment.get(name)


def _version() -> str:
    try:
        return f"{version('pydantic-ai-slim')}+{ADAPTER}"
    except PackageNotFoundError:
        raise EnvironmentProblem(f"engine api needs the extra: {_INSTALL}") from None


def _load(provider: str) -> None:
    match provider:
        case "anthropic":
            import pydantic_ai.models.anthropic
        case "google":
            import pydantic_ai.models.google
        case _:
            import pydantic_ai.models.openai  # noqa: F401 - they are only to be there


def _key_variables() -> set[str]:
    return {name for provider in _PROVIDERS.values() for name in provider.key_variables}


def _endpoint(url: str) -> str:
    address = urlsplit(url)
    return f"{address.hostname}:{address.port or (80 if address.scheme == 'http' else 443)}"


def _is_among(host: str, names: str) -> bool:
    """Whether a list like that of NO_PROXY has the host, or a domain above it."""
    listed = (name.strip().removeprefix("*").removeprefix(".") for name in names.split(","))
    return any(host == name or host.endswith(f".{name}") for name in listed if name) or (
        names.strip() == "*"
    )


def _refuse(spec: TrialSpec, options: AgentOptions) -> None:
    """Say no to what only an agent program could do."""
    if spec.stimulus.files:
        first = spec.stimulus.files[0].path
        raise UsageError(f"engine api has no tools and cannot read files, such as {first}")
    for name in ("mcp_servers", "extra_flags", "pass_environment", "allow_hosts"):
        if getattr(options, name):
            raise UsageError(f"option {name} of engine api: there is no program it could be for")


def _model(access: _Access, client: "httpx2.AsyncClient") -> "Model":
    """The model, with nothing taken from the process's own environment."""
    match access.provider:
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            anthropic = AnthropicProvider(
                api_key=access.key, base_url=access.url, http_client=client
            )
            return AnthropicModel(access.model, provider=anthropic)
        case "google":
            from google.genai.types import HttpRetryOptions
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            google = GoogleProvider(
                api_key=access.key,
                base_url=access.url,
                http_client=client,
                retry_options=HttpRetryOptions(attempts=1),
            )
            return GoogleModel(access.model, provider=google)
        case _:
            from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
            from pydantic_ai.profiles.openai import OpenAIModelProfile
            from pydantic_ai.providers.openai import OpenAIProvider

            openai = OpenAIProvider(api_key=access.key, base_url=access.url, http_client=client)
            if access.provider == "openai":
                return OpenAIResponsesModel(access.model, provider=openai)
            # Without this an answer that breaks off passes for a whole one.
            strict = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
            return OpenAIChatModel(access.model, provider=openai, profile=strict)


async def _converse(
    model: "Model", spec: TrialSpec, workdir: Workdir, schema: dict[str, JsonValue] | None
) -> AsyncGenerator[Step]:
    """One streamed request: what is used up is known as early as the service tells it."""
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.messages import ModelRequest
    from pydantic_ai.settings import ModelSettings

    parameters, wish = _output(model, schema)
    system = "\n\n".join(filter(None, (_instructions(spec, workdir), wish))) or None
    request = ModelRequest.user_text_prompt(spec.stimulus.prompt, instructions=system)
    spent = Usage()
    async with model_request_stream(
        model,
        [request],
        model_settings=ModelSettings(max_retries=0),
        model_request_parameters=parameters,
        instrument=False,
    ) as stream:
        async for _ in stream:
            if (usage := _usage(stream.get())) != spent:
                spent = usage
                yield Spent(_now(), spent)
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


def _failure(error: Exception, access: _Access) -> EngineFailure | UsageError:
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
