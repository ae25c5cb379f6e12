"""The results of a project for doors: a page of them, one of them, and how many there are.

Every function first takes in what lies in files only (see ``app/takeover``), which costs a look
into the database where there is nothing of that kind.
"""

import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whet.app.app import App
from whet.app.parts import every_checker
from whet.app.takeover.takeover import take_over
from whet.core.arm import Arm
from whet.core.asset_query import LARGEST_PAGE
from whet.core.case import Case, Standard
from whet.core.errors import NotFound, UsageError, WhetError
from whet.core.result import Counts, Result
from whet.core.sized_cache import sized_cache
from whet.curate.library import cases
from whet.curate.places import is_behind_link
from whet.curate.segments import shown
from whet.documents.project import BaselineRef, SkillRef
from whet.documents.result import CaseResult
from whet.evaluate.case_result import case_result, file_name
from whet.evaluate.case_score import CaseScore, case_score
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell
from whet.evaluate.project import Project
from whet.evaluate.project_cases import CaseReader
from whet.evaluate.project_files import LARGEST
from whet.evaluate.project_places import arm_id, copy_of
from whet.ports.listing import Page
from whet.ports.results import ResultQuery


@dataclass(frozen=True, slots=True)
class PlacedResult:
    """A result with what it is a result of; None for what the project does not name any more."""

    result: Result
    skill: SkillRef | None
    baseline: BaselineRef | None
    case_name: str
    category: str
    scored: CaseScore
    """As its grade has it, or else as the table says."""


def page(app: App, project: Project, query: ResultQuery) -> Page[PlacedResult]:
    """One page of the results of a project, in plan order, whatever project the *query* names.

    Reads the rows of this page, and the cases of the baselines that are on it. Raises
    ``UsageError`` for a page that cannot be.
    """
    take_over(app, project)
    found = app.store.results.page(replace(query, project=project.config.id))
    skills, baselines = _skills(project), _baselines(project)
    names = {
        name: _case_names(project, baselines.get(name)) for name in {r.set for r in found.items}
    }
    scores = _scores(app, project, found.items)
    items = [
        PlacedResult(
            row,
            skills.get(row.arm),
            baselines.get(row.set),
            *names[row.set].get(row.case, (row.case, "")),
            scores.get(row.grade or "") or CaseScore(row.score),
        )
        for row in found.items
    ]
    return Page(tuple(items), found.total, found.page, found.page_size)


def counts(app: App, project: Project) -> Counts:
    """How many places of a project came to what."""
    take_over(app, project)
    return app.store.results.counts(project.config.id)


def one(
    app: App,
    project: Project,
    arm: str,
    case: str,
    attempt: int = 1,
    baseline: str | None = None,
) -> CaseResult:
    """The document of one result: as the store has it, else its file.

    *arm* and *baseline* are short id and version, as in ``Result``; the baseline is needed only
    where several have a case of that id. Raises ``NotFound``, and ``UsageError`` where several fit.
    """
    take_over(app, project)
    query = ResultQuery(project.config.id, arm=arm, set=baseline, case=case)
    found = [row for row in _every(app, query) if row.attempt == attempt]
    where = f"{shown(arm)} on case {shown(case)}, attempt {attempt}"
    if len(found) > 1:
        raise UsageError(f"several baselines have that case; say which: {_listed(found)}")
    if not found:
        raise NotFound(f"{shown(project.config.name)} has no result of {where}")
    document = _from_store(app, project, found[0]) or _from_file(project, found[0])
    if document is None:
        raise NotFound(f"the result of {where} is lost; run the project again")
    return document


def _from_store(app: App, project: Project, row: Result) -> CaseResult | None:
    """The document, if the store has all that it was made from."""
    record = app.store.ledger.record(row.trial, imported=True)
    grade = app.store.ledger.grades([row.grade]).get(row.grade) if row.grade else None
    if (record.generation if record else None) != row.generation or (row.grade and grade is None):
        return None
    skill, baseline = _skills(project).get(row.arm), _baselines(project).get(row.set)
    case = _case(app, project, baseline, row.case) if baseline else None
    if skill is None or baseline is None or case is None:
        return None
    cell = Cell(Arm(id=row.arm, label=skill.name, skill=None), case, row.attempt)
    error = record.error if record else row.error
    settled = Row(cell, row.trial, record, grade, error, row.status == "skipped")
    return case_result(settled, skill, baseline, project.config)


