"""``whet project environment``: what a project is carried out with, or how two of them differ."""

import json
from collections.abc import Iterable
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table

from whet.app.app import opened
from whet.app.projects.compare import compare_environments, project_environment
from whet.cli.asset_output import cell, plain_table, print_json
from whet.cli.command import Call
from whet.cli.project_text import Reference, facts_grid
from whet.core.bilingual import Both, Words
from whet.documents.environment import FieldDifference


class EnvironmentWords(Words):
    """Headings and sentences."""

    field = Both("what", "项")
    left = Both("left", "左")
    right = Both("right", "右")
    identical = Both("Both projects are carried out with the same.", "两个项目的环境相同。")


Other = Annotated[
    str | None, typer.Argument(help="Another one, to be compared with.", metavar="OTHER")
]


def environment(call: Call, reference: Reference, other: Other = None) -> None:
    """Print one environment, or the difference of two."""
    words, console = EnvironmentWords(call.language), Console()
    if other is None:
        with opened(call.settings) as app:
            found = project_environment(app, reference).to_data()
        if call.json:
            print_json(found)
        elif isinstance(found, dict):
            console.print(_fields(found))
        return
    with opened(call.settings) as app:
        both = compare_environments(app, reference, other)
    if call.json:
        print_json(both.to_data())
    elif both.identical:
        console.print(words.identical, highlight=False)
    else:
        names = (both.left.project_name, both.right.project_name)
        console.print(differences(both.differences, names, words))


def differences(
    found: Iterable[FieldDifference], names: tuple[str, str], words: EnvironmentWords
) -> Table:
    """What is not the same, side by side."""
    table = plain_table((words.field, words.left, words.right))
    table.columns[1].header, table.columns[2].header = (cell(name, 60) for name in names)
    for one in found:
        table.add_row(cell(one.field, 80), cell(_said(one.left)), cell(_said(one.right)))
    return table


def _fields(found: dict[str, JsonValue]) -> Table:
    grid = facts_grid()
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
