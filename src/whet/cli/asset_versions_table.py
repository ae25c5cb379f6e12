"""The versions of an asset as a table."""

from collections.abc import Sequence

from rich.table import Table

from whet.app.library.told import VersionItem
from whet.cli.asset_output import cell, plain_table
from whet.cli.asset_versions_words import VersionsWords

MOST_NAMED = 20
"""What is named of many; the rest is counted."""


def versions_table(found: Sequence[VersionItem], words: VersionsWords) -> Table:
    """What each of them changed, and which were edited outside, if any was."""
    heads = [words.version, words.updated, words.changed]
    is_marked = any(one.edited_outside for one in found)
    table = plain_table([*heads, words.marks] if is_marked else heads, heads[:2])
    for one in found:
        marks = [words.edited_outside if one.edited_outside else ""] if is_marked else []
        table.add_row(cell(one.version), cell(one.updated_at), cell(_changed(one, words)), *marks)
    return table


def _changed(one: VersionItem, words: VersionsWords) -> str:
    if one.version == "v1" and not one.changed_fields:
        return words.first
    more = len(one.changed_fields) - MOST_NAMED
    named = ", ".join(one.changed_fields[:MOST_NAMED])
    return f"{named}, +{more}" if more > 0 else named