def _from_file(project: Project, row: Result) -> CaseResult | None:
    """The document that was written of the very same result."""
    several = len(project.config.baselines) > 1
    folder = project.folder / "results" / row.arm / (row.set if several else "")
    path = folder / file_name(row.case, row.attempt)
    try:
        if is_behind_link(path, project.folder):
            return None
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
            return None
        written = CaseResult.load(path)
    except (OSError, WhetError):
        return None
    same = (written.trial_address, written.generation) == (row.trial, row.generation)
    return written if same else None


def _scores(app: App, project: Project, rows: Sequence[Result]) -> dict[str, CaseScore]:
    """What the grades of these rows come to, by address, where their cases can still be read."""
    grades = app.store.ledger.grades([row.grade for row in rows if row.grade])
    standards: dict[tuple[str, str], Standard] = {}
    for name, baseline in _baselines(project).items():
        wanted = {row.case for row in rows if row.set == name and row.grade in grades}
        for case in _cases(app, project, baseline, wanted):
            standards[name, case.id] = case.standard
    return {
        row.grade: case_score(grades[row.grade], standards[row.set, row.case])
        for row in rows
        if row.grade in grades and (row.set, row.case) in standards
    }


def _cases(
    app: App, project: Project, baseline: BaselineRef, wanted: Collection[str]
) -> Sequence[Case]:
    """Some cases as they are graded; none where they cannot be read any more."""
    try:
        return _read_cases(app, project, baseline, wanted) if wanted else ()
    except (OSError, WhetError):
        return ()


def _case(app: App, project: Project, baseline: BaselineRef, identity: str) -> Case | None:
    """One case as it is graded, without a look at the others."""
    return next(iter(_read_cases(app, project, baseline, {identity})), None)


def _read_cases(
    app: App, project: Project, baseline: BaselineRef, wanted: Collection[str]
) -> Sequence[Case]:
    document = cases(copy_of(project.folder, baseline))
    chosen = tuple(case for case in document.cases if case.id in wanted)
    reader = CaseReader(
        f"{baseline.local_path}/cases.json",
        arm_id(baseline.ref_id, baseline.version),
        project.config.cli_config.timeout_seconds,
        every_checker(app.parts),
    )
    return reader.read(document.model_copy(update={"cases": chosen}))


def _case_names(project: Project, baseline: BaselineRef | None) -> Mapping[str, tuple[str, str]]:
    """Name and category of each case by id; nothing where they cannot be read any more."""
    try:
        folder = copy_of(project.folder, baseline) if baseline else None
        if folder is None:
            return {}
        state = (folder / "cases.json").stat()
        return _names_in(folder, (state.st_mtime_ns, state.st_size, state.st_ino))
    except (OSError, WhetError):
        return {}


def _names_bytes(names: Mapping[str, tuple[str, str]]) -> int:
    return sum(400 + 4 * len("".join((key, *texts))) for key, texts in names.items())


@sized_cache(16 * 1024 * 1024, size=_names_bytes)
def _names_in(folder: Path, _state: tuple[int, ...]) -> Mapping[str, tuple[str, str]]:
    """Remembered as long as the file stays as it is: whoever turns pages reads it once."""
    return {case.id: (case.name, case.category) for case in cases(folder).cases}


def _skills(project: Project) -> dict[str, SkillRef]:
    return {arm_id(one.ref_id, one.version): one for one in project.config.skills}


def _baselines(project: Project) -> dict[str, BaselineRef]:
    return {arm_id(one.ref_id, one.version): one for one in project.config.baselines}


def _every(app: App, query: ResultQuery) -> Iterator[Result]:
    number = 1
    while True:
        found = app.store.results.page(replace(query, page=number, page_size=LARGEST_PAGE))
        yield from found.items
        if number * LARGEST_PAGE >= found.total:
            return
        number += 1


def _listed(rows: list[Result]) -> str:
    return ", ".join(row.set for row in rows)
