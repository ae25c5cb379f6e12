"""``whet skill export`` and ``whet baseline export``: the ways out of the library."""

import sys
from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from whet.app.library import outgo
from whet.app.library.library import Library, library
from whet.app.library.outgo import BaselineForm, Parcel
from whet.cli.asset_output import print_json
from whet.cli.command import Call, when_stopped
from whet.cli.library_options import Reference, Version
from whet.cli.options import say
from whet.cli.output_files import STDOUT, place, refuse_present
from whet.core.bilingual import Both, Words
from whet.core.errors import UsageError
from whet.core.text import printable
from whet.core.value import Value
from whet.curate.outgo import folder_name, folder_notes
from whet.documents.files import write_atomic
from whet.ports.listing import Kind

STOPPED = "stopped; nothing was written"
SkillFormat = Literal["text", "json", "zip", "folder"]


class ExportWords(Words):
    """What is said of a file that was written."""

    exported = Both("{path}: {name} {version}", "{path}：{name} {version}")


@dataclass(frozen=True, kw_only=True)
class Export:
    """Which version is written, and where to."""

    reference: Reference
    version: Version = None
    output: Annotated[
        str | None,
        typer.Option(
            help="The file, or the folder for it; - is stdout. Default: NAME here.", metavar="PATH"
        ),
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Also over a file that is there.")] = False


class Written(Value):
    """A file or folder that was written."""

    id: str
    name: str
    version: str
    format: str
    path: str
    notes: tuple[str, ...] = ()
    """What the form could not hold."""


@when_stopped(STOPPED)
def export_skill(
    call: Call,
    options: Export,
    format_: Annotated[
        SkillFormat | None,
        typer.Option("--format", help="The form. Default: text, of a package zip."),
    ] = None,
) -> None:
    """Write a version of a skill."""
    _export(call, "skill", options, format_)


@when_stopped(STOPPED)
def export_baseline(
    call: Call,
    options: Export,
    format_: Annotated[BaselineForm, typer.Option("--format", help="The form.")] = "json",
) -> None:
    """Write a version of a baseline."""
    _export(call, "baseline", options, format_)


def _export(call: Call, kind: Kind, options: Export, form: str | None) -> None:
    """Write the file or folder, and say where it is."""
    if options.output == STDOUT and call.json:
        raise UsageError("--json and --output - both want stdout; leave one of them out")
    with library(call.settings.workspace, kind) as shelf:
        done = _written(shelf, options, form)
    if call.json:
        print_json(done)
        return
    for note in done.notes:
        say(note)
    if done.path != STDOUT:
        words = ExportWords(call.language)
        typer.echo(printable(words.exported.format(**done.model_dump())))


def _written(shelf: Library, options: Export, form: str | None) -> Written:
    # The version is looked up once: what is told is what was written.
    asset = shelf.version(options.reference, options.version).meta
    if form is None:
        package = outgo.skill_draft(shelf, asset.id, asset.version).package
        form = "text" if package is None else "zip"
    if form == "folder":
        path, notes = _folder(shelf, asset.id, asset.version, options)
    else:
        parcel = outgo.parcel(shelf, asset.id, form, asset.version)
        path, notes = _file(parcel, options), parcel.notes
    return Written(
        id=asset.id, name=asset.name, version=asset.version, format=form, path=path, notes=notes
    )


def _file(parcel: Parcel, options: Export) -> str:
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
    shelf: Library, identity: str, version: str, options: Export
) -> tuple[str, tuple[str, ...]]:
    """Where it was written, and what a folder has no place for."""
    if options.output == STDOUT:
        raise UsageError("a folder cannot go to stdout; choose another --format")
    draft = outgo.skill_draft(shelf, identity, version)
    path = place(options.output, folder_name(draft))
    refuse_present(path, "a folder is never replaced; choose another by --output")
    return str(outgo.folder(shelf, identity, path, version)), folder_notes(draft)
