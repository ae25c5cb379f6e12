"""Agents written by hand, and a runner around one of them."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from whet.app.clock import SystemClock
from whet.core.address import digest_bytes, digest_tree
from whet.core.arm import SkillPackage
from whet.core.case import Limits, Stimulus
from whet.core.errors import UnknownPart
from whet.core.failure import Failure
from whet.core.files import FileRef
from whet.core.step import Called, Ended, Returned, Said, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.ports.blobs import Blobs
from whet.ports.capability_exporter import CapabilityExporter
from whet.ports.checker import Checker
from whet.ports.engine import Engine
from whet.ports.exporter import Exporter
from whet.ports.judge import Judge, JudgeSetup
from whet.ports.project_exporter import ProjectExporter
from whet.ports.reader import Reader
from whet.ports.session_exporter import SessionExporter
from whet.ports.store import Store
from whet.ports.workdir import Workdir
from whet.run.trial import TrialRunner
from whet.run.workdir import Scratch
from whet.stores.group_commit import GroupCommit

Script = Callable[[TrialSpec, Workdir], AsyncGenerator[Step]]

USED = Usage(input_tokens=10, output_tokens=5, cost_usd=0.25)


def now() -> datetime:
    return datetime.now(UTC)


@dataclass
class ScriptedAgent:
    """``ports.engine.Engine`` that plays *scripts* one after the other, the last one for ever."""

    scripts: list[Script]
    name: str = "hand"
    simulated: bool = False
    sandboxed: bool = False
    starts: list[str] = field(default_factory=list[str])
    pauses: list[float] = field(default_factory=list[float])
    """How long its runner would have waited before each further start."""

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def version(self, _options: Mapping[str, JsonValue]) -> str:
        return "1"

    def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        script = self.scripts[min(len(self.starts), len(self.scripts) - 1)]
        self.starts.append(spec.address)
        return script(spec, workdir)


@dataclass
class OneEngine:
    """``ports.parts.Parts`` with a single engine."""

    only: Engine

    def engine(self, name: str) -> Engine:
        if name != self.only.name:
            raise UnknownPart("engine", name, [self.only.name])
        return self.only

    def engines(self) -> list[str]:
        return [self.only.name]

    def judge(self, name: str, _setup: JudgeSetup) -> Judge:
        raise UnknownPart("judge", name, [])

    def judges(self) -> list[str]:
        return []

    def checker(self, name: str) -> Checker:
        raise UnknownPart("checker", name, [])

    def checkers(self) -> list[str]:
        return []

    def exporter(self, name: str) -> Exporter:
        raise UnknownPart("exporter", name, [])

    def exporters(self) -> list[str]:
        return []

    def project_exporter(self, name: str) -> ProjectExporter:
        raise UnknownPart("project_exporter", name, [])

    def project_exporters(self) -> list[str]:
        return []

    def capability_exporter(self, name: str) -> CapabilityExporter:
        raise UnknownPart("capability_exporter", name, [])

    def capability_exporters(self) -> list[str]:
        return []

    def session_exporter(self, name: str) -> SessionExporter:
        raise UnknownPart("session_exporter", name, [])

    def session_exporters(self) -> list[str]:
        return []

    def reader(self, name: str) -> Reader:
        raise UnknownPart("reader", name, [])

    def readers(self) -> list[str]:
        return []


async def answers(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Reads, writes a file, answers."""
    yield Said(now(), "I begin.")
    yield Called(now(), "1", "Write", {"file_path": "answer.txt"})
    await asyncio.sleep(0)
    (workdir.work / "answer.txt").write_text(f"About {spec.stimulus.prompt}")
    yield Returned(now(), "1", ok=True, output="written")
    yield Ended(now(), "42", USED)


def ends(failure: Failure, error: str | None = "so it is", usage: Usage = USED) -> Script:
    """Ends with a failure of its own."""

    async def script(_spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        yield Said(now(), "I try.")
        yield Ended(now(), "half", usage, failure, error)

    return script


def raises(error: Exception) -> Script:
    """Breaks after its first step."""

    async def script(_spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        yield Said(now(), "I try.")
        raise error

    return script


def yields(*steps: Step) -> Script:
    """Goes through exactly these steps."""

    async def script(_spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        for step in steps:
            yield step

    return script


@dataclass
class Waiting:
    """A script that waits until it is cancelled, and says so."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    cleaned_up: list[str] = field(default_factory=list[str])
    first: tuple[Step, ...] = ()

    async def __call__(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        try:
            (workdir.work / "half.txt").write_text("half")
            for step in self.first:
                yield step
            self.begun.set()
            await asyncio.Event().wait()
        finally:
            # To end a process takes its time; whoever cancels has to wait for it.
            await asyncio.sleep(0.02)
            self.cleaned_up.append(spec.address)


def files(contents: dict[str, bytes], blobs: Blobs) -> tuple[FileRef, ...]:
    """Put contents among the blobs and name them."""
    return tuple(
        FileRef(path=path, digest=blobs.put(data), size=len(data))
        for path, data in contents.items()
    )


def skill(refs: tuple[FileRef, ...]) -> SkillPackage:
    tree = digest_tree({ref.path: ref.digest for ref in refs})
    return SkillPackage(name="s", kind="text", digest=tree, files=refs)


def spec(
    prompt: str = "Do it.",
    *,
    seconds: float = 20,
    given: tuple[FileRef, ...] = (),
    skill: SkillPackage | None = None,
    engine: str = "hand",
    version: str = "1",
) -> TrialSpec:
    limits = Limits(timeout_seconds=seconds)
    return TrialSpec(
        skill=skill,
        stimulus=Stimulus(prompt=prompt, files=given, limits=limits),
        engine=engine,
        engine_version=version,
        model="m",
    )


def runner(
    store: Store, folder: Path, *scripts: Script, owner: str = "me", retries: int = 2
) -> tuple[TrialRunner, ScriptedAgent]:
    """A runner with one agent; *folder* becomes its scratch root."""
    agent = ScriptedAgent(list(scripts))
    made = TrialRunner(
        parts=OneEngine(agent),
        store=store,
        writer=GroupCommit(store),
        scratch=Scratch(folder, store.blobs),
        clock=SystemClock(),
        owner=owner,
        retries=retries,
        sleep=agent.pause,
    )
    return made, agent


def content(data: bytes) -> str:
    return digest_bytes(data)
