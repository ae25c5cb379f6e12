"""Letting the simulated agent do plainly worded tasks."""

import asyncio
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from tests.engines.simulation import lay_out, package
from whet.core.case import Limits, Stimulus
from whet.core.step import Called, Ended, Returned, Said, Step
from whet.core.trial import TrialSpec
from whet.engines.simulated import SimulatedEngine

ANSWER_SECONDS = 5.0


@dataclass(frozen=True)
class Worked:
    """What an attempt left behind."""

    steps: list[Step]
    files: dict[str, str]
    """Every file in the working folder afterwards."""

    beside: list[str]
    """What lies in the root besides the working folder, and beside the root."""

    @property
    def end(self) -> Ended:
        assert isinstance(self.steps[-1], Ended)
        return self.steps[-1]

    @property
    def answer(self) -> str:
        return self.end.answer

    @property
    def calls(self) -> list[Called]:
        return [step for step in self.steps if isinstance(step, Called)]

    @property
    def tools(self) -> list[str]:
        return [call.tool for call in self.calls]

    @property
    def outcomes(self) -> list[bool]:
        return [step.ok for step in self.steps if isinstance(step, Returned)]

    @property
    def said(self) -> list[str]:
        return [step.text for step in self.steps if isinstance(step, Said)]


def trial(
    prompt: str,
    files: Mapping[str, str] | None = None,
    *,
    tools: tuple[str, ...] = (),
    max_turns: int | None = None,
    **options: JsonValue,
) -> TrialSpec:
    refs = package(dict(files)).files if files else ()
    limits = Limits(max_turns=max_turns)
    return TrialSpec(
        skill=None,
        stimulus=Stimulus(prompt=prompt, files=refs, tools=tools, limits=limits),
        engine="simulated",
        engine_version="1",
        model="simulated",
        options=options,
    )


def work(spec: TrialSpec, files: Mapping[str, str] | None = None) -> Worked:
    async def run(root: Path) -> list[Step]:
        workdir = lay_out(root, None, dict(files or {}))
        async with asyncio.timeout(ANSWER_SECONDS):
            return [step async for step in SimulatedEngine().run(spec, workdir)]

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "execution"
        steps = asyncio.run(run(root))
        found = [path for path in (root / "work").rglob("*") if path.is_file()]
        texts = {str(path.relative_to(root / "work")): path.read_text() for path in found}
        beside = [path.name for place in (root, root.parent) for path in place.iterdir()]
        return Worked(steps, texts, sorted(set(beside) - {"execution", "work"}))


def do(prompt: str, files: Mapping[str, str] | None = None) -> Worked:
    """Do a task of these files."""
    return work(trial(prompt, files), files)
