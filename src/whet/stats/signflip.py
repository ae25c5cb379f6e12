"""The sign-flip test: how often would chance alone favour one arm this much?"""

import math
from collections.abc import Callable, Sequence
from random import Random

MOST_EXACT = 24
"""Differences up to which every way to flip signs is counted."""

FIRST_DRAWS, ALL_DRAWS = 999, 9999
CLEAR = 0.02, 0.1
"""Shares that the first draws settle; only between them are all draws made."""

_ROUNDING = 1e-9


def sign_flip_p(differences: Sequence[float], *, seed: int = 0) -> float:
    """The two-sided p-value of paired differences whose signs are chance.

    If both arms are the same, each difference is as likely to be −d as d. The p-value is the
    share of all ways to flip signs that lead to a sum at least as far from zero as the one seen.
    Up to ``MOST_EXACT`` differences every way counts, above that drawn ones with the fixed *seed*,
    9,999 where it is close; which of the two depends on the number of differences alone. Less
    noise around the same mean never makes it larger: the same flips are counted, and fewer of
    them reach the sum that was seen.

    Sums that only rounding tells apart are equal. Raises ``ValueError`` for what is no number.
    """
    if not all(map(math.isfinite, differences)):
        raise ValueError("every difference must be a finite number")
    largest = max(map(abs, differences), default=0.0)
    if largest == 0:
        return 1.0
    sizes = [difference / largest for difference in differences]
    total = math.fsum(sizes)
    if abs(total) <= _ROUNDING * len(sizes):
        return 1.0
    if total < 0:
        sizes = [-size for size in sizes]
    if len(sizes) <= MOST_EXACT:
        return min(1.0, 2 * _share_not_above_zero(sizes))
    return _drawn(sizes, abs(total), Random(seed))


def _share_not_above_zero(sizes: Sequence[float]) -> float:
    """The share of all subsets whose sum is 0 or less.

    Flipping the signs of a subset takes twice its sum away, so the sum reaches its own size on the
    other side, or keeps it, exactly if the subset or the rest of it adds up to 0 or less. Subsets
    are halves of two lists; sorted, they are counted without looking at every pair.
    """
    sizes = [size for size in sizes if size]
    middle = len(sizes) // 2
    left, right = _subset_sums(sizes[:middle]), _subset_sums(sizes[middle:])
    tolerance = _ROUNDING * len(sizes)
    hits, reach = 0, len(right)
    for one in left:
        while reach and one + right[reach - 1] > tolerance:
            reach -= 1
        hits += reach
    return hits / 2 ** len(sizes)


def _subset_sums(sizes: Sequence[float]) -> list[float]:
    sums = [0.0]
    for size in sizes:
        sums += [one + size for one in sums]
    return sorted(sums)


def _drawn(sizes: Sequence[float], seen: float, chance: Random) -> float:
    """By random flips. The sums of all flips of eight differences are tabled beforehand."""
    tables: list[list[float]] = []
    for start in range(0, len(sizes), 8):
        sums = [0.0]
        for size in sizes[start : start + 8]:
            sums = [*(one + size for one in sums), *(one - size for one in sums)]
        tables.append([sums[byte % len(sums)] for byte in range(256)])
    limit = seen - _ROUNDING * len(sizes)

    def hits(draws: int) -> int:
        return sum(
            abs(sum(table[byte] for table, byte in zip(tables, draw, strict=True))) >= limit
            for draw in (chance.randbytes(len(tables)) for _ in range(draws))
        )

    return share_of_draws(hits)


def share_of_draws(hits: Callable[[int], int]) -> float:
    """A p-value from draws, as many as it takes; *hits* makes so many and counts those that reach
    what was seen. The one that was seen counts as a draw itself."""
    first = hits(FIRST_DRAWS)
    share = (first + 1) / (FIRST_DRAWS + 1)
    if not CLEAR[0] <= share <= CLEAR[1]:
        return share
    return (first + hits(ALL_DRAWS - FIRST_DRAWS) + 1) / (ALL_DRAWS + 1)
