"""Result files of a project, each with the place in its table that it belongs to.

A file is somebody's word. It is taken for a result only where all it says fits one place: skill,
version, baseline, case, attempt and input. Everything else is noted and left as it is.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import InvalidDocument
from whet.core.trial import TrialSpec
from whet.curate.original.reading import read_value
from whet.curate.original.report import Notebook
from whet.documents.result import CaseResult, Scores
from whet.evaluate.plan import Cell, Design, trial
from whet.evaluate.project import Project
from whet.evaluate.project_files import ORIGINAL, SUMMARY
from whet.evaluate.project_places import arm_id

UNDEFINED = "undefined"
"""What the original program calls the results of a case whose id it forgot."""

MOST_MS = 366 * 24 * 3600 * 1000
MOST_TOKENS = 10**12
MOST_USD = 10**6
LONGEST_WORD = 200
"""Of one attempt; more is a slip or a lie."""

_NAME = re.compile(r"(.+?)(?:\.run-([1-9][0-9]{0,3}))?\.json", re.DOTALL)


@dataclass(frozen=True)
class Found:
    """A result that fits a place."""

    path: Path
    cell: Cell
    spec: TrialSpec
    result: CaseResult

    @property
    def is_ours(self) -> bool:
        """Whether whet wrote it."""
        return self.result.trial_address is not None

    @property
    def is_answer(self) -> bool:
        """Whether an agent answered; what was skipped, or could not be run here, has no answer."""
        return self.result.status != "skipped" and (
            self.result.executed_at is not None or not self.is_ours
        )

    @property
    def started(self) -> datetime:
        """When the agent began; long ago where nobody knows."""
        return moment(self.result.executed_at) or datetime.fromtimestamp(0, UTC)


class _Unfit(Exception):
    """Says why a file is no result of this project."""


class Finder:
    """Goes through the results folder of a project."""

    def __init__(self, project: Project, plan: Design, notebook: Notebook) -> None:
        self._top = project.folder / "results"
        self._plan = plan
        self._notebook = notebook
        config = project.config
        self._arms = {arm.id: arm for arm in plan.arms}
        self._skills = {(s.ref_id, s.version): arm_id(s.ref_id, s.version) for s in config.skills}
        self._sets = {(b.ref_id, b.version): arm_id(b.ref_id, b.version) for b in config.baselines}
        self._cases = {(case.set, case.id): case for case in plan.cases}
        self._owners: dict[str, set[str]] = {}
        for skill in config.skills:
            name = arm_id(skill.ref_id, skill.version)
            # The original calls the folder after the copy, which it calls v1 whatever it is.
            for folder in (name, f"skill_{name}", Path(skill.local_path).name):
                self._owners.setdefault(folder, set()).add(name)
        self._seen: set[tuple[str, str, str, int]] = set()

    def every(self) -> Iterator[Found]:
        """All results that fit, one for each place: that of the better place goes first."""
        for path, inner in self._files():
            try:
                yield self._fitted(path, inner)
            except _Unfit as unfit:
                self._notebook.left_out(path, str(unfit))

    def _files(self) -> Iterator[tuple[Path, str | None]]:
        """Every file that may be one, with the baseline's folder that it lies in."""
        if self._top.is_symlink():
            self._notebook.left_out(self._top, "is a link")
        elif self._top.is_dir():
            for folder in sorted(self._top.iterdir(), key=lambda p: (p.name not in self._arms, p)):
                if folder.name not in (ORIGINAL, SUMMARY):
                    yield from self._inside(folder)

    def _inside(self, folder: Path) -> Iterator[tuple[Path, str | None]]:
        if not self._is_folder(folder):
            return
        if folder.name not in self._owners:
            self._notebook.left_out(folder, "no skill of the project has these results")
            return
        for path in _in_order(folder):
            if not path.is_dir():
                yield path, None
            elif self._is_folder(path):
                yield from ((inner, path.name) for inner in _in_order(path))

    def _is_folder(self, path: Path) -> bool:
        if path.is_symlink():
            self._notebook.left_out(path, "is a link")
        elif not path.is_dir():
            self._notebook.left_out(path, "is no folder of results")
        else:
            return True
        return False

    def _fitted(self, path: Path, inner: str | None) -> Found:
        result = self._read(path)
        arm = self._arm(result, path.parent.name if inner is None else path.parent.parent.name)
        of = self._set(result, inner)
        attempt = self._attempt(result, path)
        case = self._cases.get((of, result.case_id))
        if case is None:
            raise _Unfit("is of a case that the baseline does not have")
        if result.input != case.stimulus.prompt:
            raise _Unfit("has another input than its case")
        cell = Cell(self._arms[arm], case, attempt)
        found = Found(path, cell, trial(self._plan, cell), result)
        if found.is_ours and result.trial_address != found.spec.address:
            raise _Unfit("is of another trial: the project was changed since, or it is another's")
        _refuse_nonsense(found)
        place = (arm, of, case.id, attempt)
        if place in self._seen:
            raise _Unfit("is a result of the same place as another file")
        self._seen.add(place)
        return found

    def _read(self, path: Path) -> CaseResult:
        if not path.is_file() and not path.is_symlink():
            raise _Unfit("is no file")
        if _NAME.fullmatch(path.name) is None:
            raise _Unfit("is not called as a result")
        before = len(self._notebook.entries)
        raw = read_value(path, self._notebook)
        if not isinstance(raw, dict):
            noted = self._notebook.entries[before:]
            del self._notebook.entries[before:]
            raise _Unfit(noted[0].what if noted else "must be an object")
        fixed = {**raw, "scores": _readable(raw.get("scores")), "case_id": self._case_id(raw)}
        try:
            return CaseResult.parse(fixed, path.name)
        except InvalidDocument as error:
            raise _Unfit(f"{error.field}: {error.reason}") from None

    def _arm(self, result: CaseResult, folder: str) -> str:
        arm = self._skills.get((result.skill_id, result.skill_version))
        if arm is None or arm not in self._owners[folder]:
            raise _Unfit("is of another skill, or another version, than its folder")
        return arm

    def _set(self, result: CaseResult, inner: str | None) -> str:
        found = self._sets.get((result.baseline_id, result.baseline_version))
        if found is None:
            raise _Unfit("is of a baseline, or a version of it, that the project does not have")
        if inner not in (None, found):
            raise _Unfit("lies in a folder that is not its baseline's")
        return found

    def _attempt(self, result: CaseResult, path: Path) -> int:
        named = _NAME.fullmatch(path.name)
        stem, number = named.groups() if named else (path.name, None)
        attempt = int(number or 1)
        if stem not in (result.case_id, UNDEFINED) or result.attempt not in (None, attempt):
            raise _Unfit("is called otherwise than its case and attempt")
        if number == "1" or not 1 <= attempt <= self._plan.repeats:
            raise _Unfit(f"is called attempt {attempt} of {self._plan.repeats}")
        return attempt

    def _case_id(self, raw: Mapping[str, JsonValue]) -> JsonValue:
        """The id of the case; where it was forgotten, that of the only one that fits."""
        said = raw.get("case_id")
        identity, version = raw.get("baseline_id"), raw.get("baseline_version")
        of = self._sets.get((str(identity), str(version)), "")
        if isinstance(said, str) and (said != UNDEFINED or (of, said) in self._cases):
            return said
        task = (raw.get("input"), raw.get("expected_output"))
        fitting = [
            case.id
            for case in self._plan.cases
            if case.set == of and (case.stimulus.prompt, case.standard.expected) == task
        ]
        if len(fitting) != 1:
            raise _Unfit("does not say, and cannot be told, to which case it belongs")
        return fitting[0]


