"""Running real agents against the scripted model, on a machine that is made up.

::

    with bench(tmp_path, says("Hello.")) as made:
        run = made.drive(ClaudeEngine(made.machine("claude", ANTHROPIC_BASE_URL=made.url)), spec)
        assert run.ended.answer == "Hello."
        assert "my prompt" in run.sent
"""

import asyncio
import importlib
import secrets
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

import psutil
import pytest
from pydantic import JsonValue

from tests.engines.installed import installed
from tests.run.agents import OneEngine
from whet.app.clock import SystemClock
from whet.core.address import digest_tree
from whet.core.arm import SkillPackage
from whet.core.case import Limits, Stimulus
from whet.core.files import FileRef
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.ports.conversing import Answerer
from whet.ports.engine import Engine
from whet.ports.machine import Machine
from whet.ports.pool import Handled
from whet.ports.workdir import Workdir
from whet.run.trial import TrialRunner
from whet.run.workdir import Scratch, keep
from whet.shell.sandbox import choose
from whet.stores.group_commit import GroupCommit
from whet.stores.memory import MemoryStore
from whet.testing.model_server import LoggedRequest, ModelServer, Script, Turn

SANDBOX = choose("auto")
"""The sandbox that all tests of real agents run in: the strongest there is."""

SECONDS = 120.0
"""How long one run may take on a busy machine."""

_AnyStep = TypeVar("_AnyStep", bound=Step)


class Agent(Protocol):
    """What is asked of an engine here: ``Engine`` and ``Conversing`` together."""

    @property
    def name(self) -> str: ...
    def version(self, options: Mapping[str, JsonValue], /) -> str: ...
    def converse(
        self,
        spec: TrialSpec,
        workdir: Workdir,
        conversation: str | None = None,
        answerer: Answerer | None = None,
    ) -> AsyncIterator[Step]: ...


@dataclass(frozen=True)
class Run:
    """What one start of an agent left behind."""

    steps: list[Step]
    outputs: dict[str, bytes]
    """What it created or changed in its working folder."""

    requests: tuple[LoggedRequest, ...]
    """What reached the model meanwhile, from anybody."""

    workdir: Workdir
    """Gone by now, unless the caller holds it."""

    files: frozenset[str] = field(repr=False)
    """Every file below the root of the workdir, when the run was over."""

    @property
    def ended(self) -> Ended:
        ends = self.all(Ended)
        assert len(ends) == 1, self.steps
        assert self.steps[-1] is ends[0]
        return ends[0]

    def all(self, kind: type[_AnyStep]) -> list[_AnyStep]:
        return [step for step in self.steps if isinstance(step, kind)]

    @property
    def said(self) -> list[str]:
        return [step.text for step in self.all(Said)]

    @property
    def tools(self) -> list[str]:
        return [step.tool for step in self.all(Called)]

    @property
    def returned(self) -> dict[str, Returned]:
        return {step.call_id: step for step in self.all(Returned)}

    @property
    def skills(self) -> list[str]:
        return [step.skill for step in self.all(Triggered)]

    @property
    def spent(self) -> list[Usage]:
        return [step.usage for step in self.all(Spent)]

    @property
    def sent(self) -> str:
        """The bodies of all requests to the model, as they came."""
        return "\n".join((request.body or b"").decode() for request in self.requests)


class Bench:
    """A scripted model, a made-up home, and folders as a real run has them."""

    def __init__(self, folder: Path, server: ModelServer) -> None:
        self.server = server
        self.home = folder / "user"
        self.home.mkdir()
        self.scratch_root = folder / "scratch"
        self.store = MemoryStore(lambda _owner: True, SystemClock())
        self._blobs = self.store.blobs
        self._scratch = Scratch(self.scratch_root, self._blobs)

    @property
    def url(self) -> str:
        return self.server.url

    def close(self) -> None:
        self._scratch.close()

    def machine(self, *programs: str, **environment: str) -> Machine:
        """A machine with these agents on its PATH, and nothing else of this one but a system."""
        folders = dict.fromkeys(str(installed(name).parent) for name in programs)
        path = ":".join([*folders, "/usr/bin", "/bin"])
        return Machine({"PATH": path, **environment}, self.home)

    def files(self, contents: Mapping[str, str | bytes]) -> tuple[FileRef, ...]:
        data = {
            path: text.encode() if isinstance(text, str) else text
            for path, text in contents.items()
        }
        return tuple(
            FileRef(path=path, digest=self._blobs.put(each), size=len(each))
            for path, each in data.items()
        )

    def package(self, contents: Mapping[str, str | bytes], name: str = "made-up") -> SkillPackage:
        """A skill of these files; a text if there is only a ``content.txt``."""
        refs = self.files(contents)
        tree = digest_tree({ref.path: ref.digest for ref in refs})
        kind = "text" if set(contents) == {"content.txt"} else "package"
        return SkillPackage(name=name, kind=kind, digest=tree, files=refs)

    def spec(
        self,
        agent: Agent,
        prompt: str,
        *,
        model: str,
        skill: SkillPackage | None = None,
        files: Mapping[str, str | bytes] | None = None,
        **options: JsonValue,
    ) -> TrialSpec:
        """A trial; *options* are those of the engine."""
        limits = Limits(timeout_seconds=SECONDS)
        return TrialSpec(
            skill=skill,
            stimulus=Stimulus(prompt=prompt, files=self.files(files or {}), limits=limits),
            engine=agent.name,
            engine_version=agent.version({}),
            model=model,
            options=options,
            sandbox=SANDBOX,
        )

    @contextmanager
    def workdir(self, spec: TrialSpec) -> Generator[Workdir]:
        with self._scratch.workdir(secrets.token_hex(8), spec) as workdir:
            yield workdir

    def drive(self, agent: Agent, spec: TrialSpec, answerer: Answerer | None = None) -> Run:
        """Run an agent in a folder of its own, from code that does not await."""
        return asyncio.run(self.driven(agent, spec, answerer=answerer))

    async def driven(self, agent: Agent, spec: TrialSpec, answerer: Answerer | None = None) -> Run:
        with self.workdir(spec) as workdir:
            return await self.conversed(agent, spec, workdir, answerer=answerer)

    def settle(self, agent: Engine, spec: TrialSpec) -> Handled:
        """Run a trial as an experiment does, with its limits, to its record."""
        runner = TrialRunner(
            parts=OneEngine(agent),
            store=self.store,
            writer=GroupCommit(self.store),
            scratch=self._scratch,
            clock=SystemClock(),
            owner="test",
            retries=0,
        )

        async def settled() -> Handled:
            return await runner(spec)

        return asyncio.run(settled())

    async def conversed(
        self,
        agent: Agent,
        spec: TrialSpec,
        workdir: Workdir,
        conversation: str | None = None,
        answerer: Answerer | None = None,
    ) -> Run:
        """Run an agent in a folder that the caller holds, to look into it or to go on there."""
        before = len(self.server.requests)
        async with asyncio.timeout(SECONDS):
            steps = [step async for step in agent.converse(spec, workdir, conversation, answerer)]
        return Run(
            steps,
            keep(workdir, spec.stimulus.files).files,
            self.server.requests[before:],
            workdir,
            frozenset(str(path.relative_to(workdir.root)) for path in _files(workdir.root)),
        )


