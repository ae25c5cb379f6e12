"""The skill-eval door: ``evals/evals.json`` in the folder of a skill, as cases.

Nothing of a suite is run while there is a mistake in it, and all mistakes are told at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import JsonValue, ValidationError

from whet.core.address import digest_bytes
from whet.core.case import Case, Limits, Standard, Stimulus
from whet.core.errors import InvalidSuite, NotFound
from whet.core.files import FileRef, inside
from whet.core.rubric import Dimension, Rubric
from whet.documents.evals import Eval, EvalConfig, EvalSuite
from whet.documents.rubrics import QualityRubric
from whet.documents.text import read_json
from whet.evaluate.check import read_checks
from whet.ports.checker import Checker

FILE = "evals/evals.json"
FIXTURES = "evals/files/"
"""Input files below this folder lie at the same place in the agent's working folder."""

MOST_INPUT = 64 * 1024 * 1024
MOST_RUNS = 100


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
    return parse_suite(read_json(path), folder, checkers, timeout_seconds)


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

    def read(self, data: JsonValue) -> Suite:
        """Read the whole document."""
        problems = [f"{FILE}: {mistake}" for mistake in EvalSuite.mistakes(data)]
        cases: list[Case] = []
        for number, raw in enumerate(_raw_evals(data)):
            if Eval.mistakes(raw):
                continue  # told above
            eval_ = Eval.parse(raw, f"evals[{number}]")
            where = f"eval {eval_.id}"
            if any(case.id == str(eval_.id) for case in cases):
                problems.append(f"{where}: another eval has the same id")
            found = self._case(eval_, raw, where)
            problems += found if isinstance(found, list) else []
            cases += [found] if isinstance(found, Case) else []
        document = None if problems else EvalSuite.parse(data, FILE)
        problems += _config_problems(document)
        if problems or document is None:
            raise InvalidSuite(self._folder / FILE, problems)
        return Suite(self._folder, document, tuple(cases), self._content)

    def _case(self, eval_: Eval, raw: JsonValue, where: str) -> Case | list[str]:
        """The case, or every mistake in it."""
        checks = read_checks(_raw_checks(raw), where, self._checkers)
        problems = list(checks.problems)
        rubric = _rubric(eval_.quality_rubric, where, problems)
        files = tuple(self._files(eval_.files, where, problems))
        if not eval_.prompt.strip():
            problems.append(f"{where}: prompt: must not be empty")
        if eval_.timeout_seconds is not None and eval_.timeout_seconds <= 0:
            problems.append(f"{where}: timeout_seconds: must be more than 0")
        if not (checks.specs or eval_.expectations or rubric or checks.problems):
            problems.append(f"{where}: nothing to grade it by: no expectations and no rubric")
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
                expectations=eval_.expectations,
            ),
        )

    def _files(self, names: Sequence[str], where: str, problems: list[str]) -> Iterator[FileRef]:
        taken: set[str] = set()
        for name in names:
            found = self._file(name)
            if isinstance(found, str):
                problems.append(f"{where}: file {name!r}: {found}")
            elif found.path in taken:
                problems.append(f"{where}: file {name!r}: {found.path} is there already")
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
            data = path.read_bytes()
        except ValueError as error:
            return str(error)
        except OSError as error:
            return error.strerror or str(error)
        digest = digest_bytes(data)
        self._content[digest] = data
        return FileRef(path=name.removeprefix(FIXTURES), digest=digest, size=len(data))


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


def _config_problems(document: EvalSuite | None) -> list[str]:
    if document is None:
        return []
    config = document.eval_config or EvalConfig()
    problems: list[str] = []
    if not 1 <= config.runs_per_eval <= MOST_RUNS:
        problems.append(f"eval_config.runs_per_eval: must be 1 to {MOST_RUNS}")
    if not document.evals:
        problems.append("evals: there are none")
    return problems


def _rubric(given: QualityRubric | None, where: str, problems: list[str]) -> Rubric | None:
    if given is None:
        return None
    try:
        return Rubric(
            name=given.name or "quality_rubric",
            dimensions=tuple(
                Dimension(
                    name=each.name,
                    minimum=1 if each.minimum is None else each.minimum,
                    maximum=5 if each.maximum is None else each.maximum,
                    weight=each.weight,
                    description=each.description,
                    anchors=each.scoring,
                )
                for each in given.dimensions
            ),
        )
    except ValidationError as error:
        problems += [f"{where}: quality_rubric: {one['msg']}" for one in error.errors()]
        return None
