"""``whet job artifacts`` and ``whet job bundle``: the files that a job delivered."""

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from whet.app.jobs import bundle as bundling
from whet.app.jobs import told
from whet.app.jobs.office import Office
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call, when_stopped
from whet.cli.job.output import Force, Out, Reference, opened_jobs
from whet.cli.output_files import STDOUT, place, refuse_present
from whet.core.bilingual import Both, Words
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.files import inside
from whet.core.foreign import obj
from whet.core.job import Job
from whet.core.naming import short
from whet.curate.places import is_behind_link
from whet.documents.files import reason, write_atomic

PREFIX = "artifacts/"


class ArtifactWords(Words):
    """What is said of files."""

    columns = Both(("path", "bytes", "role"), ("路径", "字节", "用途"))
    no_files = Both("Job {job} delivered no files.", "作业 {job} 没有交付文件。")
    wrote = Both("files in {path}: {count}", "{path} 中的文件：{count}")


Debug = Annotated[bool, typer.Option("--debug", help="Also how it came about.")]
ZipOut = Annotated[
    str | None,
    typer.Option(
        "--out",
        help="The file, or the folder for it; - is stdout. Default: a new file here.",
        metavar="PATH",
    ),
]


def artifacts(call: Call, job: Reference, out: Out = None, force: Force = False) -> None:
    """List the files of a job, or write them into a folder."""
    words = ArtifactWords(call.language)
    if out is not None:
        check_folder(out, force=force)
    with opened_jobs(call.settings) as office:
        found = office.find(job)
        told.result(found)  # before its end there are none
        files = {} if out is None else deliver(office, found, out)
    delivered = found.result.artifacts if found.result else ()
    if call.json:
        listed = obj(told.artifacts(found).to_data())
        print_json({**listed, **({"files": {**files}} if files else {})})
    elif out is not None:
        typer.echo(words.wrote.format(count=len(files), path=out))
    elif not delivered:
        typer.echo(words.no_files.format(job=short(found.request_id)))
    else:
        table = plain_table(words.columns, words.columns[1:])
        for each in delivered:
            size = Text(f"{each.size:,}", justify="right")
            table.add_row(cell(each.path, 1000), size, cell(each.role or "–", 60))
        Console(highlight=False).print(table)


@when_stopped("stopped; nothing was written")
def bundle(call: Call, job: Reference, debug: Debug = False, out: ZipOut = None) -> None:
    """Write the zip, and tell where it is."""
    if out == STDOUT and call.json:
        raise UsageError("--json and --out - both want stdout; leave one of them out")
    with opened_jobs(call.settings) as office:
        found = office.find(job)
        name = f"job-{short(found.request_id)}{'-debug' if debug else ''}.zip"
        path = None if out == STDOUT else place(out, name)
        if path is not None:
            refuse_present(path, "choose another by --out")
        with bundling.bundle(office, found, debug=debug) as file:
            if path is None:
                shutil.copyfileobj(file, sys.stdout.buffer)
                return
            try:
                with path.open("xb") as target:
                    shutil.copyfileobj(file, target)
                    size = target.tell()
            except OSError as error:
                raise EnvironmentProblem(f"cannot write {path}: {reason(error)}") from error
    if call.json:
        print_json({"request_id": found.request_id, "path": str(path), "bytes": size})
    else:
        typer.echo(line(str(path), 4096))


def check_folder(folder: Path, *, force: bool) -> None:
    """Raise ``UsageError`` unless files can be put there: their names are the agent's choice, so
    none of those that are there is replaced unless somebody says so."""
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"--out {folder}: is no folder")
        if folder.is_dir() and not force and any(folder.iterdir()):
            raise UsageError(f"--out {folder}: is not empty; choose another, or use --force")
    except OSError as error:
        raise EnvironmentProblem(f"cannot use {folder}: {reason(error)}") from error


def make_folder(folder: Path) -> None:
    """Make it before the work is done: whoever cannot write there hears of it in time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"cannot use {folder}: {reason(error)}") from error


def deliver(office: Office, job: Job, folder: Path) -> dict[str, str]:
    """Write the files of a job below *folder*, without the ``artifacts/`` of their paths; where
    each of them is. Links are not written through."""
    found: dict[str, str] = {}
    make_folder(folder)
    try:
        top = folder.absolute()
        for artifact in job.result.artifacts if job.result else ():
            path = top / inside(artifact.path.removeprefix(PREFIX))
            if is_behind_link(path.parent, top):
                raise UsageError(f"{path.parent} is behind a link, which is not followed")
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, office.app.store.blobs.get(artifact.digest), durable=False)
            found[artifact.path] = str(path)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write into {folder}: {reason(error)}") from error
    return found
