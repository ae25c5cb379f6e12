"""The skill-eval door: ``evals/evals.json`` in the folder of a skill, as cases.

Nothing of a suite is run while there is a mistake in it, and all mistakes are told at once.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pydantic import JsonValue

from whet.core.address import digest_bytes
from whet.core.case import Case, Limits, Standard, Stimulus
from whet.core.errors import InvalidDocument, InvalidSuite, NotFound
from whet.core.files import FileRef, inside
from whet.documents.complaint import Path as FieldPath
from whet.documents.evals import Eval, EvalConfig, EvalSuite
from whet.documents.text import read_json, rows_problem
from whet.evaluate.check import read_checks
from whet.evaluate.rubrics import EMPTY_RUBRIC, read_rubric
from whet.ports.checker import Checker

FILE = "evals/evals.json"
FIXTURES = "evals/files/"
"""Input files below this folder lie at the same place in the agent's working folder."""

MOST_SUITE = 16 * 1024 * 1024
MOST_INPUT = 64 * 1024 * 1024
MOST_INPUTS = 4 * MOST_INPUT
"""Bytes of all input files together."""

DEEPEST = 100
"""Levels of nesting: what is deeper can be read and not be written."""

MOST_RUNS = 100
MOST_SECONDS = 7 * 24 * 3600

NOTHING_TO_GRADE_BY = (
    "expected_output: must say what a good result is, as there are no expectations and no rubric"
)
AS_ASKED = "What the prompt asks for is done."
AS_ASKED_ZH = "完成了提示词所要求的事。"
"""What a run is judged by where an eval has neither expectations nor an ``expected_output``, but a
rubric or scripts that are not run."""

SCRIPT = "custom_script"
"""The type of the checks that only a trusted suite may carry out."""

_GRADED_BY = {
    "expectations",
    "assertions",
    "structural_expectations",
    "quality_rubric",
    "rubric",
    "expected_output",
}
_STAND_INS: Mapping[str, JsonValue] = {"id": "?", "prompt": "?", "expected_output": "?"}
"""For required fields of the wrong shape, so that the other fields can be looked at."""

_HALF = re.compile("[\ud800-\udfff]")
_CHINESE = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Suite:
    """A suite without mistakes."""

    folder: Path
    """Of the skill."""

    document: EvalSuite
    cases: tuple[Case, ...]
    """One for each eval, in order; its id is the eval's as a string."""

    content: Mapping[str, bytes]
    """The input files by digest."""

    @property
    def config(self) -> EvalConfig:
        """How the suite is to be run."""
        return self.document.eval_config or EvalConfig()

    @cached_property
    def evals(self) -> Mapping[str, Eval]:
        """The evals by the id of their case."""
        return {str(each.id): each for each in self.document.evals}

    def clusters(self) -> dict[str, str] | None:
        """The cluster of each case: what it says, else the input files that it shares with
        others. None where every case stands alone, or all of them share one fixture: the
        comparison then speaks of that fixture."""
        names = {case.id: _cluster(self.evals[case.id], case) for case in self.cases}
        kinds = set(names.values())
        return names if 1 < len(kinds) < len(names) else None

    def without_scripts(self) -> "Suite":
        """The same for who does not trust its scripts: they are skipped, and an eval that has
        nothing else to meet is judged as one without expectations is."""
        return replace(self, cases=tuple(map(self._without_scripts, self.cases)))

    def _without_scripts(self, case: Case) -> Case:
        standard = case.standard
        if standard.expectations or any(check.type != SCRIPT for check in standard.checks):
            return case
        eval_ = self.evals[case.id]
        judged = standard.model_copy(
            update={"expectations": (_expected(eval_) or _as_asked(eval_),)}
        )
        return case.model_copy(update={"standard": judged})


def _cluster(eval_: Eval, case: Case) -> str:
    if eval_.cluster:
        return eval_.cluster
    files = sorted(file.digest for file in case.stimulus.files)
    return f"files {' '.join(files)}" if files else f"eval {case.id}"


def read_suite(
    folder: Path, checkers: Mapping[str, Checker], timeout_seconds: float = 600
) -> Suite:
    """Read the suite of the skill in *folder*; raises ``InvalidSuite`` with every mistake.

    *timeout_seconds* is for evals that do not say how long an attempt may take.
    """
    path = folder / FILE
    if not path.is_file():
        raise NotFound(f"{folder} has no {FILE}; write one with: whet eval init {folder}")
    if path.stat().st_size > MOST_SUITE:
        raise InvalidSuite(path, [f"is larger than {MOST_SUITE // 1024 // 1024} MB"])
    return parse_suite(read_json(path, MOST_SUITE), folder, checkers, timeout_seconds)


