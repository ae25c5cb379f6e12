"""The runs of a suite in numbers: from settled places to what can be averaged and compared.

A run whose agent reached its own limit is a run with the score 0. A place without a record was
not measured, and a run that nobody could score has no score: neither is a failure of the agent.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from whet.core.case import Case
from whet.documents.benchmark import RunResult
from whet.documents.grading import ExecutionMetrics, Expectation
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell
from whet.evaluate.suite_grading import efficiency, expectations_of, pass_rate

PASSING_RUBRIC = 0.6
"""The share of the rubric with which a run passes that has no expectations to meet."""

ROUNDING = 1e-9
DIGITS = 4
MOST_REASON = 300
"""Characters of a reason; it may come from an agent's log."""

Place = tuple[str, str, int]
"""Configuration, id of the case, number of the run."""


@dataclass(frozen=True)
class Run:
    """One run of an eval that has a record."""

    row: Row

    @property
    def case(self) -> Case:
        """What was asked, and what it is held against."""
        return self.row.cell.case

    @cached_property
    def expectations(self) -> tuple[Expectation, ...]:
        """Those that were decided: checked ones first, then judged ones."""
        return tuple(expectations_of(self.row))

    @property
    def has_failed(self) -> bool:
        """Whether the agent reached a limit of its own, or gave up."""
        return self.row.status == "failed"

    @property
    def score(self) -> float | None:
        """Between 0 and 1; None where nobody could tell."""
        return efficiency(self.row)

    @property
    def rubric(self) -> float | None:
        """The judges' share; None without a rubric, or where no judge was asked or answered."""
        return self.row.grade.rubric_score if self.row.grade else None

    @cached_property
    def pass_rate(self) -> float | None:
        """The share of expectations that were met; None where there are none, or some are not
        decided because a judge gave no usable answer."""
        return pass_rate(self.row)

    @property
    def passes(self) -> bool | None:
        """Whether every expectation is met; without any, whether the rubric is met well enough.
        None where nobody could tell."""
        if self.has_failed:
            return False
        if self.pass_rate is not None:
            return self.pass_rate == 1
        if self.score is None or self.rubric is None:
            return None
        return self.rubric >= PASSING_RUBRIC - ROUNDING

    @property
    def failed_because(self) -> str:
        """Why the agent did not come to its end."""
        record = self.row.record
        kind = record.failure.value if record and record.failure else "failed"
        return shortened(f"{kind}: {self.row.error}" if self.row.error else kind)

    @property
    def unscored_because(self) -> str:
        """Why there is no score."""
        grade = self.row.grade
        if grade is None:
            return "not graded"
        what = "the grader failed" if grade.status == "failed" else "not scored"
        return shortened(f"{what}: {grade.error}" if grade.error else what)

    def result(self, metrics: ExecutionMetrics | None) -> RunResult:
        """The run as ``benchmark.json`` has it; with nothing to pass the rate is 0 of 0."""
        record, grade = self.row.record, self.row.grade
        assert record is not None
        passed, total = sum(e.passed for e in self.expectations), len(self.expectations)
        return RunResult(
            pass_rate=round(passed / total, DIGITS) if total else 0.0,
            passed=passed,
            failed=total - passed,
            total=total,
            time_seconds=record.duration_ms / 1000,
            tokens=record.usage.known(record.usage.total_tokens),
            tool_calls=metrics.total_tool_calls if metrics else 0,
            errors=metrics.errors_encountered if metrics else 0,
            rubric_normalized=rounded(self.rubric),
            overall_efficiency=rounded(self.score),
            gate_passed=grade.gate_passed if grade else None,
            cost_usd=record.usage.cost_usd,
            status=record.status,
            grade_status=grade.status if grade else None,
            trial_address=record.address,
            failure=record.failure.value if record.failure else None,
        )


@dataclass(frozen=True)
class Table:
    """Every place of a plan: a run, or the reason why there is none."""

    cases: tuple[Case, ...]
    configurations: tuple[str, ...]
    runs: Mapping[Place, Run]
    """In the order of cases, configurations, numbers."""

    missing: Mapping[Place, str]

    def of(self, configuration: str, case: str) -> list[Run]:
        """The runs of one eval in one configuration, by number."""
        return self._groups.get((configuration, case), [])

    @cached_property
    def _groups(self) -> dict[tuple[str, str], list[Run]]:
        groups: dict[tuple[str, str], list[Run]] = {}
        for (configuration, case, _), run in self.runs.items():
            groups.setdefault((configuration, case), []).append(run)
        return groups

    def all_of(self, configuration: str) -> list[Run]:
        """Every run of a configuration."""
        return [run for case in self.cases for run in self.of(configuration, case.id)]


def table_of(
    rows: Iterable[Row],
    cases: Sequence[Case],
    configurations: Sequence[str],
    planned: Iterable[Cell],
) -> Table:
    """Put *rows*, which come in any order, in their places; *planned* ones may be empty."""
    runs: dict[Place, Run] = {}
    missing = {_place(cell): "not run" for cell in planned}
    for row in rows:
        place = _place(row.cell)
        missing.pop(place, None)
        if row.record is None:
            missing[place] = shortened(row.error or "no result")
        else:
            runs[place] = Run(row)
    order = {case.id: number for number, case in enumerate(cases)}
    rank = {name: number for number, name in enumerate(configurations)}

    def key(place: Place) -> tuple[int, int, int]:
        return order[place[1]], rank[place[0]], place[2]

    return Table(
        cases=tuple(cases),
        configurations=tuple(configurations),
        runs={place: runs[place] for place in sorted(runs, key=key)},
        missing={place: missing[place] for place in sorted(missing, key=key)},
    )


def shortened(reason: str) -> str:
    """A reason in one line of bearable length."""
    line = " ".join(reason.split())
    return line if len(line) <= MOST_REASON else f"{line[: MOST_REASON - 1]}…"


def rounded(value: float | None) -> float | None:
    """As documents have it."""
    return None if value is None else round(value, DIGITS)


def _place(cell: Cell) -> Place:
    return cell.arm.id, cell.case.id, cell.attempt
