"""A fresh copy of a project: the same design, without results."""

from pydantic import ValidationError

from whet.app.app import App
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison, IterationWish
from whet.core.errors import UsageError
from whet.curate.segments import LONGEST_NAME, shown
from whet.evaluate.project import Project

_COPY = " (copy)"


def clone(app: App, project: Project, name: str = "", *, newest: bool = False) -> Project:
    """A new project of the same design, without results; the engine is pinned as it is now.

    The assets are the versions of the old project, if the library still has them, or with
    *newest* the present ones. Raises ``UsageError`` for a design that cannot be made here.
    """
    called = name.strip() or f"{project.config.name[: LONGEST_NAME - len(_COPY)]}{_COPY}"
    try:
        wanted = Comparison.model_validate({"name": called, **_design(project, newest=newest)})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"{shown(project.config.name)} cannot be copied: {field}: {first['msg']}"
        ) from None
    is_ours = app.access.knows_project(project.config.id)
    made = create_project(app, wanted, "file")
    if is_ours:
        app.access.remember_project(made.config.id)
    # Its options are still the stranger's whom the old one came from. What is to be done about
    # long conversations is among them already.
    return made.saved(
        context_config=project.config.context_config, imported=project.config.imported or None
    )


def _design(project: Project, *, newest: bool) -> dict[str, object]:
    config, cli = project.config, project.config.cli_config
    grading, iteration = config.grading_config, config.iteration_config

    def named(identity: str, version: str) -> str:
        return identity if newest else f"{identity}@{version}"

    return {
        "description": config.description,
        "skills": tuple(named(skill.ref_id, skill.version) for skill in config.skills),
        "baselines": tuple(named(one.ref_id, one.version) for one in config.baselines),
        "engine": cli.engine or "claude",
        "model": cli.model,
        "repeats": project.repeats,
        "timeout_seconds": cli.timeout_seconds,
        "retries": cli.retry_count,
        "extra_flags": tuple(cli.extra_flags),
        "options": cli.options or {},
        "judges": tuple(grading.judges) if grading else (),
        "readings": grading.readings if grading else 1,
        "structural_gate": grading is None or grading.structural_gate is not False,
        "iteration": iteration.model_dump(include={*IterationWish.model_fields})
        if iteration
        else None,
    }