def parse_suite(
    data: JsonValue, folder: Path, checkers: Mapping[str, Checker], timeout_seconds: float = 600
) -> Suite:
    """The same of a suite that is not in its file yet."""
    return _Reader(folder, checkers, timeout_seconds).read(data)


class _Reader:
    """Collects cases and mistakes."""

    def __init__(self, folder: Path, checkers: Mapping[str, Checker], timeout: float) -> None:
        self._folder = folder
        self._checkers = checkers
        self._timeout = timeout
        self._content: dict[str, bytes] = {}
        self._size = 0
        self._looked_at: dict[str, FileRef | str] = {}

    def read(self, data: JsonValue) -> Suite:
        """Read the whole document."""
        if problem := rows_problem(data.get("evals") if isinstance(data, dict) else data, "evals"):
            raise InvalidSuite(self._folder / FILE, [problem])
        if _is_deeper(data, DEEPEST):
            raise InvalidSuite(self._folder / FILE, [f"is nested more than {DEEPEST} levels deep"])
        document, faults = _document(data)
        raws = _raw_evals(data)
        by_place: dict[int | None, list[tuple[FieldPath, str]]] = {}
        for path, told in faults:
            place = path[1] if len(path) > 1 and path[0] == "evals" else None
            known = place if isinstance(place, int) else None
            by_place.setdefault(known, []).append((path[2:], told))
        problems = [told for _, told in by_place.get(None, [])]
        problems += _config_problems(data)
        cases: list[Case] = []
        taken: set[str] = set()
        for place, raw in enumerate(raws):
            own = by_place.get(place, [])
            # Of an eval with fields of the wrong shape the others are looked at all the same.
            eval_ = document.evals[place] if document else Eval.sound_part(raw, _STAND_INS)
            if eval_ is None:
                problems += [told for _, told in own]
                continue
            has_id = not any(path[:1] == ("id",) for path, _ in own)
            where = f"eval {_named(eval_.id)}" if has_id else f"evals[{place}]"
            found = self._case(eval_, raw, where)
            if isinstance(found, Case):
                cases.append(found)
            problems += _told(own, raw, found if isinstance(found, list) else [])
            if has_id and str(eval_.id) in taken:
                problems.append(f"{where}: id: another eval has the same id")
            taken.add(str(eval_.id))
        if problems or document is None:
            raise InvalidSuite(self._folder / FILE, problems)
        return Suite(self._folder, document, tuple(cases), self._content)

    def _case(self, eval_: Eval, raw: JsonValue, where: str) -> Case | list[str]:
        """The case, or every mistake in it."""
        checks = read_checks(_raw_checks(raw), where, self._checkers)
        problems = list(checks.problems)
        rubric, mistakes = read_rubric(eval_.quality_rubric, f"{where}: quality_rubric")
        problems += mistakes
        files = tuple(self._files(eval_.files, where, problems))
        problems += [f"{where}: {mistake}" for mistake in _mistakes(eval_, raw)]
        expectations = eval_.expectations
        if not (expectations or _raw_checks(raw)):
            # Every run meets or misses something, so that it has a pass rate.
            expectations = tuple(filter(None, (_expected(eval_),)))
            if not expectations:
                problems.append(f"{where}: {NOTHING_TO_GRADE_BY}")
        if problems:
            return problems
        return Case(
            id=str(eval_.id),
            set="evals",
            name=eval_.name or f"eval {eval_.id}",
            stimulus=Stimulus(
                prompt=eval_.prompt,
                files=files,
                limits=Limits(timeout_seconds=eval_.timeout_seconds or self._timeout),
            ),
            standard=Standard(
                expected=eval_.expected_output,
                rubric=rubric,
                checks=checks.specs,
                expectations=expectations,
            ),
        )

    def _files(self, names: Sequence[str], where: str, problems: list[str]) -> Iterator[FileRef]:
        taken: set[str] = set()
        for name in names:
            if name not in self._looked_at:
                self._looked_at[name] = self._file(name)
            found = self._looked_at[name]
            if isinstance(found, str):
                problems.append(f"{where}: files: {name!r}: {found}")
            elif found.path in taken:
                problems.append(f"{where}: files: {name!r}: {found.path} is there already")
            else:
                taken.add(found.path)
                yield found

    def _file(self, name: str) -> FileRef | str:
        """The input file, or why it cannot be one."""
        try:
            path = self._folder / inside(name)
            if not path.resolve().is_relative_to(self._folder.resolve()):
                return "leads out of the skill's folder"
            if not path.is_file():
                return "is not there"
            if path.stat().st_size > MOST_INPUT:
                return f"is larger than {MOST_INPUT // 1024 // 1024} MB"
            if self._size > MOST_INPUTS:
                return f"all files together are larger than {MOST_INPUTS // 1024 // 1024} MB"
            data = path.read_bytes()
        except ValueError as error:
            return str(error)
        except OSError as error:
            return error.strerror or str(error)
        self._size += len(data)
        digest = digest_bytes(data)
        self._content[digest] = data
        return FileRef(path=name.removeprefix(FIXTURES), digest=digest, size=len(data))


