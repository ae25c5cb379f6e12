"""What a run comes to, worked out anew from its items by other means."""

import asyncio
import time
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.app.measuring import (
    assert_whole,
    carried_out,
    case,
    commanded,
    free_app,
    sayings,
    started,
    write_set,
)
from whet.app.capability.runs import Evaluations
from whet.documents.capability import EvaluationDetail, EvaluationItem

READS = 'say <tool_call>{"name": "read_file", "arguments": {"path": "b"}}</tool_call>'
RULES = [
    {"type": "exact", "expected": "5", "weight": 2},
    {"type": "contains", "expected": "nowhere", "weight": 1},
    {"type": "regex", "expected": r"\d", "weight": 5},
]
OTHER_FILE = {"tool": "read", "args": {"path": "a"}}
CASES = [
    case("right", "say a", "a", weight=3),
    case("wrong", "say b", "x"),
    case("crashed", "crash 1", weight=2),
    case("several", "say 5", None, dimension="tool", checker=RULES),
    {
        **case("half", READS, dimension="tool", checker="tool_args", weight=0.3),
        "expected": OTHER_FILE,
    },
    case("late", "hang", dimension="tool", timeout_s=1),
    case("lacking", "say c", dimension="common", prerequisites=["notes@lookup"]),
    case("lost", "crash 2", dimension="complex"),
]
SCORES = {"right": 1, "wrong": 0, "crashed": 0, "several": 7 / 8, "half": 0.5, "late": 0, "lost": 0}


def mean(parts: list[tuple[Fraction, Fraction]]) -> Fraction:
    """Of values with weights."""
    return sum((w * x for w, x in parts), Fraction()) / sum((w for w, _ in parts), Fraction())


def total(items: list[EvaluationItem], weights: dict[str, float]) -> float | None:
    dimensions = {item.dimension for item in items if weights.get(item.dimension)}
    if not dimensions:
        return None
    scores = {
        name: mean(
            [(Fraction(i.weight), Fraction(i.score or 0)) for i in items if i.dimension == name]
        )
        for name in dimensions
    }
    return 100 * float(mean([(Fraction(weights[name]), scores[name]) for name in dimensions]))


def assert_adds_up(detail: EvaluationDetail) -> None:
    run, items = detail.run, list(detail.items)
    answered = [item for item in items if item.status in ("passed", "failed")]
    measured = [item for item in items if item.status in ("passed", "failed", "error")]
    weights = {**(run.weights or {})}
    assert run.total_score == pytest.approx(total(measured, weights))
    without = total(answered, weights) if len(answered) < len(measured) else None
    assert run.total_score_measured == pytest.approx(without)
    for name, score in run.dimension_scores.items():
        mine = [item for item in measured if item.dimension == name]
        assert score == pytest.approx(total(mine, {name: 1}))
    counts = {name: count for name, count in (run.counts or {}).items() if count}
    assert counts == {"total": len(items), **Counter(item.status for item in items)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"weights": {"tool": 1, "complex": 3}},
        {"weights": {"common": 1}},
        {"dimensions": ["complex"]},
        {"dimensions": ["tool", "common"]},
    ],
)
def test_a_run_comes_to_what_its_items_say(more: dict[str, Any], tmp_path: Path) -> None:
    write_set(tmp_path / "workspace", CASES)
    with free_app(tmp_path / "workspace") as app:
        detail = carried_out(app, commanded(tmp_path, **more))
        assert_whole(app, detail)
    assert_adds_up(detail)
    for item in detail.items:
        assert item.score == pytest.approx(SCORES.get(item.case_id)), item


@pytest.mark.parametrize("jump", [timedelta(days=-1), timedelta(days=1)])
def test_a_clock_that_is_set_meanwhile_does_not_change_what_a_run_took(
    jump: timedelta, tmp_path: Path
) -> None:
    write_set(tmp_path / "workspace", sayings(2))
    with free_app(tmp_path / "workspace") as app:

        class Jumping:
            is_set = False

            def now(self) -> datetime:
                return app.clock.now() + (jump if self.is_set else timedelta())

        clock = Jumping()
        evaluations = Evaluations(replace(app, clock=clock))
        run_id = started(app, commanded(tmp_path))

        async def work() -> float:
            def begun() -> None:
                clock.is_set = True

            return float((await evaluations.run(run_id, begun)).elapsed_s or 0)

        before = time.monotonic()
        took = asyncio.run(work())
        assert 0 < took <= time.monotonic() - before + 5
