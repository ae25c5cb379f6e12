"""The longest common subsequence of two sequences, exactly, also where both are long.

Bit-parallel: a row of the usual table is one long integer in which a zero says that the length
grows there. So a row costs a few operations on integers, and ten thousand by ten thousand take well
below a second. Rows are kept to find the way back; where they would take too much memory, the table
is cut in two at the best place (Hirschberg) until they do not.
"""

from collections.abc import Hashable, Iterator, Sequence

Pair = tuple[int, int]

MOST_BITS = 400_000_000
"""Of rows that are kept at a time: 50 MB."""


def common(
    left: Sequence[Hashable], right: Sequence[Hashable], most_bits: int = MOST_BITS
) -> list[Pair]:
    """The places of the elements that both have in common in this order, as many as can be."""
    names: dict[Hashable, int] = {}
    one = [names.setdefault(key, len(names)) for key in left]
    other = [names.setdefault(key, len(names)) for key in right]
    return list(_aligned(one, other, (0, 0), most_bits))


def _aligned(left: list[int], right: list[int], begin: Pair, most: int) -> Iterator[Pair]:
    """The pairs of two stretches that begin at these places."""
    at, beside = begin
    shorter = min(len(left), len(right))
    head = 0
    while head < shorter and left[head] == right[head]:
        yield at + head, beside + head
        head += 1
    tail = 0
    while tail < shorter - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    one, other = left[head : len(left) - tail], right[head : len(right) - tail]
    at, beside = at + head, beside + head
    if one and other:
        if len(one) * len(other) <= most or len(one) == 1:
            yield from ((at + i, beside + j) for i, j in _traced(one, other))
        else:
            half = len(one) // 2
            cut = _best_cut(one, other, half)
            yield from _aligned(one[:half], other[:cut], (at, beside), most)
            yield from _aligned(one[half:], other[cut:], (at + half, beside + cut), most)
    at, beside = at + len(one), beside + len(other)
    yield from ((at + step, beside + step) for step in range(tail))


def _rows(left: Sequence[int], right: Sequence[int]) -> Iterator[int]:
    """Row by row: bit *j* is 0 where the length grows with the element *j* of *right*."""
    places: dict[int, int] = {}
    wanted = {*left}
    for place, name in enumerate(right):
        if name in wanted:
            places[name] = places.get(name, 0) | 1 << place
    full = (1 << len(right)) - 1
    row = full
    for name in left:
        if found := row & places.get(name, 0):
            row = ((row + found) | (row - found)) & full
        yield row


def _traced(left: Sequence[int], right: Sequence[int]) -> list[Pair]:
    rows = list(_rows(left, right))
    full = (1 << len(right)) - 1
    found: list[Pair] = []
    i, j = len(left), len(right)
    while i and j:
        if rows[i - 1] >> (j - 1) & 1:
            j -= 1
            continue
        above = rows[i - 2] if i > 1 else full
        if above >> (j - 1) & 1:
            found.append((i - 1, j - 1))
            j -= 1
        i -= 1
    return found[::-1]


def _best_cut(left: Sequence[int], right: Sequence[int], half: int) -> int:
    """Where *right* is cut if *left* is cut in the middle."""
    above = _lengths(left[:half], right)
    below = _lengths(left[half:][::-1], right[::-1])[::-1]
    sums = [one + other for one, other in zip(above, below, strict=True)]
    return sums.index(max(sums))


def _lengths(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The lengths for all beginnings of *right*."""
    row = 0
    for row in _rows(left, right):  # noqa: B007 - only the last one counts
        pass
    lengths = [0]
    for bit in reversed(f"{row:0{len(right)}b}"):
        lengths.append(lengths[-1] + (bit == "0"))
    return lengths
