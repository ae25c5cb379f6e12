"""``whet project create``, ``clone``, ``rename``, ``archive``, ``restore`` and ``adopt``."""

from typing import Annotated

import typer

from whet.app.app import App, opened
from whet.app.experiments import Experiments
from whet.app.projects import copies, told
from whet.app.projects.create import create_project
from whet.app.projects.estimate import estimate
from whet.app.projects.requests import Clone, Comparison, ContextWish, IterationWish
from whet.app.projects.shelf import ProjectShelf
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.cli.options import named_values, say, usable_values
from whet.cli.project_run import carry_out
from whet.cli.project_text import Reference, Yes, project_command
from whet.cli.request_options import Spelling
from whet.cli.spending import confirm, confirm_cost
from whet.core.access import MOST_SHOWN, describe, widening
from whet.core.bilingual import Both, Words
from whet.core.errors import ConsentNeeded
from whet.core.naming import short
from whet.curate.segments import shown
from whet.evaluate.project import Project
from whet.evaluate.project import options as engine_options


class ProjectEditWords(Words):
    """Names in braces are filled in."""

    archived = Both("archived", "已归档")
    design = Both(
        "skills: {skills}, baselines: {baselines}, repeats: {repeats}, trials: {trials}; "
        "{engine}, judged by {judges}",
        "技能 {skills} 个，基线 {baselines} 个，重复 {repeats} 次，共 {trials} 次试验；"
        "{engine}，评审 {judges}",
    )
    checks_alone = Both("checks alone", "无（只按检查）")
    run_it = Both("  run it: {command}", "  运行：{command}")
    adopting = Both(
        "{name} starts {engine} in sandbox {sandbox}, with {options}",
        "{name} 在沙箱 {sandbox} 中启动 {engine}，附带 {options}",
    )
    nothing_more = Both("no more access than any agent has", "与其他智能体相同的权限")


Design = Annotated[
    Comparison,
    Spelling(
        {
            "skills": "--skill",
            "baselines": "--baseline",
            "timeout_seconds": "--timeout",
            "extra_flags": "--flag",
            "options": "--option",
            "judges": "--judge",
            "structural_gate": "--structural-gate/--no-structural-gate",
        },
        arguments={"name": "NAME"},
        help={
            "skills": "A skill by id or name, @v2 for a version; may be repeated.",
            "baselines": "A baseline by id or name, @v2 for a version; may be repeated.",
            "extra_flags": "A flag for the agent's program, as --flag=--x; may be repeated.",
            "options": "An option of the engine, VALUE as JSON; may be repeated.",
            "judges": "simulated, a model, or engine:model; repeat for a panel.",
        },
        without=("context", "iteration"),
    ),
]
Context = Annotated[
    ContextWish, Spelling({"auto_compress": "--compress", "auto_export": "--export"})
]
Iteration = Annotated[
    list[str] | None,
    typer.Option(
        help="A default of a later search for better skills, NAME=VALUE; may be repeated.",
        metavar="NAME=VALUE",
    ),
]
Start = Annotated[bool, typer.Option("--run", help="Run it at once.")]


def create(
    call: Call,
    design: Design,
    context: Context,
    iteration: Iteration = None,
    run: Start = False,
    yes: Yes = False,
) -> None:
    """Make a project, and run it at once if that is wanted."""
    with usable_values():
        search = IterationWish.model_validate(named_values(iteration)) if iteration else None
    design = design.model_copy(update={"context": context, "iteration": search})
    with opened(call.settings) as app:
        _print_made(call, app, create_project(app, design), run=run, yes=yes)


def clone(
    call: Call, reference: Reference, request: Clone, run: Start = False, yes: Yes = False
) -> None:
    """Make another project of the same design."""
    with opened(call.settings) as app:
        old = ProjectShelf(app).find(reference)
        made = copies.clone(app, old, request.name, newest=request.newest)
        _print_made(call, app, made, run=run, yes=yes)


def rename(
    call: Call,
    reference: Reference,
    name: Annotated[str, typer.Argument(help="The new name.", metavar="NAME")],
) -> None:
    """Call a project otherwise."""
    with opened(call.settings) as app:
        _print(call, app, ProjectShelf(app).rename(reference, name))


def archive(call: Call, reference: Reference) -> None:
    """Put a project out of the way."""
    with opened(call.settings) as app:
        _print(call, app, ProjectShelf(app).archive(reference, archived=True))


def restore(call: Call, reference: Reference) -> None:
    """Take an archived project back."""
    with opened(call.settings) as app:
        _print(call, app, ProjectShelf(app).archive(reference, archived=False))


@when_stopped("stopped; nothing was changed")
def adopt(call: Call, reference: Reference, yes: Yes = False) -> None:
    """Say what a project starts and may reach, and keep that the user agrees to it."""
    words = ProjectEditWords(call.language)
    with opened(call.settings) as app:
        project = ProjectShelf(app).find(reference)
        cli = project.config.cli_config
        engine = app.parts.engine(cli.engine or "claude")
        wide = widening(engine_options(cli))
        access = describe(wide) if wide else words.nothing_more
        name = shown(project.config.name)
        if len(access) > MOST_SHOWN:
            raise ConsentNeeded(f"{name} gives {engine.name} too much to be read and agreed to")
        question = words.adopting.format(
            name=name, engine=engine.name, sandbox=app.sandbox(engine), options=access
        )
        confirm(question, yes=yes, hint="")
        if wide:
            app.access.give(engine.name, wide)
        app.access.remember_project(project.config.id)
        _print(call, app, project)


def _print_made(call: Call, app: App, project: Project, *, run: bool, yes: bool) -> None:
    words = ProjectEditWords(call.language)
    if run:
        # Whatever happens next, it is there now: whoever goes on needs its name.
        say(_title(project, words))
        confirm_cost(estimate(app, project), yes=yes)
        carry_out(call, Experiments(app), project)
        return
    _print(call, app, project)
    if not call.json:
        typer.echo(words.run_it.format(command=project_command(call, "run", project)))


def _print(call: Call, app: App, project: Project) -> None:
    item, words = told.item(app, project), ProjectEditWords(call.language)
    if call.json:
        print_json(item)
        return
    design = words.design.format(
        skills=len(item.skills),
        baselines=len(item.baselines),
        repeats=item.repeats,
        trials=item.total_trials,
        engine=line(f"{item.engine}:{item.model}"),
        judges=line(", ".join(item.judges)) or words.checks_alone,
    )
    typer.echo(f"{_title(project, words)}\n  {design}\n  {line(item.path, 4096)}")


def _title(project: Project, words: ProjectEditWords) -> str:
    config = project.config
    mark = f"  ({words.archived})" if config.archived else ""
    return f"{line(config.name, 200)}  {line(short(config.id))}{mark}"
