"""What ``whet project environment`` does once its imports are worth their time."""

import json
from collections.abc import Iterable

from pydantic import JsonValue
from rich.console import Console
from rich.table import Table

from whet.app.app import opened
from whet.app.projects.compare import compare_environments, project_environment
from whet.app.settings import Settings
from whet.cli.asset_output import cell, plain_table, print_json
from whet.cli.project_compare_options import Environment
from whet.cli.project_compare_words import CompareWords
from whet.documents.environment import FieldDifference


def environment(settings: Settings, options: Environment) -> None:
    """One project, or the difference of two."""
    words, console = CompareWords(settings.language), Console()
    if options.other is None:
        with opened(settings) as app:
            found = project_environment(app, options.project).to_data()
        if options.json:
            print_json(found)
        elif isinstance(found, dict):
            console.print(_fields(found))
        return
    with opened(settings) as app:
        both = compare_environments(app, options.project, options.other)
    if options.json:
        print_json(both.to_data())
    elif both.identical:
        console.print(words.identical, highlight=False)
    else:
        names = (both.left.project_name, both.right.project_name)
        console.print(differences(both.differences, names, words))


def differences(
    found: Iterable[FieldDifference], names: tuple[str, str], words: CompareWords
) -> Table:
    """What is not the same, side by side."""
    table = plain_table((words.field, words.left, words.right))
    table.columns[1].header, table.columns[2].header = (cell(name, 60) for name in names)
    for one in found:
        table.add_row(cell(one.field, 80), cell(_said(one.left)), cell(_said(one.right)))
    return table


def _fields(found: dict[str, JsonValue]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in found.items():
        entries = value if isinstance(value, list) and value else [value]
        for number, one in enumerate(entries):
            grid.add_row("" if number else cell(name, 40), cell(_said(one)))
    return grid


def _said(value: JsonValue) -> str:
    match value:
        case str():
            return value
        case {"name": name, "digest": str(digest)}:
            # The beginning tells two of them apart; --json has the whole.
            return f"{name} {value.get('version', '')} {digest[:12]}"
        case list() if value:
            return ", ".join(map(_said, value))
        case _:
            pass
    return "–" if value is None else json.dumps(value, ensure_ascii=False)
