"""All that came of a project so far: its design, and what counts of its results."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from whet.app.app import App
from whet.app.parts import every_checker
from whet.app.projects.shelf import ProjectShelf
from whet.app.takeover.takeover import take_over, taken_over
from whet.core.address import digest_bytes
from whet.core.arm import Arm
from whet.core.asset_query import LARGEST_PAGE
from whet.core.case import Case
from whet.core.errors import NotFound
from whet.core.result import Result
from whet.documents.environment import ProjectEnvironment
from whet.documents.project import BaselineRef, SkillRef
from whet.documents.result import CaseResult
from whet.evaluate.case_result import case_result
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell, Design
from whet.evaluate.project import Project, design
from whet.evaluate.project_places import arm_id
from whet.ports.results import ResultQuery
from whet.rank.compare import CaseKey, Side
from whet.rank.environment import environment

CHUNK = 200
"""Results looked up in the store at once."""


@dataclass(frozen=True)
class Settled:
    """A place that came to something, and the document that tells of it."""

    row: Row
    result: CaseResult


@dataclass(frozen=True)
class Outcome:
    """A project with its design and the results of some or all of its skills."""

    project: Project
    plan: Design
    settled: Mapping[str, Sequence[Settled]]
    """By arm, which is the short id and version of a skill; in the order of the plan."""

    problems: tuple[str, ...]
    """What does not count although it is there, and why."""

    @property
    def cases(self) -> dict[CaseKey, Case]:
        """All cases, in the order of the project."""
        baselines = {arm_id(one.ref_id, one.version): one for one in self.project.config.baselines}
        return {_key(baselines[case.set], case): case for case in self.plan.cases}

    def environment(self) -> ProjectEnvironment:
        """What it is carried out with."""
        return environment(self.project.config, self.plan)

    def side(self, skill: SkillRef) -> Side:
        """One of its skills, to be compared."""
        settled = self.settled[arm_id(skill.ref_id, skill.version)]
        results = [one.result for one in settled]
        return Side(self.project.config, skill, self.cases, results)


def outcome(app: App, reference: str, skills: Collection[SkillRef] | None = None) -> Outcome:
    """A project, with the results of *skills* only if some are named.

    What lies in files only is taken in first. A result that somebody wants another answer for
    counts no more, and is as if it was not there.
    """
    project = ProjectShelf(app).find(reference)
    if take_over(app, project):
        project = ProjectShelf(app).find(project.config.id)
    plan = design(project, _Nowhere(), every_checker(app.parts))
    chosen = project.config.skills if skills is None else skills
    arms = {arm.id: arm for arm in plan.arms}
    problems = _noted(app, project)
    reader = _Reader(app, project, plan, problems)
    settled = {
        arm.id: list(reader.read(skill, arm))
        for skill in chosen
        for arm in [arms[arm_id(skill.ref_id, skill.version)]]
    }
    return Outcome(project, plan, settled, tuple(problems))


def _key(baseline: BaselineRef, case: Case) -> CaseKey:
    return CaseKey(baseline.ref_id, baseline.version, case.id)


def _noted(app: App, project: Project) -> list[str]:
    """What was not believed when the project was taken in."""
    taken = taken_over(app, project.config.id)
    return [*taken.told_notes()] if taken else []


class _Nowhere:
    """``ports.blobs.Blobs`` for whoever wants to know a design and not to carry it out."""

    def put(self, data: bytes) -> str:
        return digest_bytes(data)

    def get(self, digest: str) -> bytes:
        raise NotFound(f"no blob {digest}")

    def has(self, digest: str) -> bool:  # noqa: ARG002 - the port's shape
        return False


class _Reader:
    """Reads the results of one skill after the other."""

    def __init__(self, app: App, project: Project, plan: Design, problems: list[str]) -> None:
        self._app = app
        self._config = project.config
        self._repeats = plan.repeats
        self._cases = {(case.set, case.id): case for case in plan.cases}
        self._baselines = {arm_id(one.ref_id, one.version): one for one in project.config.baselines}
        self._problems = problems

    def read(self, skill: SkillRef, arm: Arm) -> Iterator[Settled]:
        """What counts of a skill's results, in the order of the plan."""
        listed = self._listed(arm.id)
        ledger = self._app.store.ledger
        while chunk := list(islice(listed, CHUNK)):
            records = ledger.records([one.trial for one in chunk], imported=True)
            grades = ledger.grades([one.grade for one in chunk if one.grade])
            for one in chunk:
                record = records.get(one.trial)
                if (record.generation if record else None) != one.generation:
                    continue  # another answer is wanted, or there already
                grade = grades.get(one.grade or "")
                cell = Cell(arm, self._cases[one.set, one.case], one.attempt)
                error = one.error if record is None else record.error
                row = Row(cell, one.trial, record, grade, error, one.status == "skipped")
                yield Settled(row, self._result(row, one, skill))

    def _listed(self, arm: str) -> Iterator[Result]:
        """The table of the store, as far as the project still asks for it."""
        query = ResultQuery(self._config.id, arm=arm, page_size=LARGEST_PAGE)
        number, total = 1, 1
        while (number - 1) * LARGEST_PAGE < total:
            page = self._app.store.results.page(replace(query, page=number))
            yield from (one for one in page.items if self._is_wanted(one))
            number, total = number + 1, page.total

    def _is_wanted(self, one: Result) -> bool:
        return (one.set, one.case) in self._cases and one.attempt <= self._repeats

    def _result(self, row: Row, one: Result, skill: SkillRef) -> CaseResult:
        baseline = self._baselines[row.cell.case.set]
        told = case_result(row, skill, baseline, self._config)
        if row.grade is not None or one.grade_status is None:
            return told
        if one.grade_status != "failed":
            place = f"{arm_id(skill.ref_id, skill.version)}/{one.case}, attempt {one.attempt}"
            self._problems.append(f"{place}: its grade is lost; run the project again")
        # A grade that failed is not kept; why it did stands in the table.
        return told.model_copy(update={"grade_status": "failed", "error": one.error})
