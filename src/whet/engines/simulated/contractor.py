"""The agent for jobs: it does what a skill with an output contract is to yield.

It reads the skill and the inputs, counts and quotes what it reads, writes the declared files and
ends with the JSON that is asked for. Where the skill has it ask its user, it asks and waits.
"""

import json
import re
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

from pydantic import JsonValue

from whet.core.step import Ended, Step
from whet.core.text import storable
from whet.core.trial import TrialSpec
from whet.engines.simulated import phrases
from whet.engines.simulated.contract import material
from whet.engines.simulated.contract.agreement import Artifact, Contract
from whet.engines.simulated.contract.asking import Question, questions
from whet.engines.simulated.contract.findings import Findings, Said, found
from whet.engines.simulated.contract.meaning import Meaning
from whet.engines.simulated.contract.memory import Memory
from whet.engines.simulated.contract.naming import concrete
from whet.engines.simulated.contract.order import Order, ordered
from whet.engines.simulated.contract.reports import report
from whet.engines.simulated.contract.spoiling import spoiled
from whet.engines.simulated.desk import Desk
from whet.engines.simulated.errands.cabinet import Cabinet, Refused
from whet.engines.simulated.filling.fill import Unfillable, fill
from whet.engines.simulated.language import is_chinese
from whet.engines.simulated.options import Config, allowed_tools
from whet.engines.simulated.transcript import Transcript, counted
from whet.engines.simulated.uptake import on_trial
from whet.ports.workdir import Workdir

DONE = "__SKILL_DONE__"
_LONGEST_REPLY = 4_000
_CANNOT = (
    "I could not work out an answer that fits the schema.",
    "我无法得出符合模式的答案。",
)
_COMPLAINT = re.compile(r"\bcontract\b|\bdoes not fit\b|不符合", re.IGNORECASE)
_WRITTEN = ("Written: {}.", "已写入：{}。")


