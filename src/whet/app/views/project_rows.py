"""The table of a project: which arm on which case came to what, and who stands where so far."""

import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whet.app.app import App
from whet.core.arm import Arm
from whet.core.case import Case
from whet.core.result import Result
from whet.documents.experiment_view import CaseView, CellView
from whet.documents.result import Summary
from whet.evaluate.aggregate import PERCENT, Placed
from whet.evaluate.case_result import DIGITS
from whet.evaluate.findings import is_flaky
from whet.evaluate.project import Project
from whet.evaluate.project_places import arm_id
from whet.evaluate.project_results import ProjectResults
from whet.evaluate.verdict_told import told
from whet.stats.describe import mean

MOST_LIVE = 20_000
"""Trials of which it is worked out again and again who stands where; of more only at the end."""

MOST_GRADES = 200_000
CHUNK = 500


@dataclass(frozen=True)
class Plan:
    """The places of a project."""

    project: Project
    cases: tuple[Case, ...]

    @property
    def arms(self) -> tuple[str, ...]:
        """In the order of the configuration."""
        return tuple(arm_id(one.ref_id, one.version) for one in self.project.config.skills)

    @property
    def size(self) -> int:
        """How many places there are."""
        return len(self.arms) * len(self.cases) * self.project.repeats

    def spans(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """The numbers of the places of some cases, round by round."""
        wide = len(self.arms)
        for number in range(self.project.repeats):
            begin = number * len(self.cases)
            yield (begin + first) * wide, (begin + end) * wide


class Rows:
    """Reads the table of results."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._lock = threading.Lock()
        self._dimensions: dict[str, Mapping[str, float]] = {}
        """By the address of a grade, which never changes."""

    def on(self, plan: Plan, first: int, end: int) -> list[Result]:
        """The results of some cases, which are counted from 0."""
        results, identity = self._app.store.results, plan.project.config.id
        if first == 0 and end >= len(plan.cases):
            return [*results.span(identity, 0, plan.size)]
        return [one for span in plan.spans(first, end) for one in results.span(identity, *span)]

    def standings(self, plan: Plan, rows: Sequence[Result], *, compared: bool) -> Summary:
        """Who stands where by all rows so far; with verdicts only if they are *compared*."""
        cases = {(case.set, case.id): case for case in plan.cases}
        arms = {arm: Arm(id=arm, label=arm, skill=None) for arm in plan.arms}
        counted = [one for one in rows if one.arm in arms and (one.set, one.case) in cases]
        dimensions = self._scored(counted)
        results = ProjectResults(plan.project)
        for one in counted:
            key = (one.set, one.case)
            weight = cases[key].standard.weight
            scored = dimensions.get(one.grade or "", {})
            results.take(
                Placed(arms[one.arm], key, one.attempt, one.status, weight, one.score, scored)
            )
        return results.summary(self._app.clock.now(), compared=compared)

    def _scored(self, rows: Sequence[Result]) -> Mapping[str, Mapping[str, float]]:
        """The scores in the dimensions, by the address of the grade."""
        with self._lock:
            if len(self._dimensions) > MOST_GRADES:
                self._dimensions.clear()
            wanted = [one.grade for one in rows if one.grade and one.score is not None]
            unknown = [address for address in wanted if address not in self._dimensions]
            for begin in range(0, len(unknown), CHUNK):
                found = self._app.store.ledger.grades(unknown[begin : begin + CHUNK])
                self._dimensions |= {
                    address: {name: one.score for name, one in grade.dimensions.items()}
                    for address, grade in found.items()
                }
            return self._dimensions


def case_views(plan: Plan, rows: Sequence[Result], first: int, end: int) -> tuple[CaseView, ...]:
    """Some cases, with what every arm made of them."""
    found: defaultdict[tuple[str, str, str], list[Result]] = defaultdict(list)
    for row in rows:
        found[row.set, row.case, row.arm].append(row)
    return tuple(
        CaseView(
            set=case.set,
            id=case.id,
            name=case.name or case.id,
            category=case.category,
            delta=None,
            cells=tuple(
                _cell(found[case.set, case.id, arm], plan.project.repeats) for arm in plan.arms
            ),
        )
        for case in plan.cases[first:end]
    )


def points(score: float | None) -> float | None:
    """The score of a result as its file has it."""
    return None if score is None else round(score * PERCENT, DIGITS)


def _cell(rows: Sequence[Result], repeats: int) -> CellView:
    rows = [row for row in rows if row.attempt <= repeats]
    completed = [row for row in rows if row.status == "completed"]
    scores = [row.score for row in completed if row.score is not None]
    shown = [score for score in map(points, scores) if score is not None]
    failed = sum(row.status == "failed" for row in rows)
    outcomes = [row.status == "completed" for row in rows if row.status != "skipped"]
    return CellView(
        mean=told(mean(shown)) if shown else None,
        scored=len(scores),
        failed=failed,
        unscored=len(completed) - len(scores),
        missing=max(0, repeats - len(completed) - failed),
        flaky=is_flaky(outcomes, scores),
    )
