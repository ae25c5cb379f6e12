"""One trial of a project as people look at it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from whet.app.app import App
from whet.app.projects.results import one as document_of
from whet.app.projects.wanted import of_project
from whet.app.views.project import ProjectViews
from whet.app.views.project_rows import Plan, points
from whet.app.views.texts import MOST_FILES, MOST_TEXT, Room
from whet.core.asset_query import LARGEST_PAGE
from whet.core.case import Case
from whet.core.check import CheckResult
from whet.core.errors import NotFound, WhetError
from whet.core.grade import Grade
from whet.core.result import Result
from whet.core.trial import TrialRecord
from whet.curate.segments import shown
from whet.documents.result import CaseResult
from whet.documents.session import Session
from whet.documents.trial_view import (
    AttemptView,
    CheckView,
    ClaimView,
    DimensionView,
    OpinionView,
    ProducedFile,
    TrialView,
)
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.project_places import arm_id
from whet.evaluate.transcript import session_of
from whet.exporters.plain import line
from whet.ports.results import ResultQuery


@dataclass(frozen=True)
class Wanted:
    """Which trial."""

    arm: str
    case: str
    attempt: int = 1
    set: str | None = None
    """The baseline, where several have the case."""


def project_trial(app: App, views: ProjectViews, identity: str, wanted: Wanted) -> TrialView:
    """One trial of a project; raises ``NotFound``, and ``UsageError`` where several fit."""
    project = views.find(identity)
    plan = views.plan(project)
    query = of_project(project, wanted.arm, wanted.set, wanted.case)
    rows = [*_every(app, replace(query, page_size=LARGEST_PAGE))]
    row = next((one for one in rows if one.attempt == wanted.attempt), None)
    if row is None:
        raise NotFound(
            f"{shown(project.config.name)} has no result of {shown(wanted.arm)} on case"
            f" {shown(wanted.case)}, attempt {wanted.attempt}"
        )
    told = document_of(app, project, row.arm, row.case, row.attempt, wanted.set and row.set)
    rows = [one for one in rows if one.set == row.set]
    return _Trial(app, plan, row, told).view(rows, Room())


def _every(app: App, query: ResultQuery) -> Iterator[Result]:
    for number in count(1):
        found = app.store.results.page(replace(query, page=number))
        yield from found.items
        if number * found.page_size >= found.total:
            return


class _Trial:
    """One place, and all that is known of it."""

    def __init__(self, app: App, plan: Plan, row: Result, told: CaseResult) -> None:
        self._app = app
        self._plan = plan
        self._row = row
        self._told = told
        record = app.store.ledger.record(row.trial, imported=True)
        self._record = record if record and record.generation == row.generation else None
        grades = app.store.ledger.grades([row.grade]) if row.grade else {}
        self._grade = grades.get(row.grade or "")

    def view(self, rows: Sequence[Result], room: Room) -> TrialView:
        """All of it."""
        row, told, case = self._row, self._told, self._case()
        session = self._session()
        files = self._record.outputs if self._record else ()
        skills = {arm_id(one.ref_id, one.version): one for one in self._plan.project.config.skills}
        return TrialView(
            leg=0,
            arm=row.arm,
            arm_name=skills[row.arm].name if row.arm in skills else row.arm,
            set=row.set,
            case=row.case,
            case_name=(case.name if case else "") or row.case,
            attempt=row.attempt,
            scale=PERCENT,
            attempts=tuple(map(_attempt, rows)),
            status=told.status,
            grade_status=told.grade_status,
            score=told.scores.total,
            failure=self._record.failure.value if self._record and self._record.failure else None,
            error=line(told.error, 2000) if told.error else None,
            prompt=room.text(told.input),
            expected=room.text(told.expected_output),
            answer=room.text(told.actual_output),
            files=tuple(self._files(room)),
            files_left_out=max(0, len(files) - MOST_FILES),
            gate_passed=self._grade.gate_passed if self._grade and self._grade.checks else None,
            checks=_checks(self._grade, room),
            dimensions=_dimensions(told, self._grade, case, room),
            reasoning=room.text(told.score_reasoning),
            opinions=_opinions(self._grade),
            claims=_claims(self._grade),
            started_at=told.executed_at,
            duration_ms=told.duration_ms if told.executed_at else None,
            input_tokens=told.input_tokens,
            output_tokens=told.output_tokens,
            cost_usd=told.cost_usd,
            engine=told.engine,
            model=told.model_version,
            simulated=told.simulated,
            session_id=session.session_id if session else None,
            messages=room.messages(session) if session else (),
            calls=room.calls(session) if session else (),
            calls_total=len(session.tool_calls) if session else 0,
        )

    def _case(self) -> Case | None:
        place = (self._row.set, self._row.case)
        return next((one for one in self._plan.cases if (one.set, one.id) == place), None)

    def _session(self) -> Session | None:
        try:
            return session_of(self._record, self._app.store.blobs) if self._record else None
        except WhetError:  # a record from elsewhere may come without
            return None

    def _files(self, room: Room) -> Sequence[ProducedFile]:
        record: TrialRecord | None = self._record
        shown: list[ProducedFile] = []
        for file in record.outputs[:MOST_FILES] if record else ():
            try:
                data = self._app.store.blobs.get(file.digest)[: 4 * MOST_TEXT]
            except WhetError:
                data = b"\0"
            shown.append(room.file(file.path, data, file.size))
        return shown


def _attempt(row: Result) -> AttemptView:
    return AttemptView(
        attempt=row.attempt,
        status=row.status,
        grade_status=row.grade_status,
        score=points(row.score),
        duration_ms=row.duration_ms if row.generation is not None else None,
        cost_usd=row.cost_usd,
    )


def _checks(grade: Grade | None, room: Room) -> tuple[CheckView, ...]:
    checked = [_check(one, room) for one in (grade.checks if grade else ())]
    judged = [
        CheckView(
            id=None,
            text=line(one.text, 1000),
            type=None,
            outcome="passed" if one.passed else "failed",
            critical=False,
            judged=True,
            evidence=room.evidence(one.evidence),
            error=None,
        )
        for one in (grade.expectations if grade else ())
    ]
    return (*checked, *judged)


def _check(one: CheckResult, room: Room) -> CheckView:
    return CheckView(
        id=one.id,
        text=line(one.text, 1000),
        type=one.type,
        outcome=one.outcome,
        critical=one.critical,
        judged=False,
        evidence=room.evidence(one.evidence),
        error=line(one.error, 1000) if one.error else None,
    )


def _dimensions(
    told: CaseResult, grade: Grade | None, case: Case | None, room: Room
) -> tuple[DimensionView, ...]:
    rubric = case.standard.rubric if case else None
    scales = {one.name: one for one in rubric.dimensions} if rubric else {}
    reasons = grade.dimensions if grade else {}
    return tuple(
        DimensionView(
            name=name,
            score=score,
            maximum=scales[name].maximum if name in scales else None,
            weight=scales[name].weight if name in scales else None,
            evidence=room.evidence(reasons[name].evidence if name in reasons else ""),
        )
        for name, score in told.scores.dimensions.items()
    )


def _opinions(grade: Grade | None) -> tuple[OpinionView, ...]:
    return tuple(
        OpinionView(
            judge=one.judge,
            model=one.model,
            reading=one.repeat,
            status=one.status,
            score=one.score,
            error=line(one.error, 1000) if one.error else None,
        )
        for one in (grade.opinions if grade else ())
    )


def _claims(grade: Grade | None) -> tuple[ClaimView, ...]:
    every = [one for each in (grade.opinions if grade else ()) for one in each.judgement.claims]
    return tuple(
        ClaimView(
            claim=line(one.claim, 1000), verified=one.verified, evidence=line(one.evidence, 1000)
        )
        for one in {one.claim: one for one in reversed(every)}.values()
    )
