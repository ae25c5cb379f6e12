"""What ``whet config`` does once its imports are worth their time."""

import json
import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app import config
from whet.app.clock import SystemClock
from whet.app.config import Configuration
from whet.app.parts import InstalledParts
from whet.app.settings import Settings
from whet.cli.config_words import ConfigWords
from whet.cli.options import named_values


def show(settings: Settings, *, as_json: bool) -> None:
    """Print every value with its source."""
    _print(config.configuration(settings), settings.language, as_json=as_json)


def change(settings: Settings, given: Sequence[str], *, as_json: bool) -> None:
    """Set values, and print what holds then."""
    parts, now = InstalledParts(settings.machine), SystemClock().now()
    values = named_values(given)
    found = config.change(settings, parts, values, now)
    if values.get("cli_path") is not None:
        config.agree_to_program(settings)
    _print(found, settings.language, as_json=as_json)


def _print(found: Configuration, language: str, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(found.model_dump_json(indent=2) + "\n")
        return
    words = ConfigWords(language)
    table = Table(box=SIMPLE_HEAD)
    for heading in (words.key, words.value, words.source):
        table.add_column(heading, no_wrap=heading == words.key)
    for key, one in found.values.items():
        text = one.value if isinstance(one.value, str) else json.dumps(one.value)
        table.add_row(key, escape(text), words.sources[one.source])
    console = Console()
    console.print(table)
    file = found.file if found.exists else words.no_file.format(file=found.file)
    console.print(file, markup=False, highlight=False, soft_wrap=True)
    if found.values["context.auto_compress"].value is True:
        console.print(words.compress, markup=False, highlight=False, soft_wrap=True)
