"""What ``whet skill pack`` tells of the file that was written."""

import json
import sys

import typer

from whet.app.settings import Settings
from whet.cli.skill_lint_words import BY_LANGUAGE
from whet.curate.pack import Packed
from whet.evaluate.review import printable


def run(settings: Settings, packed: Packed, *, as_json: bool) -> None:
    """Print what is in the file and what is not."""
    parcel = packed.parcel
    if as_json:
        data = {
            "path": str(packed.path),
            "digest": packed.digest,
            "name": parcel.name,
            "files": [file.path for file in parcel.files],
            "left_out": [one._asdict() for one in parcel.left_out],
            "errors": [
                f"{one.path}:{one.line} {one.rule.id} {one.message}" for one in parcel.errors
            ],
        }
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    words = BY_LANGUAGE[settings.language]
    for one in parcel.left_out:
        typer.echo(
            printable(words.left_out.format(path=one.path, reason=words.reasons[one.reason]))
        )
    if parcel.errors:
        typer.echo(words.forced.format(errors=len(parcel.errors)))
    path = printable(str(packed.path))
    typer.echo(words.packed.format(path=path, files=len(parcel.files), digest=packed.digest))
