"""An engine without a model: it writes the skill and the task into a file."""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime

from pydantic import JsonValue

from whet.core.step import Called, Ended, Returned, Said, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir


class NotesEngine:
    name = "notes"
    simulated = True
    sandboxed = False

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def version(self, options: Mapping[str, JsonValue]) -> str:
        return "1"

    async def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncIterator[Step]:
        text = spec.stimulus.prompt
        if spec.skill and workdir.skill:
            text = (workdir.skill / spec.skill.entry.path).read_text() + "\n" + text
        yield Said(now(), "I write everything down.")
        yield Called(now(), "call-1", "Write", {"file_path": "notes.md", "content": text})
        (workdir.work / "notes.md").write_text(text)
        yield Returned(now(), "call-1", ok=True, display="Wrote notes.md")
        usage = Usage(input_tokens=len(text) // 4)
        yield Ended(now(), answer="The notes are in notes.md.", usage=usage)


def now() -> datetime:
    return datetime.now(UTC)
