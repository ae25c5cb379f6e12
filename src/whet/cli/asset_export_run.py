"""What ``whet skill export`` does once its imports are worth their time."""

import sys

import typer

from whet.app.library import outgo
from whet.app.library.library import Library, library
from whet.app.library.outgo import Parcel
from whet.app.settings import Settings
from whet.cli.asset_export_options import BaselineExport, SkillExport
from whet.cli.asset_import_words import ImportWords
from whet.cli.asset_output import print_json
from whet.cli.options import say
from whet.cli.output_files import STDOUT, place, refuse_present
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.curate.outgo import folder_name, folder_notes
from whet.documents.files import write_atomic
from whet.evaluate.review import printable
from whet.ports.listing import Kind


class Written(Value):
    """A file or folder that was written."""

    id: str
    name: str
    version: str
    format: str
    path: str
    notes: tuple[str, ...] = ()
    """What the form could not hold."""


def run(settings: Settings, kind: Kind, options: SkillExport | BaselineExport) -> None:
    """Write the file or folder, and tell where it is."""
    if options.output == STDOUT and options.json:
        raise UsageError("--json and --output - both want stdout; leave one of them out")
    with library(settings.workspace, kind) as shelf:
        done = _written(shelf, options)
    if options.json:
        print_json(done)
        return
    for note in done.notes:
        say(note)
    if done.path != STDOUT:
        words = ImportWords(settings.language)
        typer.echo(printable(words.exported.format(**done.model_dump())))


def _written(shelf: Library, options: SkillExport | BaselineExport) -> Written:
    # The version is looked up once: what is told is what was written.
    asset = shelf.version(options.reference, options.version).meta
    form = _form(shelf, asset.id, asset.version, options)
    if form == "folder":
        path, notes = _folder(shelf, asset.id, asset.version, options)
    else:
        parcel = outgo.parcel(shelf, asset.id, form, asset.version)
        path, notes = _file(parcel, options), parcel.notes
    return Written(
        id=asset.id, name=asset.name, version=asset.version, format=form, path=path, notes=notes
    )


def _form(
    shelf: Library, identity: str, version: str, options: SkillExport | BaselineExport
) -> str:
    if options.format_ is not None:
        return options.format_.value
    package = outgo.skill_draft(shelf, identity, version).package
    return "text" if package is None else "zip"


def _file(parcel: Parcel, options: SkillExport | BaselineExport) -> str:
    """Where it was written."""
    if options.output == STDOUT:
        sys.stdout.buffer.write(parcel.data)
        return STDOUT
    path = place(options.output, parcel.filename)
    if not options.force:
        refuse_present(path, "choose another by --output, or use --force")
    write_atomic(path, parcel.data, durable=True)
    return str(path)


def _folder(
    shelf: Library, identity: str, version: str, options: SkillExport | BaselineExport
) -> tuple[str, tuple[str, ...]]:
    """Where it was written, and what a folder has no place for."""
    if options.output == STDOUT:
        raise UsageError("a folder cannot go to stdout; choose another --format")
    draft = outgo.skill_draft(shelf, identity, version)
    path = place(options.output, folder_name(draft))
    refuse_present(path, "a folder is never replaced; choose another by --output")
    return str(outgo.folder(shelf, identity, path, version)), folder_notes(draft)
