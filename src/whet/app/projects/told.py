"""Projects as every door shows them."""

from dataclasses import asdict

from pydantic import JsonValue

from whet.app.app import App
from whet.app.runs.service import RunService
from whet.core.errors import NotFound
from whet.core.value import Value
from whet.documents.project import BaselineRef, SkillRef
from whet.documents.result import Summary
from whet.evaluate.project import Project, arm_id, shown_config
from whet.evaluate.project_files import ORIGINAL
from whet.ports.listing import Page

IMPORTED_JUDGE = "imported"


class AssetRef(Value):
    """A version of an asset in a project."""

    id: str
    name: str
    version: str
    arm: str
    """What its results are called by."""


class Tried(Value):
    """How many places came to what."""

    completed: int
    failed: int
    skipped: int
    unscored: int
    """Of the completed: those without a score."""

    unanswered: int
    """Of the failed: those that came to no answer, which the next run tries again."""


class ProjectItem(Value):
    """A project in a list."""

    id: str
    name: str
    description: str
    status: str
    control: str | None
    error: str | None
    """Why it was interrupted, if it was a trouble and not a person."""

    failed: str | None
    """``all`` where every trial of a completed project failed, ``some`` where some have no
    answer."""

    archived: bool
    engine: str
    model: str
    judges: tuple[str, ...]
    repeats: int
    skills: tuple[AssetRef, ...]
    baselines: tuple[AssetRef, ...]
    total_trials: int
    trials: Tried
    progress: dict[str, JsonValue]
    created_at: str
    updated_at: str
    path: str


class ProjectPage(Value):
    """Some of *total* projects, the newest first; pages begin with 1."""

    items: tuple[ProjectItem, ...]
    total: int
    page: int
    page_size: int
    problems: tuple[str, ...]
    """Projects that cannot be read, and why."""


class ProjectDetail(Value):
    """A project, how it is set up, and what came of it."""

    project: ProjectItem
    config: dict[str, JsonValue]
    summary: dict[str, JsonValue] | None
    """None before it was completed once."""

    notes: tuple[str, ...] = ()
    """What was left, not believed or computed anew of results that came in files."""


class TakenIn(Value):
    """A project that came as a file."""

    project: ProjectItem
    trials: int
    """Records that came along."""

    notes: tuple[str, ...]
    """What was not believed, or is not here, and why."""


def item(app: App, project: Project) -> ProjectItem:
    """A project for a list."""
    config, cli = project.config, project.config.cli_config
    progress = config.progress.to_data()
    counts = asdict(app.store.results.counts(config.id))
    return ProjectItem(
        id=config.id,
        name=config.name,
        description=config.description,
        status=config.status,
        control=config.control,
        error=_error(app, config.id),
        failed=config.failed,
        archived=bool(config.archived),
        engine=cli.engine or "claude",
        model=cli.model,
        judges=judges_of(project),
        repeats=project.repeats,
        skills=tuple(map(_ref, config.skills)),
        baselines=tuple(map(_ref, config.baselines)),
        total_trials=config.progress.total_trials or config.progress.total_tasks,
        trials=Tried.model_validate(counts),
        progress=progress if isinstance(progress, dict) else {},
        created_at=config.created_at,
        updated_at=config.updated_at,
        path=str(project.folder),
    )


def page(app: App, found: Page[Project], problems: tuple[str, ...]) -> ProjectPage:
    """A page of projects."""
    return ProjectPage(
        items=tuple(item(app, project) for project in found.items),
        total=found.total,
        page=found.page,
        page_size=found.page_size,
        problems=problems,
    )


def detail(app: App, project: Project) -> ProjectDetail:
    """All that is known of a project but its single results."""
    config = shown_config(project.config).to_data()
    found = summary(project)
    told = found.to_data() if found else None
    from whet.app.takeover.state import taken_over  # a list need not know

    taken = taken_over(app, project.config.id)
    return ProjectDetail(
        project=item(app, project),
        config=config if isinstance(config, dict) else {},
        summary=told if isinstance(told, dict) else None,
        notes=taken.told_notes() if taken else (),
    )


def summary(project: Project) -> Summary | None:
    """What it came to, once it was completed."""
    try:
        return Summary.load(project.folder / "results" / "summary.json")
    except NotFound:
        return None


def judges_of(project: Project) -> tuple[str, ...]:
    """Who judged its results, or will: ``imported`` stands for whoever scored those that came with
    a project from elsewhere. None are named before anybody is chosen."""
    grading, results = project.config.grading_config, project.folder / "results"
    named = tuple(grading.judges) if grading else ()
    if grading is None:
        came = results.is_dir() and any(one.is_dir() for one in results.iterdir())
    else:
        came = project.config.scope == "project" and (results / ORIGINAL).is_dir()
    return (IMPORTED_JUDGE, *named) if came else named


def _ref(reference: SkillRef | BaselineRef) -> AssetRef:
    return AssetRef(
        id=reference.ref_id,
        name=reference.name,
        version=reference.version,
        arm=arm_id(reference.ref_id, reference.version),
    )


def _error(app: App, identity: str) -> str | None:
    run = RunService(app).find(identity, "project")
    return run.error if run else None