def moment(text: str | None) -> datetime | None:
    """A point in time as a file has it, or None where it is none."""
    try:
        found = datetime.fromisoformat(text or "")
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _refuse_nonsense(found: Found) -> None:
    """Numbers that no attempt has, and times that are none."""
    result = found.result
    if found.is_answer and moment(result.executed_at) is None:
        raise _Unfit("executed_at is no time")
    amounts = (
        ("duration_ms", MOST_MS),
        ("input_tokens", MOST_TOKENS),
        ("output_tokens", MOST_TOKENS),
        ("estimated_tokens", MOST_TOKENS),
        ("cost_usd", MOST_USD),
    )
    for name, most in amounts:
        amount = getattr(result, name)
        if amount is not None and not 0 <= amount <= most:
            raise _Unfit(f"{name} cannot be right")
    for name in ("cli_version", "model_version", "engine", "sandbox"):
        if len(getattr(result, name) or "") > LONGEST_WORD:
            raise _Unfit(f"{name} is longer than {LONGEST_WORD} characters")


def _readable(scores: JsonValue) -> JsonValue:
    """*scores*, or none where they are no such thing: the answer may still be one."""
    nothing: dict[str, JsonValue] = {"total": None}
    return nothing if scores is None or Scores.mistakes(scores) else scores


def _in_order(folder: Path) -> list[Path]:
    """What is in a folder; a file that says its case by its name goes before one that does not."""
    return sorted(folder.iterdir(), key=lambda path: (path.stem == UNDEFINED, path.name))
