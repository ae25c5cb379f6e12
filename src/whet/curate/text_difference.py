"""Two texts side by side, line by line.

Texts of any size and content take bounded time. Where the lines between the common beginning and
the common end are too many, they are told as removed and added as a whole, which is longer and
still right.
"""

import itertools
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from whet.core.value import Value

MOST_COMPARED = 2000
"""Lines of each side that are compared one by one."""

MOST_ROWS = 20_000
LONGEST_LINE = 4000
"""Characters of a line, and lines, that are shown."""

CONTEXT = 3


class Line(Value):
    """A line and its number, from 1."""

    number: int
    text: str


class Row(Value):
    """A line of each side, or of one of them."""

    kind: Literal["equal", "added", "removed", "changed"]
    left: Line | None = None
    right: Line | None = None


class TextDifference(Value):
    """What two texts do not have in common."""

    unified: str
    """As patch programs read it. Empty where the texts are the same."""

    rows: tuple[Row, ...]
    """The same, every line of both sides."""

    is_cut: bool
    """Whether lines were left out or shortened."""


class _Block(NamedTuple):
    """Lines of both sides that are equal, or that stand one in place of the other."""

    left: range
    right: range
    is_equal: bool


def between_texts(left: str, right: str, names: tuple[str, str]) -> TextDifference:
    """What changed from *left* to *right*; *names* head the unified diff, one line each."""
    first, second = _lines(left), _lines(right)
    blocks = _blocks(first, second)
    rows = list(itertools.islice(_rows(blocks, first, second), MOST_ROWS + 1))
    unified = list(itertools.islice(_unified(blocks, first, second), MOST_ROWS + 1))
    longest = max(map(len, (*first, *second)), default=0)
    before, after = (" ".join(name.split()) for name in names)
    head = f"--- {before}\n+++ {after}\n"
    return TextDifference(
        unified=head + "".join(unified[:MOST_ROWS]) if unified else "",
        rows=tuple(rows[:MOST_ROWS]),
        is_cut=max(len(rows), len(unified)) > MOST_ROWS or longest > LONGEST_LINE,
    )


def _lines(text: str) -> list[str]:
    """With their ends: whether the last line has one is a difference too."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]


def _blocks(left: Sequence[str], right: Sequence[str]) -> list[_Block]:
    shorter = min(len(left), len(right))
    start = next((at for at in range(shorter) if left[at] != right[at]), shorter)
    most = shorter - start
    end = next((at for at in range(most) if left[-1 - at] != right[-1 - at]), most)
    first, second = range(start, len(left) - end), range(start, len(right) - end)
    blocks = [_Block(range(start), range(start), is_equal=True)]
    blocks += _middle(left, right, first, second)
    rest = range(first.stop, len(left)), range(second.stop, len(right))
    blocks.append(_Block(*rest, is_equal=True))
    return [block for block in blocks if block.left or block.right]


def _middle(
    left: Sequence[str], right: Sequence[str], first: range, second: range
) -> Iterator[_Block]:
    if max(len(first), len(second)) > MOST_COMPARED:
        yield _Block(first, second, is_equal=False)
        return
    matcher = SequenceMatcher(
        None, left[first.start : first.stop], right[second.start : second.stop]
    )
    for tag, a, b, c, d in matcher.get_opcodes():
        yield _Block(first[a:b], second[c:d], tag == "equal")


def _rows(blocks: Sequence[_Block], left: Sequence[str], right: Sequence[str]) -> Iterator[Row]:
    for block in blocks:
        for first, second in itertools.zip_longest(block.left, block.right):
            if block.is_equal:
                kind = "equal"
            else:
                kind = "added" if first is None else "removed" if second is None else "changed"
            yield Row(kind=kind, left=_line(left, first), right=_line(right, second))


def _line(lines: Sequence[str], at: int | None) -> Line | None:
    if at is None:
        return None
    return Line(number=at + 1, text=lines[at].removesuffix("\n")[:LONGEST_LINE])


def _unified(blocks: Sequence[_Block], left: Sequence[str], right: Sequence[str]) -> Iterator[str]:
    for hunk in _hunks(blocks):
        first = range(hunk[0].left.start, hunk[-1].left.stop)
        second = range(hunk[0].right.start, hunk[-1].right.stop)
        yield f"@@ -{_span(first)} +{_span(second)} @@\n"
        for block in hunk:
            if block.is_equal:
                yield from (_marked(" ", left[at]) for at in block.left)
                continue
            yield from (_marked("-", left[at]) for at in block.left)
            yield from (_marked("+", right[at]) for at in block.right)


def _hunks(blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    """Changes with the lines around them; those that are near each other together."""
    hunk: list[_Block] = []
    for at, block in enumerate(blocks):
        if not block.is_equal:
            hunk.append(block)
            continue
        is_last = at == len(blocks) - 1
        if hunk and (is_last or len(block.left) > 2 * CONTEXT):
            after = block.left[:CONTEXT], block.right[:CONTEXT]
            yield [*hunk, _Block(*after, is_equal=True)]
            hunk = []
        if not is_last:
            before = block.left[-CONTEXT:], block.right[-CONTEXT:]
            hunk.append(block if hunk else _Block(*before, is_equal=True))
    if any(not block.is_equal for block in hunk):
        yield hunk


def _span(lines: range) -> str:
    """As a unified diff counts: from 1, and nothing begins at the line before it."""
    if len(lines) == 1:
        return str(lines.start + 1)
    return f"{lines.start + (1 if lines else 0)},{len(lines)}"


def _marked(mark: str, line: str) -> str:
    text = line.removesuffix("\n")[:LONGEST_LINE]
    end = "" if line.endswith("\n") else "\\ No newline at end of file\n"
    return f"{mark}{text}\n{end}"
