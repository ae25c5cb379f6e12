"""What ``whet skill versions`` and ``whet skill diff`` do once their imports are worth it."""

import json
from collections.abc import Iterator, Mapping

from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from whet.app.library import told
from whet.app.library.library import library
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json, print_unified
from whet.cli.asset_versions_columns import columns
from whet.cli.asset_versions_options import Diff, Versions
from whet.cli.asset_versions_table import MOST_NAMED, versions_table
from whet.cli.asset_versions_words import Change, VersionsWords
from whet.curate.difference import Difference
from whet.documents import assets
from whet.ports.listing import Kind


def versions(settings: Settings, kind: Kind, options: Versions) -> None:
    """Every version with what it changed."""
    with library(settings.workspace, kind) as shelf:
        found, problems = told.versions(shelf, options.reference)
    if options.json:
        listed: list[JsonValue] = [one.model_dump(mode="json") for one in found]
        print_json({"versions": listed, "problems": [*problems]})
        return
    words = VersionsWords(settings.language)
    console = Console(highlight=False)
    console.print(versions_table(found, words))
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
    words = VersionsWords(settings.language)
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
        print_unified(console, found.unified)
    if found.is_cut:
        console.print(Text(words.cut, "yellow"), soft_wrap=True)


def _summary(found: Difference, words: VersionsWords) -> Iterator[Text]:
    """What changed beside the lines of the text."""
    for name, change in found.meta.items():
        yield Text(f"{words.groups['meta']} {line(name)}: {_values(change)}")
    for group, changes in (("cases", found.cases), ("files", found.files)):
        for kind, names in _sorted_by_kind(changes).items():
            more = f", +{len(names) - MOST_NAMED}" if len(names) > MOST_NAMED else ""
            listed = ", ".join(line(name, 100) for name in names[:MOST_NAMED])
            yield Text(f"{words.groups[group]} {words.changes[kind]}: {listed}{more}")
    for field, change in (("rubric", found.rubric), ("executables", found.executables)):
        if change is not None:
            yield Text(f"{words.groups[field]}: {_values(change)}")
    # Where a case came or went, the order is another one anyway.
    if found.case_order and not {"added", "removed"} & set(_sorted_by_kind(found.cases)):
        yield Text(f"{words.groups['case_order']}: {words.changes['changed']}")


def _sorted_by_kind(changes: Mapping[str, assets.Change]) -> dict[Change, list[str]]:
    found: dict[Change, list[str]] = {}
    for name, change in changes.items():
        if change.before is None:
            kind: Change = "added"
        else:
            kind = "removed" if change.after is None else "changed"
        found.setdefault(kind, []).append(name)
    return found


def _values(change: assets.Change) -> str:
    return f"{_value(change.before)} → {_value(change.after)}"


def _value(value: JsonValue) -> str:
    return "–" if value is None else line(json.dumps(value, ensure_ascii=False), 200)