def _is_deeper(value: JsonValue, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(one, levels - 1) for one in inner)


def _document(data: JsonValue) -> tuple[EvalSuite | None, list[tuple[FieldPath, str]]]:
    """The document, or everything that keeps it from being one: where it lies, and in words."""
    try:
        return EvalSuite.parse(data, FILE), []
    except InvalidDocument:
        return None, EvalSuite.faults(data)


def _told(
    faults: Sequence[tuple[FieldPath, str]], raw: JsonValue, mistakes: Sequence[str]
) -> list[str]:
    """Every mistake of one eval once: those of shape, and what else is wrong with the rest."""
    broken = {path[0] for path, _ in faults if path}
    follows: list[str] = []
    if broken & {"quality_rubric", "rubric"}:
        follows += EMPTY_RUBRIC
    if broken & _GRADED_BY:
        follows.append(NOTHING_TO_GRADE_BY)
    own = [told for path, told in faults if not _is_repeated(path, raw, mistakes)]
    return own + [each for each in mistakes if not each.endswith(tuple(follows))]


def _is_repeated(path: FieldPath, raw: JsonValue, mistakes: Sequence[str]) -> bool:
    """Whether the same is said of a check by whoever knows its type."""
    match path, raw:
        case ("structural_expectations", int(place), *fields), {
            "structural_expectations": [*checks]
        }:
            check = checks[place]
            own = check.get("id") if isinstance(check, dict) else None
            names = [f"check {name}: " for name in (own, place + 1, f"S{place + 1}") if name]
            said = [each.split(name, 1)[1] for each in mistakes for name in names if name in each]
            return any(not fields or str(fields[0]) in each for each in said)
        case _:
            return False


def _named(identity: int | str) -> str:
    """The id in a message: what could steer a terminal is quoted."""
    name = str(identity)
    return name if name.isprintable() and name.strip() else repr(name)


def _expected(eval_: Eval) -> str:
    """What an eval without expectations is judged by; empty where it says nothing."""
    if eval_.expected_output.strip():
        return eval_.expected_output
    return "" if eval_.quality_rubric is None else _as_asked(eval_)


def _as_asked(eval_: Eval) -> str:
    return AS_ASKED_ZH if _CHINESE.search(eval_.prompt) else AS_ASKED


def _mistakes(eval_: Eval, raw: JsonValue) -> Iterator[str]:
    """What is wrong with an eval by itself."""
    if not str(eval_.id).strip():
        yield "id: must not be empty"
    if not eval_.prompt.strip():
        yield "prompt: must not be empty"
    if eval_.timeout_seconds is not None and not 0 < eval_.timeout_seconds <= MOST_SECONDS:
        yield f"timeout_seconds: must be more than 0 and at most {MOST_SECONDS}"
    for number, text in enumerate(eval_.expectations):
        if not text.strip():
            yield f"expectations[{number}]: must not be empty"
    for name, value in raw.items() if isinstance(raw, dict) else ():
        if _HALF.search(json.dumps([name, value], ensure_ascii=False)):
            yield f"{name!r}: has half a character in it, a surrogate without its other half"


def _raw_evals(data: JsonValue) -> list[JsonValue]:
    match data:
        case {"evals": [*evals]}:
            return evals
        case _:
            return []


def _raw_checks(raw: JsonValue) -> list[JsonValue]:
    match raw:
        case {"structural_expectations": [*checks]}:
            return checks
        case _:
            return []


def _config_problems(data: JsonValue) -> Iterator[str]:
    match data:
        case {"eval_config": {"runs_per_eval": int(runs)}} if not 1 <= runs <= MOST_RUNS:
            yield f"eval_config.runs_per_eval: must be 1 to {MOST_RUNS}"
        case _:
            pass
    match data:
        case {"evals": []}:
            yield "evals: there are none"
        case _:
            pass
    match data:
        case {"skill_name": str(name)} if _HALF.search(name) or not name.strip():
            yield "skill_name: must be a text that is not empty"
        case _:
            pass
