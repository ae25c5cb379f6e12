"""The demo: a sample project on the simulated engine, made once and found again by name."""

from contextlib import suppress
from pathlib import Path

from whet.app.app import App
from whet.app.sample import install
from whet.core.errors import NotFound
from whet.core.naming import slug
from whet.curate.library import Asset
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.project import ProjectConfig
from whet.evaluate.plan import Pin
from whet.evaluate.project import Project, ProjectRequest, create, projects

NAMES = {"en": "Demo: three Python skills", "zh": "演示：三个 Python 技能"}
REPEATS = 3


def demo_project(app: App, language: str) -> Project:
    """The demo project of the workspace, made with the sample's assets if it is not there."""
    # Two demos that start at once must agree on one project; the database is their lock.
    with app.store.transaction():
        if (project := projects(app.settings.workspace).find(NAMES[language])) is not None:
            return project
        _refuse_broken(app.settings.workspace, language)
        return _create(app, language)


def _refuse_broken(workspace: Path, language: str) -> None:
    """A second demo project beside a broken one would hide that; raises ``InvalidDocument``."""
    name = slug(NAMES[language], language)
    for folder in sorted((workspace / "projects").glob(f"project_{name}_*")):
        with suppress(NotFound):  # the empty folder of a process that died in between
            ProjectConfig.load(folder / "config.json")


def _create(app: App, language: str) -> Project:
    folders = install(app.settings.workspace, language)
    skills = [
        Asset(folder, SkillMeta.load(folder / "meta.json"))
        for folder in folders
        if folder.name.startswith("skill_")
    ]
    baselines = [
        Asset(folder, BaselineMeta.load(folder / "meta.json"))
        for folder in folders
        if folder.name.startswith("baseline_")
    ]
    request = ProjectRequest(
        name=NAMES[language],
        pin=Pin(
            engine="simulated",
            engine_version=app.parts.engine("simulated").version({}),
            model="simulated",
        ),
        repeats=REPEATS,
    )
    return create(app.settings.workspace, request, skills, baselines, app.clock.now())
