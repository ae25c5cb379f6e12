"""Running the simulated agent, and grading what it did, without a store."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from whet.core.address import digest_bytes, digest_tree
from whet.core.arm import SkillPackage
from whet.core.case import Case, Limits, Standard, Stimulus
from whet.core.files import FileRef
from whet.core.rubric import SIX_DIMENSIONS
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.trial import TrialSpec
from whet.engines.simulated import SimulatedEngine
from whet.judges.simulated import SimulatedJudge
from whet.ports.judge import Submission
from whet.ports.workdir import Workdir

FIBONACCI = "Write a Python function for the n-th Fibonacci number. Refuse negative numbers."


@dataclass(frozen=True)
class Trace:
    """What one execution left behind."""

    steps: list[Step]
    outputs: dict[str, bytes]

    @property
    def end(self) -> Ended:
        assert isinstance(self.steps[-1], Ended)
        return self.steps[-1]

    @property
    def tools(self) -> list[str]:
        return [step.tool for step in self.steps if isinstance(step, Called)]

    @property
    def without_times(self) -> list[object]:
        return [_timeless(step) for step in self.steps]


def _timeless(step: Step) -> object:
    match step:
        case Said(text=text):
            return text
        case Called():
            return (step.call_id, step.tool, dict(step.params), step.description)
        case Returned():
            return (step.call_id, step.ok, step.output, step.display)
        case Ended():
            return (step.answer, step.usage, step.failure, step.error)
        case Triggered(skill=skill):
            return skill
        case Spent(usage=usage):
            return usage


def package(files: dict[str, str]) -> SkillPackage:
    refs = [
        FileRef(path=path, digest=digest_bytes(text.encode()), size=len(text.encode()))
        for path, text in files.items()
    ]
    return SkillPackage(
        name="skill",
        kind="package" if "SKILL.md" in files else "text",
        digest=digest_tree({ref.path: ref.digest for ref in refs}),
        files=tuple(refs),
    )


def spec(
    skill: str | dict[str, str] | None = None,
    prompt: str = FIBONACCI,
    *,
    attempt: int = 1,
    simulate: JsonValue = None,
    inputs: dict[str, str] | None = None,
    max_turns: int | None = None,
) -> TrialSpec:
    files = {"content.txt": skill} if isinstance(skill, str) else skill
    refs = package(inputs).files if inputs else ()
    return TrialSpec(
        skill=package(files) if files else None,
        stimulus=Stimulus(prompt=prompt, files=refs, limits=Limits(max_turns=max_turns)),
        engine="simulated",
        engine_version="1",
        model="simulated",
        options={} if simulate is None else {"simulate": simulate},
        attempt=attempt,
    )


def lay_out(root: Path, skill: str | dict[str, str] | None, inputs: dict[str, str]) -> Workdir:
    """Make the folders of an execution below *root*."""
    work = root / "work"
    _write(work, inputs)
    files = {"content.txt": skill} if isinstance(skill, str) else skill
    if files:
        _write(root / "skill", files)
    return Workdir(root, work, root / "skill" if files else None)


def _write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


async def execute(
    trial: TrialSpec,
    skill: str | dict[str, str] | None = None,
    inputs: dict[str, str] | None = None,
) -> Trace:
    """Run one execution in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        workdir = lay_out(Path(folder) / "execution", skill, inputs or {})
        return await execute_in(workdir, trial)


async def execute_in(workdir: Workdir, trial: TrialSpec) -> Trace:
    """Run one execution and take its outputs away."""
    steps = [step async for step in SimulatedEngine().run(trial, workdir)]
    known = {file.path for file in trial.stimulus.files}
    files = [path for path in workdir.work.rglob("*") if path.is_file()]
    outputs = {str(path.relative_to(workdir.work)): path for path in files}
    made = {name: path.read_bytes() for name, path in outputs.items() if name not in known}
    for name in made:
        outputs[name].unlink()
    return Trace(steps, made)


def run(skill: str | None = None, prompt: str = FIBONACCI, *, attempt: int = 1) -> Trace:
    return asyncio.run(execute(spec(skill, prompt, attempt=attempt), skill))


def grades(skill: str | None, cases: list[Case], repeats: int) -> list[list[dict[str, float]]]:
    """Try every case so many times and grade it by the six dimensions."""

    async def every() -> list[list[dict[str, float]]]:
        attempts = range(1, repeats + 1)
        return [[await _graded(workdir, skill, one, k) for k in attempts] for one in cases]

    # One folder for all: making and removing folders would take most of the time.
    with tempfile.TemporaryDirectory() as folder:
        workdir = lay_out(Path(folder) / "execution", skill, {})
        return asyncio.run(every())


async def _graded(
    workdir: Workdir, skill: str | None, case: Case, attempt: int
) -> dict[str, float]:
    trial = spec(skill, case.stimulus.prompt, attempt=attempt)
    trace = await execute_in(workdir, trial)
    submission = Submission(case, trace.end.answer, trace.outputs)
    seed = f"grade {trial.address}"
    scores = (await SimulatedJudge().judge(submission, SIX_DIMENSIONS, seed)).scores
    return {name: score.score for name, score in scores.items()}


def case(prompt: str, expected: str) -> Case:
    return Case(id="case", stimulus=Stimulus(prompt=prompt), standard=Standard(expected=expected))
