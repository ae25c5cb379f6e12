"""Any program that reads a prompt and writes files, as an agent."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, JsonValue

from whet.core.address import digest, digest_bytes
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.failure import Failure
from whet.core.step import Ended, Said, Step
from whet.core.text import storable
from whet.core.trial import TrialSpec
from whet.core.value import Value
from whet.engines.agent_cli import variables
from whet.engines.agent_cli.confine import Place, confined
from whet.engines.agent_cli.drive import last_words
from whet.engines.agent_cli.home import Home, passed
from whet.engines.agent_cli.options import checked
from whet.engines.agent_cli.program import found
from whet.ports.inspected import Inspection
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir
from whet.shell.process import Exit, started

_ADAPTER = "1"
_MOST_ANSWER = 1024 * 1024
"""Characters; what a program prints beyond is read and thrown away."""

_MOST_FILES = 10_000


class CommandOptions(Value):
    """How the program is called."""

    argv: tuple[str, ...] = Field(min_length=1)
    """The program and its arguments; paths are absolute, since the working folder is fresh."""

    prompt_by: Literal["stdin", "file", "argument"] = "stdin"
    """Where the program finds its task. A file's path is in the variable ``WHET_PROMPT``."""

    readable: tuple[str, ...] = ()
    """Files and folders that it needs besides those that ``argv`` names."""

    pass_environment: tuple[str, ...] = ()
    """Names of the user's variables that it gets as they are."""

    environment: dict[str, str] = {}
    """Variables that it is given, with their values, which are secrets."""

    allow_hosts: tuple[str, ...] = ()
    """Hosts it may reach, each with its port: ``name:443``."""

    @classmethod
    def of(cls, options: Mapping[str, JsonValue]) -> "CommandOptions":
        """Check the options; raises ``UsageError``."""
        read = checked(cls, options, CommandEngine.name)
        variables.refuse(read.environment, CommandEngine.name, ("WHET_*",))
        return read


class CommandEngine:
    """``ports.engine.Engine`` for a program that knows nothing of whet.

    It starts in the working folder and gets the prompt, the folder with the skill in the
    variable ``WHET_SKILL``, and the model in ``WHET_MODEL``. The files it leaves are its
    output, what it prints is its answer, and an exit code other than zero is a crash.
    """

    name = "command"
    simulated = False
    sandboxed = True

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def version(self, options: Mapping[str, JsonValue]) -> str:
        """Changes with every file that the options name: another program is another agent."""
        read = CommandOptions.of(options)
        named = [self._program(read), *map(Path, (*read.argv[1:], *read.readable))]
        contents = [_contents(path) for path in named if path.is_absolute() and _is_there(path)]
        return f"{_ADAPTER}-{digest(contents)[:12]}"

    def inspect(self) -> Inspection:
        """See the port."""
        return Inspection(installed=True, version=_ADAPTER)

    def secrets(self, options: Mapping[str, JsonValue]) -> Sequence[str]:
        """See the port."""
        names = CommandOptions.of(options).pass_environment
        passed_on = [self._machine.environment.get(name, "") for name in names]
        return [*passed_on, *variables.values(options)]

    async def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        """See the port."""
        options = CommandOptions.of(spec.options)
        if spec.neighbours:
            raise UsageError("engine command takes one skill; it knows nothing of others beside it")
        home = Home.below(workdir)
        argv = (str(self._program(options)), *options.argv[1:])
        environment = {
            **home.environment(self._machine),
            "WHET_MODEL": spec.model,
            **({"WHET_SKILL": str(workdir.skill)} if workdir.skill else {}),
            **options.environment,
            **passed(self._machine, options.pass_environment),
        }
        prompt, stdin = storable(spec.stimulus.prompt), None
        match options.prompt_by:
            case "stdin":
                stdin = prompt
            case "file":
                environment["WHET_PROMPT"] = str(home.write("prompt.txt", prompt))
            case "argument":
                argv += (prompt,)
        named = map(Path, (*options.argv[1:], *options.readable))
        readable = tuple(path for path in named if path.is_absolute() and path.exists())
        place = Place(spec, workdir, self._machine, options.allow_hosts, readable=readable)
        said: list[str] = []
        room = _MOST_ANSWER
        async with started(confined(place, argv, environment, stdin)) as process:
            async for line in process.lines():
                if line and room > 0:
                    said.append(line[:room])
                    room -= len(line) + 1
                    yield Said(datetime.now(UTC), said[-1])
            exit_ = await process.ended()
        yield _ended("\n".join(said), exit_, cut=exit_.truncated or room <= 0)

    def _program(self, options: CommandOptions) -> Path:
        program = options.argv[0]
        path = self._machine.environment.get("PATH", "")
        if "/" in program and not Path(program).is_absolute():
            raise UsageError(f"option argv of engine command: {program} is not an absolute path")
        return found(program, path, f"whatever provides {program}")


def _ended(answer: str, exit_: Exit, *, cut: bool) -> Ended:
    failure, error = (None, None) if exit_.ok else (Failure.CRASH, last_words(exit_))
    return Ended(datetime.now(UTC), answer, failure=failure, error=error, cut=cut)


def _is_there(path: Path) -> bool:
    """Whether it is a file or a folder: a device may have no end, and an argument may be too long
    to be the name of anything."""
    try:
        return path.is_file() or path.is_dir()
    except OSError:
        return False


def _contents(path: Path) -> JsonValue:
    """What tells this file or folder from a changed one."""
    try:
        if path.is_dir():
            below = sorted(path.rglob("*"))
            if len(below) > _MOST_FILES:
                raise UsageError(f"option readable of engine command: {path} has too many files")
            return [
                [str(file), digest_bytes(file.read_bytes())] for file in below if file.is_file()
            ]
        return digest_bytes(path.read_bytes())
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error
