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
from whet.evaluate.starter_words import ENGLISH, RESULT, Kind, Scoring, StarterWords
from whet.evaluate.starter_words_zh import CHINESE

MOST = 20
"""Evals of a draft that a model writes."""

DRAFTED = 12
"""Evals of a draft without a model: enough for a verdict about evals in general."""

_TOPIC = 300
_LINE = 80
"""Characters of a part or a rule that a draft takes out of SKILL.md."""

_SENTENCE = re.compile(r"(?<=\w[.!?])\s|(?<=[。！？])")
_CHINESE = re.compile("[\u4e00-\u9fff]")
_FORMAL = (
    r"(?:(?:the|key|general|core)\s+)?(?:background|checklist|constraints?|examples?|format|goals?"
    r"|guidelines?|inputs?|instructions?|introduction|notes?|outputs?|overview|process|purpose"
    r"|references?|requirements?|resources?|rules?|setup|steps?|summary|tips?|usage|workflow)"
    r"(?:\s+format)?|(?:getting|quick)\s*-?start(?:ed)?|when to use.*"
    r"|(?:使用)?(?:步骤|规则|示例|例子|说明|概述|简介|用法|流程|要求|约束|总结|目的|目标|背景|要点)"
    r"|注意(?:事项)?|(?:输出|输入)(?:格式)?|参考(?:资料)?|何时使用.*|工作流程?"
)
_HEADING = re.compile(rf"^#{{2,4}}\s+(?!(?:{_FORMAL})\s*[:：]?\s*#*$)(.+?)\s*#*$", re.IGNORECASE)
"""One that says what a part is about, not that there are steps or rules."""

_RULE = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.+)$")
_MARKS = re.compile(r"[*_`]+|\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class Subject:
    """The skill that a suite is drafted for."""

    folder: Path
    name: str
    description: str
    text: str
    """Its SKILL.md."""

    @property
    def words(self) -> StarterWords:
        """The texts of the draft, in the language of the skill."""
        is_chinese = _CHINESE.search(self.description or self.text)
        return CHINESE if is_chinese else ENGLISH

    def lines(self, kind: re.Pattern[str], most: int) -> list[str]:
        """Its own headings or rules, each once, without marks; what does not fit is left out."""
        found: dict[str, None] = {}
        is_code = False
        for line in self.text.splitlines():
            is_code ^= line.lstrip().startswith(("```", "~~~"))
            match = None if is_code else kind.match(line)
            text = " ".join(_MARKS.sub(r"\1", match[1]).split()) if match else ""
            if text and len(text) <= _LINE:
                found.setdefault(text)
        return list(found)[:most]

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


def starter(skill: Subject, number: int = DRAFTED) -> Draft:
    """A draft without any model, out of the skill's own text: its description, headings and
    rules, and two tasks that it is not for."""
    if not 1 <= number <= DRAFTED:
        message = f"without a model the draft has 1 to {DRAFTED} evals; name one with --engine"
        raise UsageError(message)
    evals = _evals(skill)
    return Draft(suite_of(skill, evals[:number]), triggers_of(starter_queries(skill)))


def suite_of(skill: Subject, evals: Sequence[Mapping[str, JsonValue]]) -> EvalSuite:
    """A suite of *evals* without ids and rubrics: they get the universal one."""
    every: list[JsonValue] = [
        {"id": place, **one, "quality_rubric": universal_rubric(skill.words.scoring)}
        for place, one in enumerate(evals, start=1)
    ]
    data: dict[str, JsonValue] = {
        "skill_name": skill.name,
        "note": skill.words.note,
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
    name = skill.name.replace("-", " ").replace("_", " ")
    return [
        (query.format(topic=skill.topic, words=name), wanted)
        for query, wanted in skill.words.queries
    ]


def universal_rubric(scoring: Scoring = ENGLISH.scoring) -> dict[str, JsonValue]:
    """Four dimensions that fit any task."""
    dimensions: list[JsonValue] = [
        {
            "id": f"Q{place}",
            "name": name,
            "description": description,
            "weight": weight,
            "scoring": dict(zip(("1", "3", "5"), anchors, strict=True)),
        }
        for place, (name, (weight, description, anchors)) in enumerate(scoring.items(), start=1)
    ]
    return {"dimensions": dimensions}


def refuse_existing(folder: Path, *, force: bool) -> None:
    """Raise ``UsageError`` where nothing is missing, or would be written outside the skill."""
    path = folder / suite.FILE
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{path.parent} leads out of the skill's folder")
    if not force and all(_is_there(folder / name) for name in (suite.FILE, trigger.FILE)):
        raise UsageError(
            f"{path} and {Path(trigger.FILE).name} are there already; --force keeps them as .bak"
        )


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def write_draft(folder: Path, draft: Draft, *, force: bool) -> Written:
    """Put what is missing into the folder of the skill; with *force* also what is there, which is
    then kept under another name."""
    refuse_existing(folder, force=force)
    documents = {suite.FILE: draft.suite.to_json(), trigger.FILE: draft.triggers.to_json()}
    files: list[Path] = []
    kept: list[Path] = []
    left: list[Path] = []
    try:
        (folder / suite.FILE).parent.mkdir(exist_ok=True)
        for name, text in documents.items():
            path = folder / name
            if _is_there(path) and not force:
                left.append(path)
                continue
            if _is_there(path):
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


def _evals(skill: Subject) -> list[dict[str, JsonValue]]:
    """Twelve of several kinds: one by one of what the skill is for, of its own parts and rules,
    and the two that it is not for among the first six."""
    words = skill.words
    name = skill.name.replace("-", " ").replace("_", " ")
    known = {"task": words.task.format(topic=skill.topic), "words": name}
    own = [
        *(_eval(words, words.by_part, {**known, "part": it}) for it in skill.lines(_HEADING, 2)),
        *(_eval(words, words.by_rule, {**known, "rule": it}) for it in skill.lines(_RULE, 4)),
    ][:4]
    general = [_eval(words, kind, known) for kind in words.kinds]
    not_for = [_eval(words, kind, known, makes=False) for kind in words.negative]
    every = [*general[:3], not_for[0], *own[:1], not_for[1], *own[1:], *general[3:]]
    return every[:DRAFTED]


def _eval(
    words: StarterWords, kind: Kind, known: Mapping[str, str], *, makes: bool = True
) -> dict[str, JsonValue]:
    name, prompt, expected, expectations = kind
    check: dict[str, JsonValue] = {
        "id": "S1",
        "type": "file_exists",
        "description": words.result_there,
        "pattern": RESULT,
        "critical": True,
    }
    if not makes:
        nothing = {"type": "file_count", "description": words.nothing_made, "pattern": "**/*"}
        check = {**check, **nothing, "count": 0, "operator": "=="}
    return {
        "name": name.format(**known),
        "prompt": prompt.format(**known),
        "expected_output": expected.format(**known),
        "files": [],
        "expectations": [text.format(**known) for text in expectations],
        "structural_expectations": [check],
    }
