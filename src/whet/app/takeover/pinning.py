"""What a project of the original program leaves open, fixed when it is first continued."""

from whet.app.app import App
from whet.app.judging import Seats, chosen, name_of, needs_judge
from whet.app.parts import every_checker
from whet.app.takeover.records import ENGINE
from whet.documents.project import GradingConfig
from whet.evaluate.plan import Pin
from whet.evaluate.project import Project, design, options


def pinned(app: App, project: Project) -> Project:
    """The project with the version of its engine as it is installed now, a sandbox and judges,
    written into its configuration; raises ``EnvironmentProblem`` where the engine is not here."""
    cli = project.config.cli_config
    engine = app.parts.engine(cli.engine or ENGINE)
    given = options(cli)
    pin = Pin(
        engine=engine.name,
        engine_version=engine.version(given),
        model=cli.model,
        options=given,
        sandbox=app.sandbox(engine),
    )
    change = {name: getattr(pin, name) for name in ("engine", "engine_version", "sandbox")}
    with app.store.transaction():
        plan = design(project, app.store.blobs, every_checker(app.parts))
    judges = chosen(app, Seats(), [pin]) if needs_judge(plan.cases) else ()
    grading = project.config.grading_config or GradingConfig(judges=tuple(map(name_of, judges)))
    return project.saved(
        cli_config=cli.model_copy(update=change), grading_config=grading, scope="project"
    )
