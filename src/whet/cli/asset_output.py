"""What the commands for skills and baselines print."""

import json
import sys

import typer
from pydantic import BaseModel, JsonValue

from whet.app.library.library import Shelved
from whet.cli.asset_words import BY_LANGUAGE
from whet.evaluate.review import printable


def print_json(value: BaseModel | JsonValue) -> None:
    """One JSON value on stdout, with the names that the API has too."""
    data = value.model_dump(mode="json", by_alias=True) if isinstance(value, BaseModel) else value
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def print_shelved(done: Shelved, language: str, *, as_json: bool) -> None:
    """An asset that was changed: what it is now, and where."""
    if as_json:
        print_json(done)
        return
    words = BY_LANGUAGE[language]
    typer.echo(printable(words.shelved.format(**done.model_dump())))
    for note in done.notes:
        typer.echo(printable(f"  {words.note}: {note}"))
