"""The sign-flip test: how often would chance alone favour one arm this much?"""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random

_MOST_SUMS = 5000
_DRAWS = 9999
_FINEST_STEP = 60
_ROUNDING = 1e-7
_UNITS = 10**6


def sign_flip_p(differences: Sequence[float], *, seed: int = 0) -> float:
    """The two-sided p-value of paired differences whose signs are chance.

    If both arms are the same, each difference is as likely to be −d as d. The p-value is the
    share of all 2^n ways to choose the signs whose sum is at least as far from zero. For pass
    and fail it is the exact test of McNemar, and needs six cases that differ before it can fall
    below 0.05. It is exact for counts, rates, and up to twelve cases of any kind; above, it
    is estimated from 9,999 draws. Not a test of the mean if the arms differ in spread, and not for
    repeats of one case: average those first.
    """
    if not all(map(math.isfinite, differences)):
        raise ValueError("every difference must be a finite number")
    steps = _in_steps([d for d in differences if d != 0])
    if not steps:
        return 1.0
    seen = abs(sum(steps))
    sums = _all_sums([abs(step) for step in steps])
    if sums is not None:
        extreme = sum(ways for total, ways in sums.items() if abs(total) >= seen)
        return extreme / 2 ** len(steps)
    return (1 + _hits([abs(step) for step in steps], seen, seed)) / (1 + _DRAWS)


def _hits(sizes: Sequence[int], seen: int, seed: int) -> int:
    """How many draws of all signs have a sum at least as far from zero as *seen*.

    A byte of a random number decides eight signs; what they come to is looked up.
    """
    tables = [
        [
            sum(-s if byte >> i & 1 else s for i, s in enumerate(sizes[at : at + 8]))
            for byte in range(256)
        ]
        for at in range(0, len(sizes), 8)
    ]
    chance, hits = Random(seed), 0
    for _ in range(_DRAWS):
        draw = chance.randbytes(len(tables))
        hits += abs(sum(table[byte] for table, byte in zip(tables, draw, strict=True))) >= seen
    return hits


def _in_steps(differences: Sequence[float]) -> list[int]:
    """The differences as multiples of one step, so that equal sums are equal.

    Rates of few runs are multiples of a step. Anything else is cut into a million.
    """
    if not differences:
        return []
    sizes = [abs(difference) for difference in differences]
    smallest, largest = min(sizes), max(sizes)
    # What is beyond all proportion is no step of anything, and its ratio may be infinite.
    finest = _FINEST_STEP if largest * _ROUNDING < smallest else 0
    for parts in range(1, finest + 1):
        scaled = [d / smallest * parts for d in differences]
        if all(abs(s - round(s)) <= _ROUNDING * max(1.0, abs(s)) for s in scaled):
            return [round(s) for s in scaled]
    return [round(d / largest * _UNITS) for d in differences]


def _all_sums(sizes: Sequence[int]) -> dict[int, int] | None:
    """Each sum of ± *sizes* with the number of ways to get it; None if there are too many."""
    sums = {0: 1}
    for size, count in Counter(sizes).items():
        if len(sums) * (count + 1) > 20 * _MOST_SUMS:
            return None
        grown: Counter[int] = Counter()
        for flips in range(count + 1):
            shift, ways = size * (count - 2 * flips), math.comb(count, flips)
            for total, found in sums.items():
                grown[total + shift] += found * ways
        sums = dict(grown)
        if len(sums) > _MOST_SUMS:
            return None
    return sums
