"""What trigger runs come to: every query by itself, then accuracy, precision and recall.

The query is the unit: its runs are averaged first, and it counts as triggering at a rate of a
half or more. So the intervals are those of shares of independent queries. What nobody knows is
named and counts nowhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from whet.documents.skill_creator import TriggerCount, TriggerQuery, TriggerResult, TriggerSummary
from whet.documents.verdict import Interval
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Design
from whet.evaluate.trigger import Offer, case_id, reason, triggered
from whet.stats.intervals import wilson_interval

HALF = 0.5
LEVEL = 0.95
ALARM_FROM = 2
"""Queries that should trigger; of a single one that does not, nothing follows."""

ALARM = (
    "not one query that should trigger the skill did, in any run: the agent was probably never "
    "offered the skill. Look at a session before you change the description."
)


@dataclass(frozen=True)
class Counted:
    """One query: what each of its runs showed, by number; None where nobody knows."""

    query: TriggerQuery
    runs: Mapping[int, bool | None]
    reasons: Mapping[int, str]

    @property
    def known(self) -> list[bool]:
        """The runs that tell something."""
        return [seen for seen in self.runs.values() if seen is not None]

    @property
    def rate(self) -> float | None:
        """The share of them that triggered."""
        return sum(self.known) / len(self.known) if self.known else None

    @property
    def triggers(self) -> bool | None:
        """Whether the query counts as one that triggers."""
        return None if self.rate is None else self.rate >= HALF

    @property
    def passed(self) -> bool | None:
        """Whether it came out as it should."""
        return None if self.triggers is None else self.triggers is self.query.should_trigger

    def right(self, number: int) -> float | None:
        """Whether one run came out as it should, as 1 or 0."""
        seen = self.runs.get(number)
        return None if seen is None else float(seen is self.query.should_trigger)


def counted(queries: Sequence[TriggerQuery], rows: Iterable[Row], name: str) -> list[Counted]:
    """Every query with its runs, whatever order these come in; *name* is the skill's."""
    by_case: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.cell.attempt):
        by_case[row.cell.case.id].append(row)
    return [
        _counted(query, by_case[case_id(number)], name)
        for number, query in enumerate(queries, start=1)
    ]


def _counted(query: TriggerQuery, rows: Sequence[Row], name: str) -> Counted:
    runs = {row.cell.attempt: triggered(row, name) for row in rows}
    reasons = {row.cell.attempt: reason(row) for row in rows if runs[row.cell.attempt] is None}
    return Counted(query, runs, reasons)


def counts(found: Sequence[Counted]) -> tuple[TriggerCount, ...]:
    """The queries that were measured, as documents have them."""
    return tuple(
        TriggerCount(
            query=one.query.query,
            should_trigger=one.query.should_trigger,
            trigger_rate=round(one.rate, 4),
            triggers=sum(one.known),
            runs=len(one.known),
            passed=one.passed,
            unknown=len(one.reasons) or None,
        ).lean()
        for one in found
        if one.rate is not None and one.passed is not None
    )


def summary(found: Sequence[Counted]) -> TriggerSummary:
    """How many of the queries that were measured came out as they should."""
    decided = [one.passed for one in found if one.passed is not None]
    return TriggerSummary(
        total=len(decided), passed=sum(decided), failed=len(decided) - sum(decided)
    )


def unknown_runs(found: Sequence[Counted]) -> tuple[str, ...]:
    """Every run that tells nothing, with the reason."""
    return tuple(
        f"query {place} run {number}: {why}"
        for place, one in enumerate(found, start=1)
        for number, why in one.reasons.items()
    )


def has_alarm(found: Sequence[Counted]) -> bool:
    """Whether the harness is more likely broken than every description."""
    wanted = [one.rate for one in found if one.query.should_trigger and one.rate is not None]
    return len(wanted) >= ALARM_FROM and not any(wanted)


def result(
    offer: Offer, queries: Sequence[TriggerQuery], plan: Design, rows: Sequence[Row]
) -> TriggerResult:
    """The whole document."""
    found = counted(queries, rows, offer.name)
    hits = [one.query.should_trigger for one in found if one.triggers]
    wanted = [bool(one.triggers) for one in found if one.query.should_trigger and one.known]
    decided = [one.passed for one in found if one.passed is not None]
    alarm = has_alarm(found)
    unknown = unknown_runs(found)
    records = [row.record for row in rows if row.record is not None]
    return TriggerResult(
        skill_name=offer.name,
        description=offer.description,
        results=counts(found),
        summary=summary(found),
        accuracy=_share(decided),
        accuracy_interval=_interval(decided),
        precision=_share(hits),
        precision_interval=_interval(hits),
        recall=_share(wanted),
        recall_interval=_interval(wanted),
        unknown=len(unknown),
        unknown_runs=unknown or None,
        alarm="harness_alarm" if alarm else None,
        alarm_words=ALARM if alarm else None,
        neighbours=offer.neighbour_names or None,
        runs_per_query=plan.repeats,
        engine=plan.pin.engine,
        engine_version=plan.pin.engine_version,
        model=plan.pin.model,
        sandbox=plan.pin.sandbox,
        simulated=any(record.simulated for record in records),
    ).lean()


def _share(outcomes: Sequence[bool]) -> float | None:
    return round(sum(outcomes) / len(outcomes), 4) if outcomes else None


def _interval(outcomes: Sequence[bool]) -> Interval | None:
    """Wilson's, over queries."""
    if not outcomes:
        return None
    low, high = wilson_interval(sum(outcomes), len(outcomes), LEVEL)
    method = "Wilson over queries"
    return Interval(low=round(low, 4), high=round(high, 4), level=LEVEL, method=method)
