"""pass@k: one of k runs succeeds. pass^k: all k of them do."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from whet.stats.describe import mean
from whet.stats.intervals import Range, rate_interval


class CaseRuns(NamedTuple):
    """How many of a case's runs passed."""

    passed: int
    runs: int


class PassRate(NamedTuple):
    """A pass@k or pass^k over *cases* that have at least k runs; ``skipped`` have fewer."""

    rate: float
    interval: Range
    cases: int
    skipped: int


def pass_at_k(passed: int, runs: int, k: int) -> float:
    """The chance that at least one of *k* runs passes: 1 − C(n − c, k) / C(n, k), unbiased.

    Not 1 − (1 − c/n)^k, which is biased downwards. Says what is possible with retries and a
    checker, not what a user sees in one run.
    """
    _check(passed, runs, k)
    return 1 - math.comb(runs - passed, k) / math.comb(runs, k)


def pass_hat_k(passed: int, runs: int, k: int) -> float:
    """The chance that all of *k* runs pass: C(c, k) / C(n, k), unbiased. Dependability."""
    _check(passed, runs, k)
    return math.comb(passed, k) / math.comb(runs, k)


def mean_pass_at_k(cases: Sequence[CaseRuns], k: int, level: float = 0.95) -> PassRate | None:
    """pass@k averaged over cases; None if no case has k runs. The interval is over cases."""
    return _over_cases(pass_at_k, cases, k, level)


def mean_pass_hat_k(cases: Sequence[CaseRuns], k: int, level: float = 0.95) -> PassRate | None:
    """pass^k averaged over cases; None if no case has k runs. The interval is over cases."""
    return _over_cases(pass_hat_k, cases, k, level)


def _over_cases(
    measure: Callable[[int, int, int], float], cases: Sequence[CaseRuns], k: int, level: float
) -> PassRate | None:
    rates = [measure(case.passed, case.runs, k) for case in cases if case.runs >= k]
    if not rates:
        return None
    return PassRate(mean(rates), rate_interval(rates, level), len(rates), len(cases) - len(rates))


def _check(passed: int, runs: int, k: int) -> None:
    if not 0 <= passed <= runs:
        raise ValueError(f"{passed} of {runs} runs cannot have passed")
    if not 1 <= k <= runs:
        raise ValueError(f"k = {k} needs at least as many runs, not {runs}")
