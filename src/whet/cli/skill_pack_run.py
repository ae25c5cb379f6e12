"""What ``whet skill pack`` tells of the file that was written."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path

import typer

from whet.app.library.lint import as_folder
from whet.app.settings import Settings
from whet.cli.skill_lint_words import SkillLintWords
from whet.cli.skill_place import shelf_of
from whet.curate.pack import Packed, pack
from whet.evaluate.review import printable


def packed(
    settings: Settings, skill: Path, output: Path | None, *, keep_evals: bool, force: bool
) -> Packed:
    """Write the file, of a folder or of a skill in the library."""
    with shelf_of(settings, skill) as shelf:
        meant = nullcontext(skill) if shelf is None else as_folder(shelf, str(skill))
        with meant as place:
            return pack(place, output, keep_evals=keep_evals, force=force)


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
    words = SkillLintWords(settings.language)
    for one in parcel.left_out:
        typer.echo(
            printable(words.left_out.format(path=one.path, reason=words.reasons[one.reason]))
        )
    if parcel.errors:
        typer.echo(words.forced.format(errors=len(parcel.errors)))
    path = printable(str(packed.path))
    typer.echo(words.packed.format(path=path, files=len(parcel.files), digest=packed.digest))
