"""Take results that lie in files only into the store, at the places that the project asks for.

They become imported records and grades, generation 0. Whoever only looks changes no file. Where a
project is imported or run, its summary and its progress are brought into step with its results.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isclose

from pydantic import JsonValue

from whet.app.app import App
from whet.app.judging import grader_of
from whet.app.parts import every_checker
from whet.app.runs.service import RunService
from whet.app.takeover.found import Finder, Found
from whet.app.takeover.records import grade_of, record_of
from whet.app.takeover.scores import is_total
from whet.app.takeover.state import KIND, Note, TakenOver, asked, taken_over
from whet.core.budget import Budget, Purse
from whet.core.errors import EnvironmentProblem
from whet.core.grade import Grade
from whet.core.instant import iso
from whet.core.result import Result
from whet.core.run import Run
from whet.core.text import shortened, storable
from whet.core.trial import IMPORTED, TrialRecord
from whet.curate.locks import locked
from whet.curate.original.report import Notebook
from whet.documents.files import reason
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.experiment import Row, look_up
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Cell, Design
from whet.evaluate.project import Project, design, opened
from whet.evaluate.project_files import ORIGINAL, SUMMARY
from whet.evaluate.project_results import ProjectResults
from whet.evaluate.project_table import Table
from whet.ports.results import ResultQuery

CHUNK = 200
PATIENCE = 600.0
"""Seconds that one waits for another who is at it."""

MOST_NOTES = 1000
LONGEST_NOTE = 500


def take_over(app: App, project: Project, *, settling: bool = False) -> TakenOver | None:
    """Take in what lies in files only; None where there is nothing of that kind. Files stay as
    they are unless it is *settling*: then summary and progress follow the results.

    Costs a look into the database where the results are there already. Raises ``WhetError`` where
    the project cannot be read.
    """
    if not _is_wanted(app, project):
        return None
    try:
        with locked(app.settings.workspace, f"takeover-{project.folder.name}", PATIENCE):
            # Somebody may have done it meanwhile, or what the caller has in hand is old.
            present = opened(project.folder)
            if not _is_wanted(app, present):
                return None
            return _Takeover(app, present, settling=settling).carried_out()
    except OSError as error:
        place = error.filename or project.folder
        raise EnvironmentProblem(f"cannot read {place}: {reason(error)}") from error


def _is_wanted(app: App, project: Project) -> bool:
    """Whether there are results in files that the store does not have at their present places."""
    identity = project.config.id
    before = taken_over(app, identity)
    if before is not None and before.design != asked(project.config):
        return True
    if before is not None and before.results:
        return False
    known = app.store.results.page(ResultQuery(identity, page_size=1)).total
    return not known and _has_files(project)


def _has_files(project: Project) -> bool:
    top = project.folder / "results"
    return top.is_dir() and any(p.is_dir() and p.name != ORIGINAL for p in top.iterdir())


Place = tuple[str, str, str, int]
"""Arm, set, case and attempt."""


@dataclass
class _Takeover:
    app: App
    project: Project
    settling: bool = False
    known: set[Place] = field(default_factory=set[Place])
    """Places whose answer is in the store."""

    told: dict[Place, Row] = field(default_factory=dict[Place, Row])
    """What came to no answer, by its place."""

    def __post_init__(self) -> None:
        with self.app.store.transaction():
            plan = design(self.project, self.app.store.blobs, every_checker(self.app.parts))
        self.plan: Design = plan.model_copy(update={"imported": True})
        self.grader: Grader = grader_of(self.app, self.project, plan, Purse(Budget()))
        self.notebook = Notebook(self.project.folder)

    def carried_out(self) -> TakenOver:
        found = Finder(self.project, self.plan, self.notebook).every()
        while chunk := list(islice(found, CHUNK)):
            self._keep([one for one in chunk if one.is_answer])
            for one in chunk:
                if not one.is_answer:
                    self.told[_place(one.cell)] = _unanswered(one)
        table, shown = Table(self.project.config.id, self.plan), ProjectResults(self.project)
        listed: list[Result] = []
        for row in self._rows():
            shown.count(row)
            listed.append(table.result(row))
        if listed:
            summary = self.project.folder / "results" / SUMMARY
            for what in shown.recomputed(self.app.clock.now()):
                self.notebook.left_out(summary, what)
        if listed and self.settling and not self._is_running():
            self._show(shown, is_complete=len(listed) == self.plan.size)
        return self._noted(listed)

    def _keep(self, found: Sequence[Found]) -> None:
        """Keep answers, with their scores; whatever is there already stays as it is."""
        ledger = self.app.store.ledger
        records = ledger.records([one.spec.address for one in found], imported=True)
        made = [(one, *record_of(one), grade_of(one, self.grader)) for one in found]
        grades = ledger.grades([grade.address for *_, grade in made if grade is not None])
        sessions: list[bytes] = []
        for one, record, session, grade in made:
            there = records.setdefault(record.address, record)
            scored = grades.setdefault(grade.address, grade) if grade is not None else None
            if there.generation != IMPORTED:
                self.known.add(_place(one.cell))  # an answer of our own goes before it
            elif _is_same(there, record) and _is_same_score(scored, grade):
                self.known.add(_place(one.cell))
                sessions.append(session)
                self._note_score(one, grade)
            else:
                # Somebody else's word about the same trial; there is room for one only.
                what = "is left: another result of the same trial was taken in before"
                self.notebook.left_out(one.path, what)
        with self.app.store.transaction():
            for session in sessions:
                self.app.store.blobs.put(session)
            ledger.add_imported(each for each in records.values() if each.generation == IMPORTED)
            ledger.add_grades(grades.values())

    def _note_score(self, found: Found, grade: Grade | None) -> None:
        said = found.result.scores.total
        if grade is None:
            if found.result.status == "completed":
                self.notebook.left_out(found.path, "its score is left: it is to be graded anew")
        elif grade.score is None:
            self.notebook.left_out(found.path, f"has no score: {grade.error}")
        elif not is_total(said, grade.score):
            right = f"{grade.score * PERCENT:g}"
            self.notebook.left_out(found.path, f"its total of {said:g} is computed anew: {right}")

    def _rows(self) -> Iterator[Row]:
        """Every place that something came of, as the store knows it now."""
        for row in look_up(self.app.store, self.grader, self.plan):
            place = _place(row.cell)
            if row.record is not None and place in self.known:
                yield row
            elif place in self.told:
                yield self.told[place]

    def _is_running(self) -> bool:
        run = RunService(self.app).find(self.project.config.id)
        return run is not None and run.status == "running"

    def _show(self, results: ProjectResults, *, is_complete: bool) -> None:
        """Let the ranking, the progress and the status of the project agree with its results."""
        now = self.app.clock.now()
        path = self.project.folder / "results" / SUMMARY
        if is_complete or path.is_file():
            results.summarise(now, anew=False)
        config = self.project.config
        change: dict[str, object] = {"progress": results.progress()}
        if config.status != "interrupted" or is_complete:
            change["status"] = "completed" if is_complete else "interrupted"
            change["control"] = None
        if any(getattr(config, name) != value for name, value in change.items()):
            self.project.saved(**change)

    def _noted(self, listed: Sequence[Result]) -> TakenOver:
        """Keep the table, and what came of it all."""
        store, config = self.app.store, self.project.config
        identity, entries = config.id, self.notebook.entries
        taken = TakenOver(
            at=iso(self.app.clock.now()),
            design=asked(self.project.config),
            results=len(listed),
            notes=tuple(
                Note(path=storable(e.path), what=storable(shortened(e.what, LONGEST_NOTE)))
                for e in entries[:MOST_NOTES]
            ),
            more_notes=max(0, len(entries) - MOST_NOTES),
        )
        with store.transaction():
            store.results.put(listed)
            self._put(KIND, taken.model_dump(mode="json"))
            if listed and store.runs.get(identity) is None:
                kept = store.runs.claim(self._run(len(listed)))
                wish = config.control if config.status == "interrupted" else None
                store.runs.put(kept.model_copy(update={"wish": wish}))
        return taken

    def _run(self, known: int) -> Run:
        """The run that the files tell of, which no process of ours was at."""
        config = self.project.config
        return Run(
            id=config.id,
            kind="project",
            name=config.name,
            status="completed" if known == self.plan.size else "interrupted",
            details={"folder": self.project.folder.name},
            total=self.plan.size,
            done=known,
            created_at=iso(self.app.clock.now()),
            started_at=config.created_at,
            ended_at=config.updated_at,
        )

    def _put(self, kind: str, value: dict[str, JsonValue]) -> None:
        states, identity = self.app.store.states, self.project.config.id
        present = states.get(kind, identity)
        states.put(kind, identity, present.revision if present else 0, value)


def _is_same(one: TrialRecord, other: TrialRecord) -> bool:
    return (one.status, one.answer) == (other.status, other.answer)


def _is_same_score(one: Grade | None, other: Grade | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.status == other.status and isclose(one.score or 0, other.score or 0, abs_tol=1e-6)


def _place(cell: Cell) -> Place:
    return cell.arm.id, cell.case.set, cell.case.id, cell.attempt


def _unanswered(found: Found) -> Row:
    result = found.result
    error = storable(result.error or "it was not run")
    skipped = result.status == "skipped"
    return Row(found.cell, found.spec.address, None, None, error, skipped)
