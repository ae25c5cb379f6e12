"""What every engine must do. ``check_engine`` runs it all; ``CHECKS`` lets a test run each.

::

    check_engine(Subject(make=lambda: NotesEngine(machine), prompt="Write a note."))

An engine around a real program is pointed at ``whet.testing.model_server`` by its machine.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from whet.core.address import digest_bytes, digest_tree
from whet.core.arm import SkillPackage
from whet.core.case import Limits, Stimulus
from whet.core.errors import EngineFailure
from whet.core.files import FileRef
from whet.core.step import Called, Ended, Returned, Step
from whet.core.trial import TrialSpec
from whet.ports.engine import Engine
from whet.ports.tooled import FINAL_RESPONSE, Tooled
from whet.ports.workdir import Workdir

_SKILL_TEXT = "---\nname: tidy\ndescription: Use it to write tidily.\n---\n\nWrite tidily.\n"
_INPUT = "The input of the case.\n"
_LEAVE_SECONDS = 5.0


@dataclass(frozen=True)
class Subject:
    """An engine under test, and what to ask of it."""

    make: Callable[[], Engine]
    prompt: str
    """A task that the agent carries out to its end."""

    endless: str | None = None
    """A task that the agent is busy with until it is stopped; None leaves that check out."""

    model: str = "default"
    options: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    sandbox: str = "none"
    writes: str | None = None
    """The file that the task makes the agent write, if it does."""

    seconds: float = 120.0
    """How long one run may take."""

    def spec(self, engine: Engine, prompt: str, skill: SkillPackage | None = None) -> TrialSpec:
        """A trial for it."""
        data = _INPUT.encode()
        given = FileRef(path="data/input.txt", digest=digest_bytes(data), size=len(data))
        return TrialSpec(
            skill=skill,
            stimulus=Stimulus(
                prompt=prompt, files=(given,), limits=Limits(timeout_seconds=self.seconds)
            ),
            engine=engine.name,
            engine_version=engine.version(self.options),
            model=self.model,
            options=dict(self.options),
            sandbox=self.sandbox,
        )


def check_engine(subject: Subject) -> None:
    """Run every check; an ``AssertionError`` names what is wrong."""
    for check in CHECKS:
        check(subject)


def check_it_says_who_it_is(subject: Subject) -> None:
    """Name, version and flags are there, and stay the same."""
    one, other = subject.make(), subject.make()
    assert one.name, "an engine needs a name"
    assert isinstance(one.simulated, bool), "simulated must be a bool"
    assert isinstance(one.sandboxed, bool), "sandboxed must be a bool"
    version = one.version(subject.options)
    assert version, "an engine needs a version"
    assert version == other.version(subject.options), "the version must not change by itself"


def check_it_knows_its_tools(subject: Subject) -> None:
    """Where it tells the tools of its agent: they are sorted, and gone where none is allowed."""
    engine = subject.make()
    if not isinstance(engine, Tooled):
        return
    tools = list(engine.tools(subject.options))
    assert tools == sorted(set(tools)), "tools are sorted, and each is named once"
    assert FINAL_RESPONSE in tools, f"an agent that answers has {FINAL_RESPONSE}"
    none = engine.tools({**subject.options, "allowed_tools": [], "mcp_servers": {}})
    assert list(none) == [FINAL_RESPONSE], f"without any tool it has {none}"


def check_it_ends_once(subject: Subject) -> None:
    """The steps are well formed, in order, and end with the only ``Ended``."""
    steps, engine = _run(subject, subject.prompt)
    ends = [step for step in steps if isinstance(step, Ended)]
    assert len(ends) == 1, f"a run has exactly one Ended, this one has {len(ends)}"
    assert steps[-1] is ends[0], "Ended is the last step"
    assert ends[0].failure is None, f"the task was not done: {ends[0].error}"
    _check_times(steps)
    _check_calls(steps)
    if isinstance(engine, Tooled):
        more = {step.tool for step in steps if isinstance(step, Called)} - {
            *engine.tools(subject.options)
        }
        assert not more, f"it called tools that it does not say it has: {sorted(more)}"
    for step in steps:
        _check_storable(step)
    usage = ends[0].usage
    assert min(usage.input_tokens, usage.output_tokens) >= 0, "tokens are never negative"
    assert usage.cost_usd is None or usage.cost_usd >= 0, "cost is never negative"


def check_it_works_inside_its_folder(subject: Subject) -> None:
    """Outputs are in the working folder, and nothing appears beside the root."""
    with tempfile.TemporaryDirectory(prefix="whet-check-") as name:
        folder = Path(name)
        engine = subject.make()
        workdir = _workdir(folder / "trial", None)
        asyncio.run(_collect(subject, engine, subject.spec(engine, subject.prompt), workdir))
        beside = {path.name for path in folder.iterdir()} - {"trial"}
        assert not beside, f"it wrote outside its folder: {sorted(beside)}"
        if subject.writes is not None:
            assert (workdir.work / subject.writes).is_file(), f"{subject.writes} is missing"


def check_it_takes_every_arm(subject: Subject) -> None:
    """It runs with a text, with a SKILL.md package, and keeps its hands off the copy."""
    for kind, name in (("text", "content.txt"), ("package", "SKILL.md")):
        with tempfile.TemporaryDirectory(prefix="whet-check-") as place:
            engine = subject.make()
            workdir = _workdir(Path(place) / "trial", name)
            skill = _skill(kind, name)
            spec = subject.spec(engine, subject.prompt, skill)
            steps = asyncio.run(_collect(subject, engine, spec, workdir))
            assert isinstance(steps[-1], Ended), "Ended is the last step"
            assert steps[-1].failure is None, f"with a {kind} skill: {steps[-1].error}"
            assert workdir.skill is not None
            text = (workdir.skill / name).read_text()
            assert text == _SKILL_TEXT, "it changed the copy of the skill"


def check_runs_do_not_mix(subject: Subject) -> None:
    """Two runs of one engine at once are as good as one after the other."""

    async def both(folder: Path) -> list[list[Step]]:
        engine = subject.make()
        spec = subject.spec(engine, subject.prompt)
        return await asyncio.gather(
            *(
                _collect(subject, engine, spec, _workdir(folder / str(number), None))
                for number in range(2)
            )
        )

    with tempfile.TemporaryDirectory(prefix="whet-check-") as name:
        for steps in asyncio.run(both(Path(name))):
            assert isinstance(steps[-1], Ended), "Ended is the last step"
            assert steps[-1].failure is None, f"side by side: {steps[-1].error}"


def check_it_can_be_left_early(subject: Subject) -> None:
    """Whoever stops listening after the first step leaves no process behind."""

    async def first(workdir: Workdir) -> None:
        engine = subject.make()
        steps = engine.run(subject.spec(engine, subject.endless or subject.prompt), workdir)
        await anext(aiter(steps))
        if isinstance(steps, AsyncGenerator):
            await steps.aclose()

    with _no_process_left("leaving early"), tempfile.TemporaryDirectory() as name:
        asyncio.run(asyncio.wait_for(first(_workdir(Path(name) / "trial", None)), subject.seconds))


def check_it_can_be_cancelled(subject: Subject) -> None:
    """A cancelled run ends at once, as cancelled, and leaves no process behind."""
    if subject.endless is None:
        return
    prompt = subject.endless

    async def cancelled(workdir: Workdir) -> float:
        engine = subject.make()
        begun = asyncio.Event()

        async def work() -> None:
            async for _ in engine.run(subject.spec(engine, prompt), workdir):
                begun.set()

        task = asyncio.create_task(work())
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait({task, waiting}, timeout=subject.seconds, return_when="FIRST_COMPLETED")
        waiting.cancel()
        assert not task.done(), "the endless task ended by itself"
        before = time.monotonic()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert task.cancelled(), "cancelling must not be swallowed"
        return time.monotonic() - before

    with _no_process_left("cancelling"), tempfile.TemporaryDirectory() as name:
        took = asyncio.run(cancelled(_workdir(Path(name) / "trial", None)))
    assert took < _LEAVE_SECONDS, f"it took {took:.1f} s to end after it was cancelled"


CHECKS: tuple[Callable[[Subject], None], ...] = (
    check_it_says_who_it_is,
    check_it_knows_its_tools,
    check_it_ends_once,
    check_it_works_inside_its_folder,
    check_it_takes_every_arm,
    check_runs_do_not_mix,
    check_it_can_be_left_early,
    check_it_can_be_cancelled,
)


def _run(subject: Subject, prompt: str) -> tuple[list[Step], Engine]:
    engine = subject.make()
    with tempfile.TemporaryDirectory(prefix="whet-check-") as name:
        workdir = _workdir(Path(name) / "trial", None)
        spec = subject.spec(engine, prompt)
        return asyncio.run(_collect(subject, engine, spec, workdir)), engine


async def _collect(
    subject: Subject, engine: Engine, spec: TrialSpec, workdir: Workdir
) -> list[Step]:
    try:
        async with asyncio.timeout(subject.seconds):
            return [step async for step in engine.run(spec, workdir)]
    except EngineFailure as failure:
        raise AssertionError(f"the task was not done: {failure}") from failure


def _workdir(root: Path, skill: str | None) -> Workdir:
    """Folders as a runner makes them."""
    (root / "work/data").mkdir(parents=True)
    (root / "work/data/input.txt").write_text(_INPUT)
    if skill is None:
        return Workdir(root, root / "work", None)
    (root / "skill").mkdir()
    (root / "skill" / skill).write_text(_SKILL_TEXT)
    return Workdir(root, root / "work", root / "skill")


def _skill(kind: Any, name: str) -> SkillPackage:
    data = _SKILL_TEXT.encode()
    file = FileRef(path=name, digest=digest_bytes(data), size=len(data))
    return SkillPackage(
        name="Tidy", kind=kind, digest=digest_tree({file.path: file.digest}), files=(file,)
    )


def _check_times(steps: list[Step]) -> None:
    times: list[datetime] = [step.at for step in steps]
    assert all(at.tzinfo is not None for at in times), "times need a time zone"
    assert times == sorted(times), "steps come in the order of their times"


def _check_calls(steps: list[Step]) -> None:
    seen: set[str] = set()
    for step in steps:
        if isinstance(step, Called):
            assert step.call_id not in seen, f"two calls with the id {step.call_id}"
            seen.add(step.call_id)
            assert step.parent is None or step.parent in seen, f"{step.parent} is no call before"
        if isinstance(step, Returned):
            assert step.call_id in seen, f"{step.call_id} comes back without having been called"


def _check_storable(step: Step) -> None:
    for each in fields(step):
        value: object = getattr(step, each.name)
        if isinstance(value, str | dict):
            try:
                json.dumps(value, allow_nan=False)
            except (TypeError, ValueError) as error:
                name = f"{type(step).__name__}.{each.name}"
                raise AssertionError(f"{name} cannot be stored: {error}") from error


@contextmanager
def _no_process_left(act: str) -> Generator[None]:
    before = _children()
    yield
    deadline = time.monotonic() + _LEAVE_SECONDS
    while (left := _children() - before) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, f"{act} left processes behind: {sorted(left)}"


def _children() -> set[int]:
    """The processes that this one has started and that still run; known on Linux only."""
    found: set[int] = set()
    for task in Path("/proc/self/task").glob("*"):
        with suppress(OSError):
            found |= {int(pid) for pid in (task / "children").read_text().split()}
    return {pid for pid in found if not _is_guard(pid)}


def _is_guard(pid: int) -> bool:
    """The guard outlives every run, by design."""
    with suppress(OSError):
        return b"family.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False
