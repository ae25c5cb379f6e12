"""Two texts side by side, in the columns of a terminal."""

import itertools
from collections.abc import Iterator, Sequence

from rich.cells import chop_cells, set_cell_size
from rich.text import Text

from whet.core.bilingual import Both, Words
from whet.core.text import printable
from whet.curate.text_difference import CONTEXT, Line, Row

_STYLES = {"equal": ("", ""), "removed": ("red", ""), "added": ("", "green")}
_BOTH = ("red", "green")
_MARKS = {"equal": " ", "changed": "|", "removed": "<", "added": ">"}
_TAB = 4
_NARROWEST = 10


class DifferenceWords(Words):
    """What is said of a difference between two texts."""

    equal_lines = Both("⋯ {count} equal lines", "⋯ {count} 行相同")
    cut = Both(
        "Not all of it is shown: long lines are shortened, and so is a long text.",
        "未全部显示：过长的行和过长的文本已被截短。",
    )


def columns(rows: Sequence[Row], width: int, equal_lines: str) -> Iterator[Text]:
    """Lines for a terminal of that *width*; long stretches of equal lines are counted only."""
    digits = len(str(max((_last(row) for row in rows), default=1)))
    # Each side has a number and a space; between them stands a mark between two spaces.
    room = max((width - 3) // 2 - digits - 1, _NARROWEST)
    for is_equal, group in itertools.groupby(rows, lambda row: row.kind == "equal"):
        part = list(group)
        if is_equal and len(part) > 2 * CONTEXT + 1:
            yield from _lines(part[:CONTEXT], digits, room)
            yield Text(equal_lines.format(count=len(part) - 2 * CONTEXT), "dim")
            part = part[-CONTEXT:]
        yield from _lines(part, digits, room)


def _lines(rows: Sequence[Row], digits: int, room: int) -> Iterator[Text]:
    for row in rows:
        left, right = _STYLES.get(row.kind, _BOTH)
        pairs = itertools.zip_longest(
            _side(row.left, digits, room), _side(row.right, digits, room), fillvalue=""
        )
        for number, (first, second) in enumerate(pairs):
            mark = " " if number else _MARKS[row.kind]
            whole = set_cell_size(first, digits + 1 + room)
            text = Text.assemble((whole, left), f" {mark} ", (second, right))
            text.rstrip()
            yield text


def _side(line: Line | None, digits: int, room: int) -> list[str]:
    """A line with its number, folded where it is longer than its column."""
    if line is None:
        return []
    text = printable(line.text.expandtabs(_TAB))
    parts = chop_cells(text, room) or [""]
    return [f"{line.number if at == 0 else '':>{digits}} {part}" for at, part in enumerate(parts)]


def _last(row: Row) -> int:
    return max(side.number for side in (row.left, row.right) if side is not None)
