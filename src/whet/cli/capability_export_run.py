"""What ``whet capability export`` does once its imports are worth their time."""

import sys

import typer

from whet.app.app import opened
from whet.app.capability.find import find
from whet.app.capability.report import export_run
from whet.app.settings import Settings
from whet.cli.asset_export_run import STDOUT, place, refuse_present
from whet.cli.asset_output import line, print_json
from whet.cli.capability_options import Export
from whet.cli.capability_words import CapabilityWords
from whet.core.errors import UsageError
from whet.core.naming import short
from whet.core.value import Value
from whet.documents.files import write_atomic


class Written(Value):
    """A file that was written."""

    run_id: str
    format: str
    path: str
    bytes: int


def export(settings: Settings, options: Export) -> None:
    """Write the file, and tell where it is."""
    if options.output == STDOUT and options.json:
        raise UsageError("--json and --output - both want stdout; leave one of them out")
    form = options.format_.value
    with opened(settings) as app:
        run_id = find(app, options.run)
        suffix = app.parts.capability_exporter(form).suffix
        name = f"capability-{short(run_id)}{suffix}"
        path = None if options.output == STDOUT else place(options.output, name)
        if path is not None:
            refuse_present(path, "choose another by --output")
        data = export_run(app, run_id, form, settings.language).encode(errors="backslashreplace")
    if path is None:
        sys.stdout.buffer.write(data)
        return
    write_atomic(path, data, durable=True)
    done = Written(run_id=run_id, format=form, path=str(path), bytes=len(data))
    if options.json:
        print_json(done)
    else:
        words = CapabilityWords(settings.language).sets
        typer.echo(line(words.written.format(run=short(run_id), path=done.path), 4096))
