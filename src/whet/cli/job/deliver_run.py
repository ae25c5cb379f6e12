"""What ``whet job artifacts`` and ``bundle`` do once their imports are worth their time."""

import shutil
import sys

import typer
from rich.console import Console
from rich.text import Text

from whet.app.jobs import bundle as bundling
from whet.app.jobs import told
from whet.app.settings import Settings
from whet.cli.asset_export_run import STDOUT, place, refuse_present
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.job.deliver import check_folder, deliver
from whet.cli.job.desk import office_of
from whet.cli.job.options import Artifacts, Bundle
from whet.cli.job.words import JobWords
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.naming import short
from whet.core.value import Value
from whet.documents.files import reason


class Written(Value):
    """A file that was written."""

    request_id: str
    path: str
    bytes: int


def artifacts(settings: Settings, options: Artifacts) -> None:
    """List the files of a job, or write them into a folder."""
    words = JobWords(settings.language).find
    if options.out is not None:
        check_folder(options.out, force=options.force)
    with office_of(settings) as office:
        job = office.find(options.job)
        told.result(job)  # before its end there are none
        files = {} if options.out is None else deliver(office, job, options.out)
    found = job.result.artifacts if job.result else ()
    if options.json:
        listed = told.artifacts(job).to_data()
        assert isinstance(listed, dict), "a document is an object"
        print_json({**listed, **({"files": {**files}} if files else {})})
    elif options.out is not None:
        typer.echo(words.wrote.format(count=len(files), path=options.out))
    elif not found:
        typer.echo(words.no_files.format(job=short(job.request_id)))
    else:
        heads = [words.columns[one] for one in ("path", "size", "role")]
        table = plain_table(heads, heads[1:])
        for each in found:
            size = Text(f"{each.size:,}", justify="right")
            table.add_row(cell(each.path, 1000), size, cell(each.role or "–", 60))
        Console(highlight=False).print(table)


def bundle(settings: Settings, options: Bundle) -> None:
    """Write the zip, and tell where it is."""
    if options.out == STDOUT and options.json:
        raise UsageError("--json and --out - both want stdout; leave one of them out")
    with office_of(settings) as office:
        job = office.find(options.job)
        name = f"job-{short(job.request_id)}{'-debug' if options.debug else ''}.zip"
        path = None if options.out == STDOUT else place(options.out, name)
        if path is not None:
            refuse_present(path, "choose another by --out")
        with bundling.bundle(office, job, debug=options.debug) as file:
            if path is None:
                shutil.copyfileobj(file, sys.stdout.buffer)
                return
            try:
                with path.open("xb") as target:
                    shutil.copyfileobj(file, target)
                    size = target.tell()
            except OSError as error:
                raise EnvironmentProblem(f"cannot write {path}: {reason(error)}") from error
    if options.json:
        print_json(Written(request_id=job.request_id, path=str(path), bytes=size))
    else:
        typer.echo(line(str(path), 4096))
