"""The table of a project: which arm on which case came to what, and who stands where so far."""

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from whet.app.app import App
from whet.core.arm import Arm
from whet.core.case import Case
from whet.core.result import Result
from whet.documents.experiment_view import CaseView, CellView
from whet.documents.result import Summary
from whet.evaluate.aggregate import PERCENT, Placed
from whet.evaluate.case_score import (
    DIGITS,
    CaseScore,
    case_score,
    deciding_checks,
    scale,
)
from whet.evaluate.findings import is_flaky
from whet.evaluate.project import Project
from whet.evaluate.project_places import arm_id
from whet.evaluate.project_results import ProjectResults
from whet.evaluate.verdict_values import told
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
        self._scores: dict[str, CaseScore] = {}
        """By the address of a grade, which never changes."""

    def on(self, plan: Plan, first: int, end: int) -> list[Result]:
        """The results of some cases, which are counted from 0."""
        results, identity = self._app.store.results, plan.project.config.id
        spans = plan.spans(first, end)
        if first == 0 and end >= len(plan.cases):
            spans = iter([(0, plan.size)])
        rows = [one for span in spans for one in results.span(identity, *span)]
        scores = self._scored(plan, rows)
        return [_rescored(row, scores) for row in rows]

    def standings(self, plan: Plan, rows: Sequence[Result], *, compared: bool) -> Summary:
        """Who stands where by all rows so far; with verdicts only if they are *compared*."""
        cases = {(case.set, case.id): case for case in plan.cases}
        arms = {arm: Arm(id=arm, label=arm, skill=None) for arm in plan.arms}
        counted = [one for one in rows if one.arm in arms and (one.set, one.case) in cases]
        scores = self._scored(plan, counted)
        results = ProjectResults(plan.project)
        for one in counted:
            key = (one.set, one.case)
            standard = cases[key].standard
            scored = scores.get(one.grade or "") or CaseScore(one.score)
            place = (arms[one.arm], key, one.attempt, one.status, standard.weight)
            results.take(Placed(*place, scored, scale(standard), deciding_checks(standard)))
        return results.summary(self._app.clock.now(), compared=compared)

    def case_views(
        self, plan: Plan, rows: Sequence[Result], first: int, end: int
    ) -> tuple[CaseView, ...]:
        """Some cases, with what every arm made of them."""
        scores = self._scored(plan, rows)
        found: defaultdict[tuple[str, str, str], list[Result]] = defaultdict(list)
        for row in rows:
            if row.attempt <= plan.project.repeats:
                found[row.set, row.case, row.arm].append(row)
        return tuple(
            CaseView(
                set=case.set,
                id=case.id,
                name=case.name or case.id,
                category=case.category,
                delta=None,
                cells=tuple(
                    _cell(found[case.set, case.id, arm], scores, plan.project.repeats)
                    for arm in plan.arms
                ),
            )
            for case in plan.cases[first:end]
        )

    def _scored(self, plan: Plan, rows: Sequence[Result]) -> Mapping[str, CaseScore]:
        """The scores behind the rows, by the address of the grade."""
        standards = {(case.set, case.id): case.standard for case in plan.cases}
        with self._lock:
            if len(self._scores) > MOST_GRADES:
                self._scores.clear()
            unknown = {
                one.grade: standards[one.set, one.case]
                for one in rows
                if one.grade and one.grade not in self._scores and (one.set, one.case) in standards
            }
            for chunk in _batched(unknown):
                found = self._app.store.ledger.grades(chunk)
                self._scores |= {a: case_score(g, unknown[a]) for a, g in found.items()}
            return self._scores


def _batched(addresses: Iterable[str]) -> Iterator[list[str]]:
    """The same in pieces that the store is asked for at once."""
    left = iter(addresses)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


def _rescored(row: Result, scores: Mapping[str, CaseScore]) -> Result:
    """A row with the score that its grade has: one of an older version may say another."""
    found = scores.get(row.grade or "")
    if found is None or found.score == row.score:
        return row
    return row.model_copy(update={"score": found.score})


def points(score: float | None) -> float | None:
    """The score of a result as its file has it."""
    return None if score is None else round(score * PERCENT, DIGITS)


def _cell(rows: Sequence[Result], scores: Mapping[str, CaseScore], repeats: int) -> CellView:
    completed = [row for row in rows if row.status == "completed"]
    known = [row.score for row in completed if row.score is not None]
    shown = [score for score in map(points, known) if score is not None]
    failed = sum(row.status == "failed" for row in rows)
    outcomes = [row.status == "completed" for row in rows if row.status != "skipped"]
    checked = [one for row in rows if (one := scores.get(row.grade or "")) is not None]
    rates = [one.check_pass_rate for one in checked if one.check_pass_rate is not None]
    return CellView(
        mean=told(mean(shown)) if shown else None,
        scored=len(known),
        failed=failed,
        unscored=len(completed) - len(known),
        missing=max(0, repeats - len(completed) - failed),
        flaky=is_flaky(outcomes, known),
        check_pass_rate=told(mean(rates)) if rates else None,
        gate_failed=sum(one.gate_passed is False for one in checked),
    )
