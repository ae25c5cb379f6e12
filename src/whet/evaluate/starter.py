"""A first suite for a skill that has none: a draft that a person goes on with."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.front_matter import description_of, name_of
from whet.core.text import storable
from whet.curate.library import folder_package
from whet.documents.evals import EvalSuite
from whet.documents.files import write_atomic
from whet.documents.skill_creator import TriggerSet
from whet.evaluate import suite, trigger

MOST = 20
"""Evals of a draft that a model writes."""

NOTE = (
    "A draft by whet eval init. Put requests of your users in place of the prompts, and say in "
    "expectations and checks what only good work has. Then delete this note."
)
RESULT = "result.md"
_TOPIC = 300
_SENTENCE = re.compile(r"(?<=\w[.!?])\s|(?<=[。！？])")

_SCORING: Mapping[str, tuple[float, str, tuple[str, str, str]]] = {
    "correctness": (
        2.0,
        "What the result says and does is right, also in its details.",
        (
            "The main point is wrong, or it does not work.",
            "The main point is right; there are errors that somebody has to find and mend.",
            "No error that a careful expert would find.",
        ),
    ),
    "completeness": (
        1.5,
        "Everything that was asked for is there, to the end.",
        (
            "Most of it is missing, or only announced.",
            "The main part is there; something that was asked for is missing or cut short.",
            "Every part of the request is there and finished.",
        ),
    ),
    "instruction_fidelity": (
        1.5,
        "The request was followed as it was put: form, place, limits, and nothing unasked for.",
        (
            "The request was ignored or replaced by another one.",
            "Followed on the whole; one limit or wish was missed, or something was added.",
            "Followed to the letter, and in spirit where the letter leaves it open.",
        ),
    ),
    "usability": (
        1.0,
        "Whoever asked can use the result as it is.",
        (
            "It would have to be done again.",
            "Usable after some rework.",
            "Usable at once; clear, in order, of the right length.",
        ),
    ),
}


@dataclass(frozen=True)
class Subject:
    """The skill that a suite is drafted for."""

    folder: Path
    name: str
    description: str
    text: str
    """Its SKILL.md."""

    @property
    def topic(self) -> str:
        """What it is for, in a sentence."""
        first = _SENTENCE.split(self.description, maxsplit=1)[0].strip()
        first = first or self.name.replace("-", " ").replace("_", " ")
        return first if len(first) <= _TOPIC else f"{first[: _TOPIC - 1]}…"


@dataclass(frozen=True)
class Draft:
    """What is written: the suite, and queries that should or should not trigger the skill."""

    suite: EvalSuite
    triggers: TriggerSet


@dataclass(frozen=True)
class Written:
    """What was done with the files."""

    files: tuple[Path, ...]
    kept: tuple[Path, ...]
    """Where older ones are now."""

    left: tuple[Path, ...]
    """Those that were there already and stay as they are."""


def subject(folder: Path) -> Subject:
    """Read the skill in a folder; raises ``NotFound`` where there is none."""
    package, content = folder_package(folder)
    text = storable(content["SKILL.md"].decode(errors="replace"))
    return Subject(folder, name_of(text, package), description_of(text), text)


def starter(skill: Subject, number: int = 3) -> Draft:
    """A draft without any model, out of the name and the description."""
    templates = _templates(skill.topic)
    if not 1 <= number <= len(templates):
        most = len(templates)
        raise UsageError(f"without a model the draft has 1 to {most} evals; name one with --engine")
    return Draft(suite_of(skill, templates[:number]), triggers_of(starter_queries(skill)))


def suite_of(skill: Subject, evals: Sequence[Mapping[str, JsonValue]]) -> EvalSuite:
    """A suite of *evals* without ids and rubrics: they get the universal one."""
    every: list[JsonValue] = [
        {"id": place, **one, "quality_rubric": universal_rubric()}
        for place, one in enumerate(evals, start=1)
    ]
    data: dict[str, JsonValue] = {
        "skill_name": skill.name,
        "note": NOTE,
        "eval_config": {"runs_per_eval": 3, "structural_gate": True, "baseline_comparison": True},
        "evals": every,
    }
    return EvalSuite.parse(data, "the draft")


def triggers_of(queries: Sequence[tuple[str, bool]]) -> TriggerSet:
    """A set of queries, each once."""
    seen: dict[str, JsonValue] = {}
    for query, wanted in queries:
        if query.strip():
            entry: JsonValue = {"query": query, "should_trigger": wanted}
            seen.setdefault(trigger.plain(query), entry)
    return TriggerSet.parse(list(seen.values()), "the draft")


def starter_queries(skill: Subject) -> list[tuple[str, bool]]:
    """Queries out of the name and the description, and whether each should trigger."""
    words = skill.name.replace("-", " ").replace("_", " ")
    return [
        (f"I need your help with this: {skill.topic}", True),
        (f"Can you do some {words} for me? It has to be finished today.", True),
        (f"My colleague usually takes care of {words}, but is away. Please take over.", True),
        (f"What does “{words}” mean? One sentence is enough.", False),
        ("What is the capital of Australia?", False),
        ("Translate “good morning” into French.", False),
    ]


def universal_rubric() -> dict[str, JsonValue]:
    """Four dimensions that fit any task."""
    dimensions: list[JsonValue] = [
        {
            "id": f"Q{place}",
            "name": name,
            "description": description,
            "weight": weight,
            "scoring": dict(zip(("1", "3", "5"), anchors, strict=True)),
        }
        for place, (name, (weight, description, anchors)) in enumerate(_SCORING.items(), start=1)
    ]
    return {"dimensions": dimensions}


def refuse_existing(folder: Path, *, force: bool) -> None:
    """Raise ``UsageError`` where a suite would be written over, or outside the skill."""
    path = folder / suite.FILE
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{path.parent} leads out of the skill's folder")
    if not force and (path.exists() or path.is_symlink()):
        raise UsageError(f"{path} is there already; --force keeps it as {path.name}.bak")


def write_draft(folder: Path, draft: Draft, *, force: bool) -> Written:
    """Put the draft into the folder of the skill; what is there is kept under another name."""
    refuse_existing(folder, force=force)
    documents = {suite.FILE: draft.suite.to_json(), trigger.FILE: draft.triggers.to_json()}
    files: list[Path] = []
    kept: list[Path] = []
    left: list[Path] = []
    try:
        (folder / suite.FILE).parent.mkdir(exist_ok=True)
        for name, text in documents.items():
            path = folder / name
            if (path.exists() or path.is_symlink()) and not force:
                left.append(path)
                continue
            if path.exists() or path.is_symlink():
                kept.append(path.rename(_spare(path)))
            write_atomic(path, text, durable=True)
            files.append(path)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write in {folder}: {error.strerror}") from error
    return Written(tuple(files), tuple(kept), tuple(left))


def _spare(path: Path) -> Path:
    """A name beside *path* that nobody has."""
    names = (path.with_name(f"{path.name}.bak{number or ''}") for number in count())
    return next(one for one in names if not one.exists() and not one.is_symlink())


def _templates(topic: str) -> list[dict[str, JsonValue]]:
    task = f"I need your help with this: {topic}"
    return [
        _eval(
            "A typical task",
            f"{task}\n\nTake a small, typical example of it and do the work completely. "
            f"Save the result as {RESULT}.",
            f"{RESULT} holds finished work on a typical example.",
            "The result is the finished work, not a plan or an offer to do it.",
            "The example is a typical one, and all details in it fit together.",
        ),
        _eval(
            "Details are missing",
            f"{task}\n\nI have not told you the details. Choose sensible ones, do the work, and "
            f"save the result as {RESULT}, with a list of what you assumed at its end.",
            f"{RESULT} holds finished work and the assumptions behind it.",
            "The result is the finished work, and asks nothing back.",
            "The assumptions are listed at the end, and the work agrees with them.",
        ),
        _eval(
            "A simple and a difficult case",
            f"{task}\n\nDo it twice: for a simple case and for a difficult one, where something "
            f"gets in the way. Save both in {RESULT}, each under a heading of its own.",
            f"{RESULT} holds finished work on both cases.",
            "Both cases are there, each under a heading of its own.",
            "What makes the second case difficult is named and dealt with.",
        ),
    ]


def _eval(name: str, prompt: str, expected: str, *expectations: str) -> dict[str, JsonValue]:
    check: JsonValue = {
        "id": "S1",
        "type": "file_exists",
        "description": "The result is there",
        "pattern": RESULT,
        "critical": True,
    }
    return {
        "name": name,
        "prompt": prompt,
        "expected_output": expected,
        "files": [],
        "expectations": list(expectations),
        "structural_expectations": [check],
    }
