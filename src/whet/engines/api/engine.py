"""The engine around the API of a model."""

import ssl
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from pydantic import JsonValue

from whet.core.errors import EngineFailure, EnvironmentProblem, UsageError
from whet.core.failure import Failure
from whet.core.step import Spent, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.engines.agent_cli.network import address_of
from whet.engines.agent_cli.options import AgentOptions, checked
from whet.engines.api.answer import converse, end_of
from whet.engines.api.providers import (
    INSTALL,
    PROVIDERS,
    Access,
    Provider,
    key_variables,
    library,
    load,
    model_of,
)
from whet.ports.inspected import Ability, Inspection
from whet.ports.machine import Machine
from whet.ports.tooled import FINAL_RESPONSE
from whet.ports.workdir import Workdir

if TYPE_CHECKING:
    import httpx2

_SPARE_SECONDS = 60.0


class ApiEngine:
    """``ports.engine.Engine``, ``Inspected`` and ``Tooled`` for models as ``provider:model``.

    One request for each execution and no second try: that is for whoever runs trials.
    """

    name = "api"
    simulated = False
    sandboxed = False
    abilities: ClassVar[frozenset[Ability]] = frozenset({"structured", "tools"})

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def version(self, options: Mapping[str, JsonValue]) -> str:
        """See the port. Loads the library too: that takes seconds, which must not be taken from
        the time that a trial has."""
        checked(AgentOptions, options, self.name)
        found = library()
        for name, provider in PROVIDERS.items():
            if self._key(provider):
                load(name)
        return found

    def inspect(self) -> Inspection:
        """See the port."""
        try:
            found = library()
        except EnvironmentProblem as error:
            return Inspection(
                installed=False, problem=str(error), fix=INSTALL, abilities=self.abilities
            )
        known = [provider for provider in PROVIDERS.values() if self._key(provider)]
        names = [name for each in known for name in each.key_variables if self._variable(name)]
        return Inspection(
            installed=True,
            version=found,
            credential=", ".join(dict.fromkeys(names)) or None,
            problem=None if known else "no credential",
            fix=None if known else f"set {', '.join(sorted(key_variables()))}, one of them",
            abilities=self.abilities,
            has_default_model=False,
            endpoints=tuple(dict.fromkeys(address_of(self._url(each)) for each in known)),
        )

    def secrets(self, _options: Mapping[str, JsonValue], /) -> Sequence[str]:
        """See the port."""
        return [key for name in sorted(key_variables()) if (key := self._variable(name))]

    def tools(self, options: Mapping[str, JsonValue], /) -> Sequence[str]:
        """See the port. A model alone can do nothing but answer."""
        checked(AgentOptions, options, self.name)
        return [FINAL_RESPONSE]

    async def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        """Ask once; see the port."""
        options = AgentOptions.of(spec)
        _refuse(spec, options)
        access = self._access(spec.model)
        library()
        from pydantic_ai.exceptions import AgentRunError, UserError

        seconds = spec.stimulus.limits.timeout_seconds
        spent = Usage()
        try:
            async with self._client(access.url, seconds) as client:
                model = model_of(access, client)
                conversation = converse(model, spec, workdir, options.output_schema)
                async with aclosing(conversation) as steps:
                    async for step in steps:
                        spent = step.usage if isinstance(step, Spent) else spent
                        yield step
        except AgentRunError as error:
            yield end_of(error, access, spent)
        except UserError as error:
            raise UsageError(f"{spec.model}: {' '.join(str(error).split())}") from error

    def check_credential(self, model: str) -> None:
        """See ``ports.credentialed``."""
        self._access(model)

    def _access(self, written: str) -> Access:
        name, _, model = written.partition(":")
        provider = PROVIDERS.get(name)
        if provider is None or not model:
            known = ", ".join(f"{each}:…" for each in PROVIDERS)
            raise UsageError(f"model {written!r} of engine api: write {known}")
        key = self._key(provider)
        if not key:
            wanted = " or ".join(provider.key_variables)
            raise EngineFailure(Failure.AUTH, f"{name} has no credential; set {wanted}")
        url = self._url(provider)
        address_of(url)  # what is no URL is refused with a word about it
        return Access(name, model, url, key)

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

    def _key(self, provider: Provider) -> str | None:
        return next(filter(None, map(self._variable, provider.key_variables)), None)

    def _url(self, provider: Provider) -> str:
        return (self._variable(provider.url_variable) or provider.url).rstrip("/")

    def _variable(self, name: str) -> str | None:
        return self._machine.environment.get(name)


def _is_among(host: str, names: str) -> bool:
    """Whether a list like that of NO_PROXY has the host, or a domain above it."""
    listed = (name.strip().removeprefix("*").removeprefix(".") for name in names.split(","))
    return any(host == name or host.endswith(f".{name}") for name in listed if name) or (
        names.strip() == "*"
    )


def _refuse(spec: TrialSpec, options: AgentOptions) -> None:
    """Say no to what only an agent program could do."""
    if spec.neighbours:
        raise UsageError("engine api cannot choose between skills: it is told one and follows it")
    if spec.stimulus.files:
        first = spec.stimulus.files[0].path
        raise UsageError(f"engine api has no tools and cannot read files, such as {first}")
    for name in ("mcp_servers", "extra_flags", "pass_environment", "environment", "allow_hosts"):
        if getattr(options, name):
            raise UsageError(f"option {name} of engine api: there is no program it could be for")
