"""Runs that pass or fail, one of each case: every outcome there is, with its chance."""

import math
from functools import cache

import pytest

from whet.stats.comparison import RATES, Finding, compare_cases
from whet.stats.signflip import sign_flip_p

WORLDS = [
    (level, effect / 10)
    for level in (0.1, 0.2, 0.3, 0.4, 0.5)
    for effect in range(8)
    if level + effect / 10 <= 0.95
]
"""How often a case passes without the skill, and how much more often with it."""


@cache
def findings(cases: int) -> list[tuple[int, int, Finding]]:
    """What is said where so many cases pass on the one side only, and so many on the other."""
    found: list[tuple[int, int, Finding]] = []
    for wins in range(cases + 1):
        for losses in range(cases + 1 - wins):
            ties = [0.0] * (cases - wins - losses)
            first = [1.0] * wins + [0.0] * losses + ties
            second = [0.0] * wins + [1.0] * losses + ties
            found.append((wins, losses, compare_cases(first, second, RATES).like_these))
    return found


def chance(cases: int, wins: int, losses: int, level: float, effect: float) -> float:
    win, loss = (level + effect) * (1 - level), level * (1 - level - effect)
    ways = math.comb(cases, wins) * math.comb(cases - wins, losses)
    return ways * win**wins * loss**losses * (1 - win - loss) ** (cases - wins - losses)


@pytest.mark.parametrize("cases", [6, 7, 8, 9, 10, 11, 12])
def test_intervals_of_single_runs_cover_whatever_the_effect(cases: int) -> None:
    """Seven cases covered 89.7 % at an effect of 70 points, eight to eleven 92 to 93 %."""
    for level, effect in WORLDS:
        covered = sum(
            chance(cases, wins, losses, level, effect)
            for wins, losses, one in findings(cases)
            if one.interval and one.interval.low - 1e-9 <= effect <= one.interval.high + 1e-9
        )
        assert covered >= 0.94, (level, effect)


@pytest.mark.parametrize("cases", [6, 7, 8, 9, 10, 11, 12])
def test_what_covers_better_finds_no_less(cases: int) -> None:
    """Whatever convinces the sign-flip test is still called."""
    for wins, losses, one in findings(cases):
        is_clear = sign_flip_p([1.0] * wins + [-1.0] * losses) <= 0.05
        assert (one.label != "inconclusive") == is_clear
