"""Finding in a text what a phrase asks for, by the words that they share."""

import csv
import io
import re
from collections.abc import Mapping

_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]")
_EMPTY = frozenset(
    {
        *("a", "an", "and", "as", "at", "by", "count", "each", "file", "for", "from", "in", "is"),
        *("it", "its", "me", "number", "of", "on", "only", "or", "reply", "stands", "tell", "text"),
        *("that", "the", "this", "to", "value", "what", "which", "with", "written"),
        *"的中里其它一个是数量值写着文件回答只",
    }
)
_ASSIGNED = re.compile(r"^[^:=：]{1,80}?\s*[:=：]\s*(.+)$")
_IS = re.compile(r"^.{1,80}?(?:\b(?:is|are|was)\b|是|为)[:：]?\s*(.+)$", re.IGNORECASE)
_END = " \t\r.。!！;；,，\"'”“"


def words(text: str) -> frozenset[str]:
    """What a text is about."""
    found = _WORD.findall(text.lower())
    return frozenset(_stem(word) for word in found if word not in _EMPTY)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def value_of(phrase: str, text: str) -> str | None:
    """What the text says of a thing; None if no line speaks of it."""
    wanted = words(phrase)
    lines = [line for line in text.splitlines() if line.strip()]
    table = rows(text)
    shared = [len(wanted & words(line)) for line in lines]
    best = max(shared, default=0)
    if best == 0:
        return None
    line = lines[shared.index(best)]
    if table and line in lines[1:]:
        return _cell(phrase, table, lines.index(line))
    for shape in (_ASSIGNED, _IS):
        if found := shape.match(line.strip()):
            return found[1].strip(_END)
    return line.strip()


def rows(text: str) -> list[list[str]]:
    """A table with a head of names; empty if the text is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or "," not in lines[0]:
        return []
    try:
        table = [
            [cell.strip() for cell in row] for row in csv.reader(io.StringIO("\n".join(lines)))
        ]
    except csv.Error:
        return []
    width = len(table[0])
    even = len(table) == len(lines) and all(len(row) == width for row in table)
    return table if even and width > 1 else []


def _cell(phrase: str, table: list[list[str]], number: int) -> str:
    """The cell of the column that the phrase names, else the last one."""
    asked = frozenset(_stem(word) for word in _WORD.findall(phrase.lower()))
    for name, cell in zip(table[0], table[number], strict=True):
        parts = {_stem(word) for word in _WORD.findall(name.lower())}
        if parts and parts <= asked:
            return cell
    return table[number][-1]


def worked_out(fields: Mapping[str, object], text: str) -> dict[str, object] | None:
    """Fields of a table that is described: how many rows there are, the sum of a column."""
    table = rows(text)
    if not table:
        return None
    made: dict[str, object] = {}
    for name, description in fields.items():
        told = f"{name} {description}".lower()
        if re.search(r"\bsum\b|\btotal\b|和|总", told):
            made[name] = _sum(told, table)
        elif re.search(r"number of|how many|\bcount\b|数", told):
            made[name] = len(table) - 1
        else:
            return None
    return made


def _sum(told: str, table: list[list[str]]) -> object:
    asked = frozenset(_stem(word) for word in _WORD.findall(told))
    numeric = [
        place for place in range(len(table[0])) if all(_is_number(r[place]) for r in table[1:])
    ]
    named = [place for place in numeric if _stem(table[0][place].lower()) in asked]
    column = (named or numeric[-1:] or [0])[0]
    values = [number(row[column]) for row in table[1:]]
    return sum(value for value in values if value is not None)


def records(text: str, keys: tuple[str, ...]) -> list[dict[str, object]] | None:
    """A table as objects, with these keys where its head has them."""
    table = rows(text)
    if not table:
        return None
    names = [name for name in table[0] if name in keys] or table[0]
    made: list[dict[str, object]] = []
    for row in table[1:]:
        cells = dict(zip(table[0], row, strict=True))
        values = {name: (number(cells[name]), cells[name]) for name in names}
        made.append(
            {name: text if value is None else value for name, (value, text) in values.items()}
        )
    return made


def number(text: str) -> int | float | None:
    """The number that a text is."""
    if not _is_number(text):
        return None
    return float(text) if "." in text else int(text)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d{1,15}(?:\.\d{1,9})?", text) is not None
