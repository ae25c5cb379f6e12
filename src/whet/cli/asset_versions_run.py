"""What ``whet skill versions`` and ``whet skill diff`` do once their imports are worth it."""

import json
from collections.abc import Iterator, Mapping

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from whet.app.library import told
from whet.app.library.library import library
from whet.app.library.told import VersionItem
from whet.app.settings import Settings
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.asset_versions_columns import columns
from whet.cli.asset_versions_options import Diff, Versions
from whet.cli.asset_versions_words import BY_LANGUAGE, Change, VersionsWords
from whet.curate.difference import Difference
from whet.documents import assets
from whet.evaluate.review import printable
from whet.ports.listing import Kind

_MOST_NAMED = 20
_COLOURS = {"-": "red", "+": "green", "@": "cyan"}


def versions(settings: Settings, kind: Kind, options: Versions) -> None:
    """Every version with what it changed."""
    with library(settings.workspace, kind) as shelf:
        found, problems = told.versions(shelf, options.reference)
    if options.json:
        listed: list[JsonValue] = [one.model_dump(mode="json") for one in found]
        print_json({"versions": listed, "problems": [*problems]})
        return
    words = BY_LANGUAGE[settings.language]
    heads = [words.version, words.updated, words.changed]
    is_marked = any(one.edited_outside for one in found)
    table = plain_table([*heads, words.marks] if is_marked else heads, heads[:2])
    for one in found:
        marks = [words.edited_outside if one.edited_outside else ""] if is_marked else []
        changed = _changed(one, words)
        table.add_row(cell(one.version), cell(one.updated_at), cell(changed), *marks)
    console = Console(highlight=False)
    console.print(table)
    for problem in problems:
        console.print(Text(f"{words.problem}: {line(problem)}", "yellow"), soft_wrap=True)


def diff(settings: Settings, kind: Kind, options: Diff) -> None:
    """What is different between two versions."""
    with library(settings.workspace, kind) as shelf:
        found = shelf.difference(options.reference, options.left, options.right)
        name = shelf.entry(options.reference).meta.name
    if options.json:
        print_json(found)
        return
    words = BY_LANGUAGE[settings.language]
    console = Console(highlight=False)
    if not found.changed_fields:
        console.print(words.no_difference)
        return
    title = words.between.format(name=line(name), left=found.left, right=found.right)
    for one in (Text(title, "bold"), *_summary(found, words)):
        console.print(one, soft_wrap=True)
    if found.unified and options.side_by_side:
        for one in (Text(), *columns(found.rows, console.width, words.equal_lines)):
            console.print(one, soft_wrap=True)
    elif found.unified:
        coloured = console.color_system is not None and not console.no_color
        _print_unified(found.unified, coloured=coloured)
    if found.is_cut:
        console.print(Text(words.cut, "yellow"), soft_wrap=True)


def _print_unified(unified: str, *, coloured: bool) -> None:
    """Every blank and tab as it is, so that what a pipe gets is a patch."""
    typer.echo()
    for number, one in enumerate(unified.removesuffix("\n").split("\n")):
        colour = None if number < 2 or not coloured else _COLOURS.get(one[:1])
        typer.echo(typer.style(printable(one), fg=colour) if colour else printable(one))


def _changed(one: VersionItem, words: VersionsWords) -> str:
    if one.version == "v1" and not one.changed_fields:
        return words.first
    more = len(one.changed_fields) - _MOST_NAMED
    named = ", ".join(one.changed_fields[:_MOST_NAMED])
    return f"{named}, +{more}" if more > 0 else named


def _summary(found: Difference, words: VersionsWords) -> Iterator[Text]:
    """What changed beside the lines of the text."""
    for name, change in found.meta.items():
        values = f"{_value(change.before)} → {_value(change.after)}"
        yield Text(f"{words.groups['meta']} {line(name)}: {values}")
    for group, changes in (("cases", found.cases), ("files", found.files)):
        for kind, names in _sorted_by_kind(changes).items():
            more = f", +{len(names) - _MOST_NAMED}" if len(names) > _MOST_NAMED else ""
            listed = ", ".join(line(name, 100) for name in names[:_MOST_NAMED])
            yield Text(f"{words.groups[group]} {words.changes[kind]}: {listed}{more}")
    for field in _beside(found):
        yield Text(f"{words.groups[field]}: {words.changes['changed']}")


def _beside(found: Difference) -> Iterator[str]:
    for field in ("rubric", "executables"):
        if field in found.changed_fields:
            yield field
    # Where a case came or went, the order is another one anyway.
    if "case_order" in found.changed_fields and not {"added", "removed"} & set(
        _sorted_by_kind(found.cases)
    ):
        yield "case_order"


def _sorted_by_kind(changes: Mapping[str, assets.Change]) -> dict[Change, list[str]]:
    found: dict[Change, list[str]] = {}
    for name, change in changes.items():
        if change.before is None:
            kind: Change = "added"
        else:
            kind = "removed" if change.after is None else "changed"
        found.setdefault(kind, []).append(name)
    return found


def _value(value: JsonValue) -> str:
    return "–" if value is None else line(json.dumps(value, ensure_ascii=False), 200)
