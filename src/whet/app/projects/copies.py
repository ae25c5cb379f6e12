"""Copies of projects: a fresh one of the same design, and one file to take elsewhere."""

from whet.app.app import App
from whet.app.projects.create import Comparison, ContextWish, IterationWish, create_project
from whet.evaluate.project import Project


def clone(app: App, project: Project, name: str = "", *, newest: bool = False) -> Project:
    """A new project of the same design, without results; the engine is pinned as it is now.

    The assets are the versions of the old project, if the library still has them, or with
    *newest* the present ones.
    """
    config, cli = project.config, project.config.cli_config
    grading, iteration = config.grading_config, config.iteration_config

    def named(identity: str, version: str) -> str:
        return identity if newest else f"{identity}@{version}"

    return create_project(
        app,
        Comparison(
            name=name or f"{config.name} (copy)",
            description=config.description,
            skills=tuple(named(skill.ref_id, skill.version) for skill in config.skills),
            baselines=tuple(named(one.ref_id, one.version) for one in config.baselines),
            engine=cli.engine or "claude",
            model=cli.model,
            repeats=project.repeats,
            timeout_seconds=cli.timeout_seconds,
            retries=cli.retry_count,
            extra_flags=tuple(cli.extra_flags),
            options=cli.options or {},
            judges=tuple(grading.judges) if grading else (),
            readings=grading.readings if grading else 1,
            context=ContextWish.model_validate(
                config.context_config.model_dump(include={*ContextWish.model_fields})
            ),
            iteration=IterationWish.model_validate(
                iteration.model_dump(include={*IterationWish.model_fields})
            )
            if iteration
            else None,
        ),
    )
