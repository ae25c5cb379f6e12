"""What commands print: JSON, tables, and texts of strangers that steer no terminal."""

import json
import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from pydantic import BaseModel, JsonValue
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.core.bilingual import Both, Words
from whet.core.text import printable, shortened_path

if TYPE_CHECKING:
    from whet.app.library.library import Shelved

_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What JSON need not escape and what steers some terminals all the same."""

_COLOURS = {"-": "red", "+": "green", "@": "cyan"}
_SHORT, _LONGEST = 8, 36


class AssetWords(Words):
    """What is said of an asset that was changed."""

    shelved = Both("{name} {version}  {id}\n  {path}", "{name} {version}  {id}\n  {path}")
    note = Both("note", "注意")


def print_json(value: BaseModel | JsonValue) -> None:
    """One JSON value on stdout, with the names that the API has too."""
    data = value.model_dump(mode="json", by_alias=True) if isinstance(value, BaseModel) else value
    # What an encoding has no character for has an escape in JSON that no stream knows to write.
    is_ascii = (sys.stdout.encoding or "").lower() not in ("utf-8", "utf8")
    text = json.dumps(data, ensure_ascii=is_ascii, indent=2)
    sys.stdout.write(_STEERING.sub(lambda one: f"\\u{ord(one[0]):04x}", text) + "\n")


def print_shelved(done: "Shelved", language: str, *, as_json: bool) -> None:
    """An asset that was changed: what it is now, and where."""
    if as_json:
        print_json(done)
        return
    words = AssetWords(language)
    typer.echo(printable(words.shelved.format(**done.model_dump())))
    for note in done.notes:
        typer.echo(printable(f"  {words.note}: {note}"))


def line(text: str, most: int = 400) -> str:
    """A stranger's *text* on one line, without anything that steers a terminal."""
    return printable(shortened_path(" ".join(text.split()), most))


def cell(text: str, most: int = 400) -> Text:
    """The same for a table: no markup in it is obeyed."""
    return Text(line(text, most))


def short_ids(ids: Sequence[str]) -> dict[str, str]:
    """The beginning of each id, so long that they are all different, if that is not too long."""
    length = _SHORT
    while len({one[:length] for one in ids}) < len(set(ids)) and length < _LONGEST:
        length += 1
    return {one: line(one[:length]) for one in ids}


def plain_table(columns: Iterable[str], fixed: Iterable[str] = ()) -> Table:
    """An empty table; what is *fixed* is never broken into lines, the rest may be."""
    whole = set(fixed)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for name in columns:
        table.add_column(name, no_wrap=name in whole, overflow="fold")
    return table


def print_unified(console: Console, unified: str) -> None:
    """A difference with every blank and tab as it is, so that what a pipe gets is a patch."""
    coloured = console.color_system is not None and not console.no_color
    typer.echo()
    for number, one in enumerate(unified.removesuffix("\n").split("\n")):
        colour = None if number < 2 or not coloured else _COLOURS.get(one[:1])
        typer.echo(typer.style(printable(one), fg=colour) if colour else printable(one))


def command(words: str, workspace: Path | None) -> str:
    """A command to be typed next, for the workspace that this one was given."""
    where = "" if workspace is None else f" --workspace {shlex.quote(str(workspace))}"
    return f"whet {words}{where}"
