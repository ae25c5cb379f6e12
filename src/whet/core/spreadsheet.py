"""Cells of a table that a spreadsheet will open."""

import re

_ACTIVE = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
"""What a spreadsheet may take for a formula; it is written with one more apostrophe."""


def guarded(cell: str) -> str:
    """A stranger's text, so that no spreadsheet computes it."""
    return f"'{cell}" if _ACTIVE.match(cell) else cell


def unguarded(cell: str) -> str:
    """What ``guarded`` was given."""
    return cell[1:] if cell.startswith("'") and _ACTIVE.match(cell) else cell
