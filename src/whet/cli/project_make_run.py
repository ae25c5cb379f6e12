"""What ``whet project create`` and the like do once their imports are worth their time."""

import typer

from whet.app.app import App, opened
from whet.app.experiments import Experiments
from whet.app.projects import told
from whet.app.projects.copies import clone
from whet.app.projects.create import create_project
from whet.app.projects.estimate import estimate
from whet.app.projects.shelf import ProjectShelf
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.options import say
from whet.cli.project_make_options import Adopt, Clone, Create, Plain, Rename
from whet.cli.project_make_words import MakeWords
from whet.cli.project_text import Names
from whet.cli.project_work_run import agree, carry_out
from whet.cli.spending import confirm
from whet.core.access import MOST_SHOWN, describe, widening
from whet.core.errors import ConsentNeeded
from whet.core.naming import short
from whet.curate.segments import shown
from whet.evaluate.project import Project
from whet.evaluate.project import options as engine_options


def create(settings: Settings, options: Create) -> None:
    """Make a project, and run it at once if that is wanted."""
    with opened(settings) as app:
        _made(app, create_project(app, options.comparison()), options)


def copy(settings: Settings, options: Clone) -> None:
    """Make another project of the same design."""
    with opened(settings) as app:
        old = ProjectShelf(app).find(options.project)
        _made(app, clone(app, old, options.name, newest=options.newest), options)


def rename(settings: Settings, options: Rename) -> None:
    """Call it otherwise."""
    with opened(settings) as app:
        _changed(app, ProjectShelf(app).rename(options.project, options.name), options)


def adopt(settings: Settings, options: Adopt) -> None:
    """Say what a project starts and may reach, and keep that the user agrees to it."""
    words = MakeWords(settings.language)
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        cli = project.config.cli_config
        engine = app.parts.engine(cli.engine or "claude")
        wide = widening(engine_options(cli))
        told = describe(wide) if wide else words.nothing_more
        name = shown(project.config.name)
        if len(told) > MOST_SHOWN:
            raise ConsentNeeded(f"{name} gives {engine.name} too much to be read and agreed to")
        question = words.adopting.format(
            name=name, engine=engine.name, sandbox=app.sandbox(engine), options=told
        )
        confirm(question, yes=options.yes, hint="")
        if wide:
            app.access.give(engine.name, wide)
        app.access.remember_project(project.config.id)
        _changed(app, project, options)


def archive(settings: Settings, options: Plain, *, archived: bool) -> None:
    """Put it out of the way, or take it back."""
    with opened(settings) as app:
        project = ProjectShelf(app).archive(options.project, archived=archived)
        _changed(app, project, options)


def _made(app: App, project: Project, options: Create | Clone) -> None:
    words, names = MakeWords(app.settings.language), Names(app.settings, options.workspace)
    if options.run:
        # Whatever happens next, it is there now: whoever goes on needs its name.
        say(_title(project, words))
        agree(estimate(app, project), yes=options.yes)
        carry_out(Experiments(app), project, names, machine=options.json)
    elif options.json:
        print_json(told.item(app, project))
    else:
        _print(app, project, words)
        typer.echo(words.run_it.format(command=names.command("run", project)))


def _changed(app: App, project: Project, options: Rename | Plain | Adopt) -> None:
    if options.json:
        print_json(told.item(app, project))
    else:
        _print(app, project, MakeWords(app.settings.language))


def _print(app: App, project: Project, words: MakeWords) -> None:
    item = told.item(app, project)
    typer.echo(_title(project, words))
    typer.echo(
        "  "
        + words.design.format(
            skills=len(item.skills),
            baselines=len(item.baselines),
            repeats=item.repeats,
            trials=item.total_trials,
            engine=line(f"{item.engine}:{item.model}"),
            judges=line(", ".join(item.judges)) or words.checks_alone,
        )
    )
    typer.echo(f"  {line(item.path, 4096)}")


def _title(project: Project, words: MakeWords) -> str:
    config = project.config
    mark = f"  ({words.archived})" if config.archived else ""
    return f"{line(config.name, 200)}  {line(short(config.id))}{mark}"
