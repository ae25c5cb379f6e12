"""What ``whet project export`` and ``import`` do once their imports are worth their time."""

import shutil
import sys
from pathlib import Path

import typer

from whet.app.app import App, opened
from whet.app.projects import bundle, told
from whet.app.projects.report import export_project as report
from whet.app.projects.shelf import ProjectShelf
from whet.app.settings import Settings
from whet.cli.asset_export_run import STDOUT, place, refuse_present
from whet.cli.asset_output import line, print_json
from whet.cli.options import say
from whet.cli.project_file_options import Export, Form, Import
from whet.cli.project_file_words import FileWords
from whet.cli.project_text import Names
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.documents.files import temporary_folder, write_atomic
from whet.evaluate.project import Project

ENDINGS = {Form.MARKDOWN: "md"}


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


class TakenIn(Value):
    """A project that was taken in."""

    project: told.ProjectItem
    trials: int
    """Records that came along."""

    notes: tuple[str, ...]
    """What was not believed, or is not here, and why."""


def export(settings: Settings, options: Export) -> None:
    """Write the file, and tell where it is."""
    if options.output == STDOUT and options.json:
        raise UsageError("--json and --output - both want stdout; leave one of them out")
    if options.trials and options.format_ is not Form.ZIP:
        raise UsageError("--trials goes with --format zip only")
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        form = options.format_
        name = f"{project.folder.name}.{ENDINGS.get(form, form.value)}"
        path = None if options.output == STDOUT else place(options.output, name)
        if path is not None:
            refuse_present(path, "choose another by --output")
        done = (
            _zipped(app, project, path, options)
            if form is Form.ZIP
            else _reported(app, project, path, options)
        )
    for note in done.notes:
        say(note)
    if options.json:
        print_json(done)
    elif path is not None:
        typer.echo(line(FileWords(settings.language).written.format(**done.model_dump()), 4096))


def take_in(settings: Settings, options: Import) -> None:
    """Take it in, and tell what it is."""
    with opened(settings) as app:
        taken = bundle.import_bundle(app, options.file, renamed=options.renamed)
        item = told.item(app, taken.project)
    if options.json:
        print_json(TakenIn(project=item, trials=taken.trials, notes=taken.notes))
        return
    for note in taken.notes:
        say(note)
    words, names = FileWords(settings.language), Names(settings, options.workspace)
    typer.echo(line(words.taken_in.format(name=item.name, id=item.id, trials=taken.trials), 4096))
    typer.echo(f"  {line(item.path, 4096)}")
    typer.echo(f"  {names.command('show', taken.project)}")


def _zipped(app: App, project: Project, path: Path | None, options: Export) -> Written:
    if path is not None:
        return _told(bundle.export_bundle(app, project, path, trials=options.trials), project)
    with temporary_folder() as temporary:
        out = temporary / "project.zip"
        done = bundle.export_bundle(app, project, out, trials=options.trials)
        with out.open("rb") as source:
            shutil.copyfileobj(source, sys.stdout.buffer)
    return _told(done, project)


def _told(done: bundle.BundledProject, project: Project) -> Written:
    return Written(
        project_id=project.config.id,
        project_name=project.config.name,
        format=Form.ZIP.value,
        path=str(done.file),
        files=done.files,
        trials=done.trials,
        notes=done.notes,
    )


def _reported(app: App, project: Project, path: Path | None, options: Export) -> Written:
    form = options.format_.value
    text = report(app, project.config.id, form, app.settings.language)
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
