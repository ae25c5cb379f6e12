"""Letting the simulated agent do jobs, turn by turn, in a folder that stays."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from tests.engines.simulation import lay_out, package
from whet.core.case import Limits, Stimulus
from whet.core.step import Called, Ended, Returned, Said, Step, Triggered
from whet.core.trial import TrialSpec
from whet.documents.schema import Schema
from whet.engines.simulated import SimulatedEngine
from whet.ports.workdir import Workdir

Json = dict[str, JsonValue]

RIVERS = """# Rivers

The Rhine is a long river. It runs 1.230 km from the source to the sea.
Many ships use the river, and the river is wide.
"""
REPORT: Json = {
    "type": "object",
    "properties": {
        "words": {"type": "integer"},
        "summary": {"type": "string"},
        "report": {"type": "string", "x-type": "artifact"},
    },
    "required": ["words", "summary", "report"],
}
REPORT_FILE: Json = {
    "path": "artifacts/report.md",
    "role": "output",
    "required": True,
    "field": "report",
}


def skill(
    schema: Json | None = REPORT,
    artifacts: Sequence[Json] = (REPORT_FILE,),
    *,
    mode: str = "auto",
    text: str = "Count the words of the file and sum it up.",
) -> str:
    """A SKILL.md as a job gets it."""
    contract: Json = {"mode": mode, "schema": schema, "artifacts": [*artifacts]}
    return f"""---
name: counting
description: Counts the words of a file.
---
# Counting

{text}

<!-- whet:output-contract -->
## Output contract
End with one JSON object. If the mode is interactive you may ask the user something first.
```json whet-contract
{json.dumps(contract, ensure_ascii=False)}
```
<!-- /whet:output-contract -->
"""


def prompt(inputs: Mapping[str, JsonValue], parameters: Mapping[str, JsonValue]) -> str:
    """The prompt of a first turn, by the usual template."""
    return f"""Use the skill counting.

# Inputs

```json
{json.dumps(inputs, ensure_ascii=False, indent=2)}
```

# Parameters

```json
{json.dumps(parameters, ensure_ascii=False)}
```

Do the task, write the declared files into `artifacts/` and end with the JSON object of the
skill's output contract.
"""


@dataclass(frozen=True)
class Turn:
    """What one turn left behind."""

    steps: list[Step]
    files: dict[str, str]
    """All that lies in ``artifacts/`` after it."""

    @property
    def end(self) -> Ended:
        assert isinstance(self.steps[-1], Ended)
        return self.steps[-1]

    @property
    def output(self) -> Json:
        found: JsonValue = json.loads(self.end.answer)
        assert isinstance(found, dict)
        return found

    @property
    def hints(self) -> Json:
        found = self.output["ui_hints"]
        assert isinstance(found, dict)
        return found

    @property
    def calls(self) -> list[tuple[str, JsonValue]]:
        calls = [step for step in self.steps if isinstance(step, Called)]
        return [(call.tool, call.params["file_path"]) for call in calls]

    @property
    def outcomes(self) -> list[bool]:
        return [step.ok for step in self.steps if isinstance(step, Returned)]

    @property
    def said(self) -> list[str]:
        return [step.text for step in self.steps if isinstance(step, Said)]

    @property
    def skills(self) -> list[str]:
        return [step.skill for step in self.steps if isinstance(step, Triggered)]

    def fits(self, schema: Json) -> bool:
        """Whether the whole answer is an object that fits, by the library that decides."""
        try:
            found: JsonValue = json.loads(self.end.answer)
        except ValueError:
            return False
        return isinstance(found, dict) and not Schema(schema).problems(found)


@dataclass
class Job:
    """One job in its folder. *uploads* are files by name; an input of that name is their path."""

    root: Path
    skill: str = field(default_factory=skill)
    uploads: dict[str, str] = field(default_factory=lambda: {"document": RIVERS})
    inputs: Json = field(default_factory=dict[str, JsonValue])
    parameters: Json = field(default_factory=dict[str, JsonValue])
    options: Json = field(default_factory=dict[str, JsonValue])
    tools: tuple[str, ...] = ()
    max_turns: int | None = None
    entry: str = "SKILL.md"

    def __post_init__(self) -> None:
        files = {f"uploads/{name}": text for name, text in self.uploads.items()}
        self.workdir: Workdir = lay_out(self.root, {self.entry: self.skill}, files)
        (self.workdir.work / "artifacts").mkdir()
        self.talk: str | None = None
        self.round = 0

    @property
    def first(self) -> str:
        """The prompt of the first turn."""
        paths = {name: f"{self.workdir.work}/uploads/{name}" for name in self.uploads}
        return prompt({**paths, **self.inputs}, self.parameters)

    def spec(self, message: str) -> TrialSpec:
        return TrialSpec(
            scope="job/run-1",
            series=self.round,
            skill=package({self.entry: self.skill}),
            stimulus=Stimulus(
                prompt=message, tools=self.tools, limits=Limits(max_turns=self.max_turns)
            ),
            engine="simulated",
            engine_version="1",
            model="simulated",
            options=self.options,
        )

    def turn(self, message: str | None = None) -> Turn:
        """The first turn, or the next one with a message."""
        spec = self.spec(self.first if message is None else message)

        async def collect() -> list[Step]:
            steps = SimulatedEngine().converse(spec, self.workdir, self.talk)
            return [step async for step in steps]

        steps = asyncio.run(collect())
        self.round += 1
        turn = Turn(steps, self.artifacts())
        self.talk = turn.end.conversation
        return turn

    def artifacts(self) -> dict[str, str]:
        folder = self.workdir.work / "artifacts"
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_text() for path in files}
