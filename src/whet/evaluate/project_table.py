"""The table of a project: its rows as the results that the store lists."""

from whet.core.result import Result
from whet.core.text import shortened
from whet.evaluate.case_score import case_score
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell, Design

LONGEST_ERROR = 500


class Table:
    """The places of a plan, in order."""

    def __init__(self, project: str, plan: Design) -> None:
        self._project = project
        self._first = plan.first
        self._arms = {arm.id: place for place, arm in enumerate(plan.arms)}
        self._cases = {(case.set, case.id): place for place, case in enumerate(plan.cases)}

    def ordinal(self, cell: Cell) -> int:
        """The number of a place in the plan."""
        case = self._cases[cell.case.set, cell.case.id]
        rounds = (cell.attempt - self._first) * len(self._cases) + case
        return rounds * len(self._arms) + self._arms[cell.arm.id]

    def result(self, row: Row) -> Result:
        """What came of a place."""
        record, grade = row.record, row.grade
        error = row.error or (grade.error if grade else None)
        return Result(
            project=self._project,
            ordinal=self.ordinal(row.cell),
            arm=row.cell.arm.id,
            set=row.cell.case.set,
            case=row.cell.case.id,
            attempt=row.cell.attempt,
            status=row.status,
            grade_status=grade.status if grade else None,
            score=case_score(grade, row.cell.case.standard).score,
            trial=row.trial,
            generation=record.generation if record else None,
            grade=grade.address if grade else None,
            duration_ms=record.duration_ms if record else 0,
            cost_usd=record.usage.cost_usd if record else None,
            error=shortened(error, LONGEST_ERROR) if error else None,
        )