@contextmanager
def bench(
    folder: Path, script: Script, on_request: Callable[[LoggedRequest], None] | None = None
) -> Generator[Bench]:
    """Everything, for the time of the block; *folder* must exist and be empty.

    *on_request* may hold a request back until something else has happened.
    """
    with ModelServer(script, on_request=on_request) as server:
        made = Bench(folder, server)
        try:
            yield made
        finally:
            made.close()


def says(*turns: str | Turn) -> Script:
    """A model that answers so, one after the other, whatever it is asked."""
    return Script(default=tuple(Turn(text=one) if isinstance(one, str) else one for one in turns))


def left_running(root: Path) -> list[psutil.Process]:
    """Processes that belong to a run in *root*: by their folder, files, words or variables."""
    return [each for each in psutil.process_iter() if _belongs(each, str(root))]


def nothing_runs(root: Path, seconds: float = 10.0) -> bool:
    """Whether all of a run in *root* is gone; what was killed may take a moment for it."""
    end = time.monotonic() + seconds
    while left_running(root):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def _belongs(process: psutil.Process, root: str) -> bool:
    if process.pid == psutil.Process().pid:
        return False
    sources: tuple[Callable[[], Iterable[str]], ...] = (
        process.cmdline,
        lambda: [process.cwd()],
        lambda: process.environ().values(),
        lambda: [file.path for file in process.open_files()],
    )
    return any(root in mark for source in sources for mark in _readable(source))


def _readable(source: Callable[[], Iterable[str]]) -> Iterable[str]:
    """A process that has just gone says nothing, and one of somebody else's not everything."""
    try:
        return source()
    except (psutil.Error, OSError):
        return ()


def snapshot(*folders: Path) -> dict[str, tuple[int, int]]:
    """Every file below, with its size and time of change: what a run must leave alone."""
    return {
        str(path): (path.lstat().st_size, path.lstat().st_mtime_ns)
        for folder in folders
        for path in _files(folder)
    }


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_symlink() or path.is_file():
            yield path


@dataclass(frozen=True)
class Subject:
    """An engine that tests of all engines run with."""

    name: str
    place: str
    """``module:class``"""

    model: str
    environment: Callable[[str, str], Mapping[str, str]]
    """The user's variables that lead to the scripted model, by its URL and the model's name."""

    def engine(self, made: Bench, **environment: str) -> Agent:
        module, _, name = self.place.partition(":")
        variables = {**self.environment(made.url, self.model), **environment}
        machine = made.machine(self.name, **variables)
        agent: Agent = getattr(importlib.import_module(module), name)(machine)
        return agent


SUBJECTS: list[Subject] = [
    Subject(
        "claude",
        "whet.engines.claude:ClaudeEngine",
        "claude-sonnet-4-5",
        lambda url, _model: {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "test-key"},
    ),
    Subject(
        "codex",
        "whet.engines.codex:CodexEngine",
        "gpt-5.5",
        lambda url, _model: {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "test-key"},
    ),
    Subject(
        "gemini",
        "whet.engines.gemini:GeminiEngine",
        "gemini-2.5-pro",
        lambda url, _model: {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "test-key"},
    ),
    Subject(
        "opencode",
        "whet.engines.opencode:OpencodeEngine",
        "scripted-model",
        lambda url, _model: {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "test-key"},
    ),
]
"""One line for each engine around a real agent."""

each_engine = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
"""For tests that hold for every one of them: ``def test_it(subject: Subject, ...)``."""
