"""The figures of a capability run, in the order in which reports show them."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from whet.documents.base import Number
from whet.documents.capability import (
    DIMENSIONS,
    MEASURED,
    Dimension,
    EvaluationDetail,
    EvaluationItem,
    ItemStatus,
    measured_cases,
)
from whet.documents.capability_report import Share
from whet.exporters.plain import line
from whet.ports.capability_exporter import CapabilityReport

STATUSES: tuple[ItemStatus, ...] = ("passed", "failed", "error", "skipped", "cancelled", "active")
FULL = 100


class Row(NamedTuple):
    """One dimension: what it came to, and how many of its cases are how."""

    dimension: Dimension
    score: Number | None
    weight: Number | None
    """In the total; None where nobody knows."""

    counts: Mapping[ItemStatus, int]

    @property
    def total(self) -> int:
        """All of its cases."""
        return sum(self.counts.values())

    @property
    def extent(self) -> str:
        """How many cases there are; "3 / 20" where the score rests on 3 of 20."""
        measured = measured_cases({**self.counts})
        return str(self.total) if measured == self.total else f"{measured} / {self.total}"


class Checked(NamedTuple):
    """What one check found, as an item tells it."""

    type: str
    expected: str
    outcome: str
    score: float | None
    weight: float | None
    evidence: str


class Covered(NamedTuple):
    """One kind of thing that cases touch."""

    kind: str
    cases: tuple[tuple[str, int], ...]
    """How many touch each."""

    missing: tuple[str, ...]
    """What a set should touch, and none of these does."""


def rows(detail: EvaluationDetail) -> list[Row]:
    """The dimensions that the run has cases of."""
    found: list[Row] = []
    for name in DIMENSIONS:
        counts: Counter[ItemStatus] = Counter(
            item.status for item in detail.items if item.dimension == name
        )
        if counts:
            weights = detail.run.weights
            weight = None if weights is None else weights.get(name, 0)
            found.append(Row(name, detail.run.dimension_scores.get(name), weight, counts))
    return found


def counts(detail: EvaluationDetail) -> Counter[ItemStatus]:
    """Items by status."""
    return Counter(item.status for item in detail.items)


def measured(detail: EvaluationDetail) -> int:
    """How many cases say something about the agent."""
    return sum(item.status in MEASURED for item in detail.items)


def seconds(detail: EvaluationDetail) -> float | None:
    """What the cases took together; None where nobody knows."""
    known = [float(item.elapsed_s) for item in detail.items if item.elapsed_s is not None]
    return sum(known) if known else None


def cost(detail: EvaluationDetail) -> float | None:
    """What the agent is known to have cost."""
    known = [float(item.cost_usd) for item in detail.items if item.cost_usd is not None]
    return sum(known) if known else None


def simulated(report: CapabilityReport) -> bool:
    """Whether any of it was produced by something simulated."""
    run = report.detail.run
    return bool(run.simulated) or any(item.simulated for item in report.detail.items)


def checks(item: EvaluationItem) -> list[Checked]:
    """What decided on an item; empty where its detail is of another shape."""
    match item.checker_detail:
        case {"checks": list(found)}:
            return [_checked(one) for one in found if isinstance(one, dict)]
        case _:
            return []


def missing(item: EvaluationItem) -> list[str]:
    """The tools for want of which an item was skipped."""
    match item.checker_detail:
        case {"missing_tools": list(names)}:
            return [line(str(name), 80) for name in names]
        case _:
            return []


def unmet(item: EvaluationItem) -> Iterator[Checked]:
    """The checks that cost the item points."""
    return (one for one in checks(item) if one.outcome == "failed")


def covered(report: CapabilityReport) -> list[Covered]:
    """What the cases touch, kind by kind, the most frequent first."""
    known = report.coverage
    if known is None:
        return []
    shares: list[tuple[str, Mapping[str, Share]]] = [
        ("dimension", {**known.dimensions}),
        ("language", known.languages),
        ("tag", known.tags),
        ("checker", known.checkers),
    ]
    counts = {kind: {name: one.cases for name, one in every.items()} for kind, every in shares}
    counts["tool"] = {one.tool: one.cases for one in known.tools}
    missing: dict[str, Sequence[str]] = {
        "tool": known.uncovered_tools,
        "tag": known.uncovered_tags,
        "checker": known.uncovered_checkers,
    }
    return [
        Covered(kind, _most_first(names), tuple(missing.get(kind, ())))
        for kind, names in counts.items()
        if names or missing.get(kind)
    ]


def _most_first(names: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(names.items(), key=lambda one: (-one[1], one[0])))


def written(value: JsonValue) -> str:
    """A value as people read it: a text as it is, everything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _checked(data: dict[str, JsonValue]) -> Checked:
    evidence = [written(data.get("evidence")), written(data.get("error"))]
    return Checked(
        type=written(data.get("type")),
        expected=written(data.get("expected")),
        outcome=written(data.get("outcome")),
        score=_number(data.get("score")),
        weight=_number(data.get("weight")),
        evidence=" · ".join(filter(None, evidence)),
    )


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)
