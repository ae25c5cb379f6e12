"""Where the noise comes from: cases, runs of the agent, or the judge.

All by the method of moments: sums of squares are set equal to what they are on average, and a
component that comes out negative is 0. The estimates are rough with few cases.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from whet.stats.describe import mean


class Split(NamedTuple):
    """Variances: between cases, between runs of a case, between readings of one run.

    None is what the data cannot tell. Without a second reading, the judge's noise is in ``run``;
    without a second run, all noise is in ``case``.
    """

    case: float
    run: float | None
    judge: float | None


class CrossedSplit(NamedTuple):
    """Variances where every judge read every item: items, judges, and what is left."""

    item: float
    judge: float
    rest: float

    @property
    def icc(self) -> float | None:
        """ICC(2, 1): the share of the items in one reading's variance; None if there is none."""
        total = self.item + self.judge + self.rest
        return self.item / total if total > 0 else None


def nested_split(cases: Sequence[Sequence[Sequence[float]]]) -> Split:
    """Split scores by case, run and reading (``cases[i][j]`` are the readings of one run).

    The nested analysis of variance for unequal numbers (Henderson's first method). Readings are
    repeated judgements of the same output. Not for judges that differ in kind: whoever is strict
    everywhere is seen by ``crossed_split`` only.
    """
    cases = [[run for run in case if run] for case in cases]
    cases = [case for case in cases if case]
    if len(cases) < 2:
        raise ValueError("a split needs at least two cases with scores")
    runs = [run for case in cases for run in case]
    everything = [[score for run in case for score in run] for case in cases]
    n, a, b = sum(map(len, everything)), len(cases), len(runs)
    grand = mean([score for case in everything for score in case])
    centres = [mean(case) for case in everything]
    within = math.fsum((score - mean(run)) ** 2 for run in runs for score in run)
    between_runs = math.fsum(
        len(run) * (mean(run) - centre) ** 2
        for case, centre in zip(cases, centres, strict=True)
        for run in case
    )
    between_cases = math.fsum(
        len(case) * (centre - grand) ** 2 for case, centre in zip(everything, centres, strict=True)
    )
    shared = math.fsum(sum(len(run) ** 2 for run in case) / sum(map(len, case)) for case in cases)
    judge = within / (n - b) if n > b else None
    run = (between_runs - (judge or 0.0) * (b - a)) / (n - shared) if b > a else None
    in_cases = (judge or 0.0) * (a - 1)
    in_cases += (run or 0.0) * (shared - sum(len(one) ** 2 for one in runs) / n)
    case = (between_cases - in_cases) / (n - sum(len(one) ** 2 for one in everything) / n)
    return Split(max(0.0, case), None if run is None else max(0.0, run), judge)


def pair_noise(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]) -> float | None:
    """The variance of the difference of one pair of runs, inside cases; None if no case has two
    runs in both arms."""
    noises = _pooled(first), _pooled(second)
    return None if noises[0] is None or noises[1] is None else noises[0] + noises[1]


def crossed_split(table: Sequence[Sequence[float]]) -> CrossedSplit:
    """Split a complete table of items (rows) by judges (columns), one reading in each cell.

    The two-way analysis of variance with random effects. Not for tables with gaps.
    """
    rows, columns = len(table), len(table[0]) if table else 0
    if rows < 2 or columns < 2 or any(len(row) != columns for row in table):
        raise ValueError("a crossed split needs a complete table of two items and two judges")
    grand = mean([score for row in table for score in row])
    items = [mean(row) for row in table]
    judges = [mean(column) for column in zip(*table, strict=True)]
    of_items = columns * math.fsum((m - grand) ** 2 for m in items) / (rows - 1)
    of_judges = rows * math.fsum((m - grand) ** 2 for m in judges) / (columns - 1)
    left = math.fsum(
        (table[i][j] - items[i] - judges[j] + grand) ** 2
        for i in range(rows)
        for j in range(columns)
    )
    rest = left / ((rows - 1) * (columns - 1))
    item, judge = (of_items - rest) / columns, (of_judges - rest) / rows
    return CrossedSplit(max(0.0, item), max(0.0, judge), rest)


def _pooled(cases: Sequence[Sequence[float]]) -> float | None:
    """The variance inside cases, weighted by degrees of freedom."""
    degrees = sum(len(case) - 1 for case in cases)
    if degrees == 0:
        return None
    return math.fsum((x - mean(case)) ** 2 for case in cases for x in case) / degrees
