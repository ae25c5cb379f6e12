"""What an answer comes to: the result, a question, or something that does not fit yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.core.effort import limited
from whet.core.files import FileRef
from whet.core.job import Artifact, Interaction, JobResult, Mode, Notice
from whet.curate.manifest import JobPackage
from whet.documents.schema import Schema
from whet.run.extract import Found, extract
from whet.run.job.artifacts import delivered
from whet.run.job.contract import DONE
from whet.run.job.question import question

_UNMARKED = Notice(
    code="output_unmarked", message=f"the agent left {DONE} out; its output fits, so it was taken"
)
_CUT = Notice(
    code="outputs_cut", message="the agent left more or larger files than are kept; some are lost"
)


@dataclass(frozen=True)
class Answer:
    """What an agent left at the end of a turn."""

    text: str
    outputs: Sequence[FileRef]
    cut: bool
    work: str
    """The path of its working folder."""

    at: str


@dataclass(frozen=True)
class Unfit:
    """What is wrong; ``code`` says what kind of thing that is."""

    code: Literal["output_invalid", "artifact_missing"]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class _Fitting:
    """The package's own schema, with or without our mark."""

    schema: Schema | None
    done: bool | None
    """What the mark has to say; None for one that is not there."""

    def problems(self, value: JsonValue) -> tuple[str, ...]:
        if not isinstance(value, dict):
            return ("$: it is no object",)
        if value.get(DONE) is not self.done:
            return (f"$.{DONE}: must be {'true' if self.done else 'left out'}",)
        bare = without_mark(value)
        if self.schema is None:
            return () if isinstance(bare.get("answer"), str) else ("$.answer: must be a text",)
        return self.schema.problems(bare)


def decide(
    package: JobPackage, mode: Mode, answer: Answer, number: int
) -> JobResult | Interaction | Unfit:
    """The one rule for all agents; a question gets the *number*. An answer may have many things
    that look like JSON, and a schema may take its time with each: what is left when the time is up
    does not fit."""
    with limited():
        return _decided(package, mode, answer, number)


def _decided(
    package: JobPackage, mode: Mode, answer: Answer, number: int
) -> JobResult | Interaction | Unfit:
    if mode == "interactive":
        return _talked(package, answer, number)
    if package.output is None:
        return _result(package, {"answer": answer.text}, answer, ())
    marked = extract(answer.text, _Fitting(package.schema("output"), done=True))
    found = (
        marked
        if not marked.problems
        else extract(answer.text, _Fitting(package.schema("output"), None))
    )
    if found.problems:
        asks = question(answer.text, number, answer.at) is not None
        why = (f"$.{DONE}: nobody is there to answer; decide by yourself",) if asks else ()
        return Unfit("output_invalid", (*why, *_told(found)))
    return _result(package, found.value, answer, ())


def _talked(package: JobPackage, answer: Answer, number: int) -> JobResult | Interaction | Unfit:
    final = extract(answer.text, _Fitting(package.schema("output"), done=True))
    if not final.problems:
        return _result(package, final.value, answer, ())
    if (asked := question(answer.text, number, answer.at)) is not None:
        return asked
    if package.output is not None:
        unmarked = extract(answer.text, _Fitting(package.schema("output"), None))
        if not unmarked.problems:
            return _result(package, unmarked.value, answer, (_UNMARKED,))
        if _says_done(answer.text):
            return Unfit("output_invalid", _told(final))
    return Interaction(id=number, kind="open_text", message=answer.text, asked_at=answer.at)


def without_mark(value: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The object as the package knows it."""
    return {name: each for name, each in value.items() if name != DONE}


def _result(
    package: JobPackage, value: JsonValue, answer: Answer, notices: tuple[Notice, ...]
) -> JobResult | Unfit:
    data = without_mark(value) if isinstance(value, dict) else {}
    files = delivered(package.artifacts, data, answer.outputs, answer.work)
    if files.missing:
        return Unfit("artifact_missing", files.missing)
    cut = (_CUT,) if answer.cut else ()
    found: tuple[Artifact, ...] = files.artifacts
    return JobResult(data=files.data, artifacts=found, notices=(*notices, *files.notices, *cut))


class _Done:
    """An object that says it is the last one."""

    def problems(self, value: JsonValue) -> tuple[str, ...]:
        return () if isinstance(value, dict) and value.get(DONE) is True else ("no",)


def _says_done(text: str) -> bool:
    return not extract(text, _Done()).problems


def _told(found: Found) -> tuple[str, ...]:
    return found.problems or ("there is no JSON object in the reply",)
