"""The engine around an agent program; one subclass for each program."""

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from shutil import which
from typing import ClassVar

from pydantic import JsonValue

from whet.core.errors import EngineFailure, EnvironmentProblem, UsageError
from whet.core.failure import Failure
from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.engines.agent_cli import program, variables
from whet.engines.agent_cli.confine import Place, confined
from whet.engines.agent_cli.credential import Credential
from whet.engines.agent_cli.drive import drive
from whet.engines.agent_cli.home import Home, passed
from whet.engines.agent_cli.network import endpoint
from whet.engines.agent_cli.options import AgentOptions, checked
from whet.engines.agent_cli.reader import Reader
from whet.engines.agent_cli.task import Launch, Task
from whet.ports.conversing import Answerer
from whet.ports.inspected import Ability, Inspection
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir
from whet.shell.command import Command
from whet.shell.process import started

_CONVERSATION = re.compile(r"\w[\w.-]{0,199}")
"""The agent may have had its hands on that name, which becomes an argument."""


class CliEngine(ABC):
    """``ports.engine.Engine``, ``Conversing``, ``Inspected`` and ``Tooled`` for a program on the
    PATH."""

    name: ClassVar[str]
    install: ClassVar[str]
    """The command that installs the program."""

    log_in: ClassVar[str]
    """How a user gets a credential."""

    abilities: ClassVar[frozenset[Ability]]

    own_tools: ClassVar[frozenset[str]]
    """Canonical names of the tools that its agent has unless some are taken away."""

    own_variables: ClassVar[tuple[str, ...]]
    """Names of variables that mean something to the program; see ``variables.refuse``."""

    needs: ClassVar[tuple[str, ...]] = ()
    """Further programs on the PATH that it calls."""

    simulated = False
    sandboxed = True

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    @abstractmethod
    def credentials(self) -> Sequence[Credential]:
        """The credentials that are there, the preferred one first. Looked up anew each time:
        a login may be renewed while an experiment runs."""

    @abstractmethod
    def endpoints(self, credential: Credential, /) -> tuple[str, ...]:
        """The hosts with ports (``name:443``) that the model is reached at."""

    @abstractmethod
    def prepare(self, task: Task) -> Launch:
        """Compose the home (configuration, skill) and say how to start the program."""

    @abstractmethod
    def reader(self, task: Task) -> Reader:
        """A reader of what it will print."""

    def version(self, options: Mapping[str, JsonValue]) -> str:
        """See the port. Options that cannot be are refused here, before anything is planned."""
        read = checked(AgentOptions, options, self.name)
        self._refuse(read, None, None)
        passed(self.machine, read.pass_environment)
        for host in read.allow_hosts:
            endpoint(host)
        return program.version(self.program(), {"PATH": self._path})

    def tools(self, options: Mapping[str, JsonValue]) -> Sequence[str]:
        """See the port. ``Skill`` is counted only where it is allowed, although whoever tries
        out a package has it anyhow."""
        read = checked(AgentOptions, options, self.name)
        self._refuse(read, None, None)
        return read.tools(self.own_tools)

    def program(self) -> Path:
        """The program's file; raises ``EnvironmentProblem``."""
        configured = self.machine.program_of(self.name)
        return program.found(self.name, self._path, self.install, configured)

    def credential(self, _model: str | None = None) -> Credential:
        """The one that is used for a model; raises ``EngineFailure``."""
        found = self.credentials()
        if not found:
            raise EngineFailure(Failure.AUTH, f"{self.name}: {self.lack()}; {self.log_in}")
        return found[0]

    def check_credential(self, model: str) -> None:
        """See ``ports.credentialed``."""
        self.credential(None if model == "default" else model)

    def lack(self) -> str:
        """What is wrong where there are no credentials."""
        return "no credential"

    def inspect(self) -> Inspection:
        """See the port."""
        looked = Inspection(installed=False, fix=self.install, abilities=self.abilities)
        try:
            configured = self.machine.program_of(self.name)
        except EnvironmentProblem as error:  # it says itself what to do; installing would not help
            return replace(looked, problem=str(error), fix=None)
        try:
            if configured is not None:
                looked = replace(
                    looked,
                    program=configured,
                    program_setting=program.SETTING,
                    fix=program.set_back(self.name),
                )
            elif which(self.name, path=self._path) is None:
                return replace(looked, problem=f"{self.name} is not on the PATH")
            looked = replace(looked, program=str(self.program()))
            version = self.version({})
        except EnvironmentProblem as error:
            return replace(looked, problem=str(error))
        found = self.credentials()
        return replace(
            looked,
            installed=True,
            version=version,
            credential=found[0].source if found else None,
            problem=None if found else self.lack(),
            fix=None if found else self.log_in,
            endpoints=self.endpoints(found[0]) if found else (),
        )

    def secrets(self, options: Mapping[str, JsonValue]) -> Sequence[str]:
        """See the port."""
        passed = options.get("pass_environment")
        names = [str(name) for name in passed] if isinstance(passed, list) else []
        values = [self.machine.environment.get(name, "") for name in names]
        values += variables.values(options)
        return [*values, *(secret for each in self.credentials() for secret in each.secrets)]

    def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        """See the port."""
        return self.converse(spec, workdir)

    async def converse(
        self,
        spec: TrialSpec,
        workdir: Workdir,
        conversation: str | None = None,
        answerer: Answerer | None = None,
    ) -> AsyncGenerator[Step]:
        """See the port."""
        options = AgentOptions.of(spec)
        self._refuse(options, conversation, answerer)
        task = Task(spec, workdir, options, Home.below(workdir), conversation, answerer)
        command, first = self.command(task)
        async with started(command) as process:
            if first is not None:
                await process.write(first)
            async with aclosing(drive(process, self.reader(task), task)) as steps:
                async for step in steps:
                    yield step

    def command(self, task: Task) -> tuple[Command, str | None]:
        """The command of a task, in its sandbox; with what is written to it first if its input
        stays open."""
        credential = self.credential(task.model)
        task.home.hand_over(credential)
        launch = self.prepare(task)
        argv = (str(self.program()), *launch.arguments)
        environment = {
            **task.home.environment(self.machine),
            **credential.environment,
            **launch.environment,
            **task.options.environment,
            **passed(self.machine, task.options.pass_environment),
        }
        hosts = (*self.endpoints(credential), *task.options.allow_hosts)
        needs = self._needs(task.options)
        place = Place(task.spec, task.workdir, self.machine, hosts, needs)
        talks = task.answerer is not None and not launch.input_ends
        command = confined(place, argv, environment, launch.stdin, interactive=talks)
        return command, launch.stdin if talks else None

    def _needs(self, options: AgentOptions) -> tuple[Path, ...]:
        servers = (server.get("command") for server in options.mcp_servers.values())
        names = (*self.needs, *(name for name in servers if isinstance(name, str)))
        found = (which(name, path=self._path) for name in names)
        return tuple(map(Path, filter(None, found)))

    def _refuse(
        self, options: AgentOptions, conversation: str | None, answerer: Answerer | None
    ) -> None:
        wanted: dict[Ability, bool] = {
            "resume": conversation is not None,
            "interactive": answerer is not None,
            "structured": options.output_schema is not None,
            "mcp": bool(options.mcp_servers),
            "tools": options.allowed_tools is not None,
            "cost": options.max_budget_usd is not None,
            "compact": options.compact_tokens is not None,
        }
        if conversation is not None and not _CONVERSATION.fullmatch(conversation):
            raise UsageError(f"{self.name} has no conversation {conversation!r}")
        variables.refuse(options.environment, self.name, self.own_variables)
        for ability, is_wanted in wanted.items():
            if is_wanted and ability not in self.abilities:
                raise UsageError(f"{self.name} cannot do this: {_SAID[ability]}")

    @property
    def _path(self) -> str:
        return self.machine.environment.get("PATH", "")


_SAID: dict[Ability, str] = {
    "resume": "go on with a conversation",
    "interactive": "let somebody answer it",
    "structured": "answer by a JSON Schema",
    "mcp": "use MCP servers",
    "tools": "be confined to some tools",
    "compact": "compress its conversation at a number of tokens",
    "cost": "stop at a sum of money, as it does not say what it costs",
}
