"""``whet project export`` and ``import``: projects out into a file, and in from one."""

import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from whet.app.app import App, opened
from whet.app.projects import bundle, told
from whet.app.projects.report import export_project
from whet.app.projects.shelf import ProjectShelf
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.cli.options import say
from whet.cli.output_files import STDOUT, place, refuse_present
from whet.cli.project_text import Reference, project_command
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.documents.files import temporary_folder, write_atomic
from whet.evaluate.project import Project

ENDINGS = {"markdown": "md"}


class ProjectFileWords(Words):
    """Names in braces are filled in."""

    written = Both("{project_name}: {path}", "{project_name}：{path}")
    taken_in = Both(
        CountedText("taken in: {name}  {id} ({trials:record|records} came along)"),
        "已导入：{name}  {id}（附带 {trials} 条记录）",
    )


class Written(Value):
    """A file that was written."""

    project_id: str
    project_name: str
    format: str
    path: str
    files: int | None = None
    trials: int | None = None
    """In a zip: what is in it."""

    notes: tuple[str, ...] = ()
    """What was left out."""


Form = Annotated[
    Literal["zip", "json", "csv", "markdown", "html"],
    typer.Option("--format", help="All of it as zip, or a report in one of the others."),
]
Output = Annotated[
    str | None,
    typer.Option(
        help="The file, or the folder for it; - is stdout. Default: NAME here.", metavar="PATH"
    ),
]
Trials = Annotated[
    bool,
    typer.Option(
        "--trials", help="With the records, so that they can be replayed and graded elsewhere."
    ),
]
File = Annotated[Path, typer.Argument(help="The zip.", metavar="FILE")]
Renamed = Annotated[
    bool, typer.Option("--renamed", help="With a new id, beside the one that is here already.")
]


@when_stopped("stopped; nothing was written")
def export(
    call: Call,
    reference: Reference,
    form: Form = "zip",
    output: Output = None,
    trials: Trials = False,
) -> None:
    """Write the file, and tell where it is."""
    if output == STDOUT and call.json:
        raise UsageError("--json and --output - both want stdout; leave one of them out")
    if trials and form != "zip":
        raise UsageError("--trials goes with --format zip only")
    with opened(call.settings) as app:
        project = ProjectShelf(app).find(reference)
        name = f"{project.folder.name}.{ENDINGS.get(form, form)}"
        path = None if output == STDOUT else place(output, name)
        if path is not None:
            refuse_present(path, "choose another by --output")
        if form == "zip":
            done = _zipped(app, project, path, trials=trials)
        else:
            done = _reported(app, project, path, form)
    for note in done.notes:
        say(note)
    if call.json:
        print_json(done)
    elif path is not None:
        typer.echo(line(ProjectFileWords(call.language).written.format(**done.model_dump()), 4096))


@when_stopped("stopped; nothing was taken in")
def import_(call: Call, file: File, renamed: Renamed = False) -> None:
    """Take a project in, and tell what it is."""
    with opened(call.settings) as app:
        taken = bundle.import_bundle(app, file, renamed=renamed)
        item = told.item(app, taken.project)
    if call.json:
        print_json(told.TakenIn(project=item, trials=taken.trials, notes=taken.notes))
        return
    for note in taken.notes:
        say(note)
    words = ProjectFileWords(call.language)
    typer.echo(line(words.taken_in.format(name=item.name, id=item.id, trials=taken.trials), 4096))
    typer.echo(f"  {line(item.path, 4096)}")
    typer.echo(f"  {project_command(call, 'show', taken.project)}")


def _zipped(app: App, project: Project, path: Path | None, *, trials: bool) -> Written:
    with temporary_folder() as temporary:
        done = bundle.export_bundle(app, project, path or temporary / "project.zip", trials=trials)
        if path is None:
            with done.file.open("rb") as source:
                shutil.copyfileobj(source, sys.stdout.buffer)
    return Written(
        project_id=project.config.id,
        project_name=project.config.name,
        format="zip",
        path=str(done.file),
        files=done.files,
        trials=done.trials,
        notes=done.notes,
    )


def _reported(app: App, project: Project, path: Path | None, form: str) -> Written:
    text = export_project(app, project.config.id, form, app.settings.language)
    data = text.encode(errors="backslashreplace")
    if path is None:
        sys.stdout.buffer.write(data)
    else:
        write_atomic(path, data, durable=True)
    return Written(
        project_id=project.config.id,
        project_name=project.config.name,
        format=form,
        path=STDOUT if path is None else str(path),
    )