class Contractor:
    """One turn of a job; its parts are those of ``Agent``."""

    def __init__(
        self,
        spec: TrialSpec,
        workdir: Workdir,
        contract: Contract,
        config: Config,
        talk: str | None,
    ) -> None:
        prompt = spec.stimulus.prompt
        self._workdir = workdir
        self._contract = contract
        self._config = config
        self._tools = _tools(spec)
        self._skill = on_trial(spec, workdir)
        self._desk = Desk(spec, workdir, [self._skill] if self._skill else [])
        self._cabinet = Cabinet(workdir.work)
        self._is_first = talk is None
        self._memory = _begun(spec, workdir) if talk is None else Memory.recalled(talk, workdir)
        if talk is not None:
            self._hear(storable(prompt))
        self._chinese = is_chinese(prompt)
        self._sources: list[material.Source] = []
        self._files: dict[str, Artifact] = {}
        self.transcript = Transcript(prompt)

    def _hear(self, message: str) -> None:
        """Keep a person's words in mind. A message that only says what was wrong needs none of
        that: the work is done again anyway."""
        asked, is_talk = self._memory.asked, self._contract.mode == "interactive"
        if asked is None and (not is_talk or _COMPLAINT.search(message)):
            return
        reply = message.replace(f"{self._workdir.work}/", "").strip()[:_LONGEST_REPLY]
        self._remember(said=(*self._memory.said, Said(asked or "", reply)), asked=None)

    def read(self) -> Iterator[Step]:
        """Read the skill in the first turn, and the files that are there."""
        log = self.transcript
        if self._is_first and self._skill is not None:
            yield log.said(self._say(phrases.READS_SKILL))
            if self._skill.name:
                yield log.triggered(self._skill.name)
            for path, text in self._desk.skill_texts() if self._may("Read") else ():
                yield log.called("Read", {"file_path": path}, self._say(phrases.OPENS_SKILL))
                yield log.returned(text, counted("Read", text))
        files = material.uploaded(self._cabinet) if self._may("Read") else []
        for path in files:
            yield from self._read(path)
        self._sources += material.told(self._memory.inputs)
        self._remember(seen=tuple(files))

    def _read(self, path: str) -> Iterator[Step]:
        """Read a file; what was read in an earlier turn is known."""
        log, is_new = self.transcript, path not in self._memory.seen
        if is_new:
            yield log.called("Read", {"file_path": path}, self._say(phrases.READS_INPUT))
        try:
            source = material.source(self._cabinet, path, self._memory.inputs)
        except Refused as refusal:
            if is_new:
                yield log.returned(refusal.said[self._chinese], "Read nothing", ok=False)
            return
        self._sources.append(source)
        if is_new:
            yield log.returned(source.text, counted("Read", source.text))

    def write(self) -> Iterator[Step]:
        """Write the files, unless there is something to ask first."""
        asked = questions(self._contract.skill) if self._contract.mode == "interactive" else ()
        answered = len(self._memory.said)
        self._question: Question | None = asked[answered] if answered < len(asked) else None
        order = Order(self._memory.inputs, self._memory.parameters)
        name = self._skill.name if self._skill and self._skill.name else "report"
        self._findings: Findings = found(self._sources, order, self._memory.said, name)
        for artifact in self._contract.artifacts:
            path = concrete(artifact.path, artifact.field, artifact.role, self._files)
            self._files.setdefault(path, artifact)
        if self._question is None and self._may("Write"):
            yield from self._write()

    def _write(self) -> Iterator[Step]:
        log, left_out = self.transcript, self._left_out()
        if self._files:
            yield log.said(self._say(phrases.WRITES_ARTIFACTS))
        for path in self._files:
            if path == left_out:
                continue
            text = report(path, self._findings)
            call: dict[str, JsonValue] = {"file_path": path, "content": text}
            yield log.called("Write", call, self._say(phrases.WRITES_ARTIFACT))
            try:
                self._cabinet.write(path, text)
            except Refused as refusal:
                yield log.returned(refusal.said[self._chinese], "Wrote nothing", ok=False)
                continue
            yield log.returned("", counted("Wrote", text))

    def _left_out(self) -> str | None:
        """The file that a knob has the agent forget."""
        if self._memory.answers >= self._config.missing_artifact:
            return None
        required = [path for path, artifact in self._files.items() if artifact.required]
        return next(iter(required or self._files), None)

    async def check(self) -> AsyncGenerator[Step, None]:
        """Nothing that it made can be run."""
        return
        yield

    def end(self) -> Ended:
        """Ask, or say the last word; what the next turn needs is kept."""
        if self._question is not None:
            self._remember(asked=self._question.prompt)
            answer = json.dumps(self._question.pending(), ensure_ascii=False)
        else:
            answer = self._answer()
            self._remember(answers=self._memory.answers + 1)
        self._memory.keep(self._workdir)
        return replace(self.transcript.ended(answer), conversation=self._memory.name)

    def _answer(self) -> str:
        schema, answers = self._contract.schema, self._memory.answers
        if schema is None and self._contract.mode == "auto":
            return self._in_words()
        output = self._output(schema)
        if output is None:
            return self._say(_CANNOT)
        self._lead_outside(output)
        if self._contract.mode == "interactive":
            output[DONE] = True
        if schema is not None and answers < self._config.bad_output:
            return spoiled(output, schema, answers)
        return json.dumps(output, ensure_ascii=False)

    def _output(self, schema: dict[str, JsonValue] | None) -> dict[str, JsonValue] | None:
        if schema is None:
            return {"answer": self._in_words()}
        try:
            value = fill(schema, Meaning(self._findings, self._files))
        except Unfillable:
            return None
        return value if isinstance(value, dict) else None

    def _in_words(self) -> str:
        written = self._say(_WRITTEN).format(", ".join(self._files)) if self._files else ""
        return "\n\n".join(part for part in (self._findings.summary, written) if part)

    def _lead_outside(self, output: dict[str, JsonValue]) -> None:
        """Name a file that is none of the job's, where a knob asks for that."""
        fields = [artifact.field for artifact in self._contract.artifacts]
        named = next((field for field in fields if field is not None), None)
        if self._config.outside is not None and named is not None:
            output[named] = self._config.outside

    def _remember(self, **change: object) -> None:
        self._memory = self._memory.model_copy(update=change)

    def _may(self, tool: str) -> bool:
        return self._tools is None or tool in self._tools

    def _say(self, pair: phrases.Pair) -> str:
        return pair[self._chinese]


def _tools(spec: TrialSpec) -> frozenset[str] | None:
    allowed = allowed_tools(spec.options)
    if allowed is None and spec.stimulus.tools:
        return frozenset(spec.stimulus.tools)
    return allowed


def _begun(spec: TrialSpec, workdir: Workdir) -> Memory:
    order = ordered(spec.stimulus.prompt)
    inputs = material.within(order.inputs, str(workdir.work))
    name = f"simulated-{spec.address[:16]}"
    return Memory(name=name, inputs=inputs, parameters=order.parameters)
