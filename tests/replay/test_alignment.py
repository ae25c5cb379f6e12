"""The longest common subsequence, beside the table of the textbook."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.replay.alignment import common

LISTS = st.lists(st.sampled_from("abcd"), max_size=30)


def textbook(left: list[str], right: list[str]) -> int:
    row = [0] * (len(right) + 1)
    for one in left:
        above = row[:]
        for place, other in enumerate(right):
            best = max(above[place + 1], row[place])
            row[place + 1] = above[place] + 1 if one == other else best
    return row[-1]


def fits(left: list[str], right: list[str], pairs: list[tuple[int, int]]) -> bool:
    rising = all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))
    return rising and all(left[i] == right[j] for i, j in pairs)


@given(LISTS, LISTS, st.sampled_from([0, 1, 20, 10**6]))
def test_as_long_as_can_be_however_little_memory_there_is(
    left: list[str], right: list[str], most: int
) -> None:
    pairs = common(left, right, most)
    assert fits(left, right, pairs)
    assert len(pairs) == textbook(left, right)


@pytest.mark.parametrize(
    ("left", "right", "pairs"),
    [
        ("", "abc", []),
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("xbz", "abc", [(1, 1)]),
        ("abc", "ac", [(0, 0), (2, 1)]),
    ],
)
def test_by_hand(left: str, right: str, pairs: list[tuple[int, int]]) -> None:
    assert common(left, right) == pairs
