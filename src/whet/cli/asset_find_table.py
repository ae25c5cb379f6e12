"""Lists of assets for people."""

from collections.abc import Callable, Sequence

from pydantic import JsonValue
from rich.table import Table
from rich.text import Text

from whet.app.library.told import AssetItem
from whet.cli.asset_find_words import FindWords
from whet.cli.asset_output import cell, line, plain_table, short_ids
from whet.ports.listing import Kind

ROOMY = 100
"""Columns of a terminal that has room for purpose, provider and tags beside the name."""

MOST_TAGS = 5
FIXED = ("id", "version", "cases", "updated_at", "best_score")


def assets(items: Sequence[AssetItem], kind: Kind, width: int, words: FindWords) -> Table:
    """A table of assets; a column that says nothing of any of them is left out."""
    names = short_ids([item.id for item in items])
    columns: dict[str, Callable[[AssetItem], Text]] = {"id": lambda item: Text(names[item.id])}
    if width >= ROOMY:
        columns["name"] = lambda item: _named(item, "", words)
        columns["purpose"] = lambda item: cell(item.purpose, 60)
        columns["provider"] = lambda item: cell(item.provider, 60)
        if any(item.tags for item in items):
            columns["tags"] = lambda item: Text(_tags(item))
    else:
        columns["name"] = lambda item: _named(item, _beneath(item), words)
    columns["version"] = lambda item: cell(item.version, 20)
    if kind == "baseline":
        columns["cases"] = lambda item: Text(str(item.case_count), justify="right")
    columns["updated_at"] = lambda item: cell(item.updated_at[:10])
    if any(item.test_summary for item in items):
        columns["best_score"] = lambda item: best_score(item.test_summary, words)
    table = plain_table(
        (words.columns[name] for name in columns), (words.columns[name] for name in FIXED)
    )
    for item in items:
        table.add_row(*(made(item) for made in columns.values()))
    return table


def marks(item: AssetItem, words: FindWords) -> str:
    """What is special about an asset, in words."""
    found = [words.values["archived"]] if item.status == "archived" else []
    if item.edited_outside:
        found.append(words.edited_outside)
    if item.pending_tag_count:
        found.append(words.pending.format(count=item.pending_tag_count))
    return " · ".join(found)


def best_score(summary: dict[str, JsonValue] | None, words: FindWords) -> Text:
    """The best score of a skill, and what is to be said against it."""
    match summary:
        case {"best_score": int() | float() as score}:
            text = Text(f"{score:.1f}", justify="right")
            for doubt in doubts(summary, words):
                text.append(f"\n{doubt}", "yellow")
            return text
        case _:
            return Text("–", justify="right")


def doubts(summary: dict[str, JsonValue], words: FindWords) -> list[str]:
    """Why a score does not say all that it seems to say."""
    found = [words.simulated] if summary.get("simulated") else []
    return found if summary.get("staleness") == "current" else [*found, words.outdated]


def _named(item: AssetItem, beneath: str, words: FindWords) -> Text:
    text = cell(item.name, 80)
    if beneath:
        text.append(f"\n{beneath}", "dim")
    if said := marks(item, words):
        text.append(f"\n{said}", "yellow")
    return text


def _beneath(item: AssetItem) -> str:
    place = f"{line(item.purpose, 60)} · {line(item.provider, 60)}"
    return f"{place}\n{_tags(item)}" if item.tags else place


def _tags(item: AssetItem) -> str:
    rest = len(item.tags) - MOST_TAGS
    more = f" +{rest}" if rest > 0 else ""
    return ", ".join(line(tag, 30) for tag in item.tags[:MOST_TAGS]) + more
