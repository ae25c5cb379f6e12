"""The projects of a workspace: find them, list them, keep them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from whet.app.app import App
from whet.app.projects.requests import ProjectListing
from whet.app.runs.service import RunService
from whet.core.errors import NotFound, UsageError, WrongStatus
from whet.core.instant import iso_seconds
from whet.curate.segments import asset_name, shown
from whet.evaluate.project import Project, projects
from whet.ports.listing import Page

SHORTEST = 4
"""Characters of an id that may stand for all of it."""


@dataclass(frozen=True)
class ProjectShelf:
    """Projects by id, its unique beginning, their name or that of their folder."""

    app: App

    def find(self, reference: str) -> Project:
        """The project that is meant; of several with one name the newest. Raises ``NotFound``,
        and ``UsageError`` where the beginning of an id fits several."""
        found = projects(self.app.settings.workspace)
        if (named := found.find(reference)) is not None:
            return self._seen(named)
        fitting = [
            project
            for project in found.found
            if project.folder.name == reference
            or (len(reference) >= SHORTEST and project.config.id.startswith(reference))
        ]
        if len(fitting) > 1:
            ids = ", ".join(project.config.id for project in fitting)
            raise UsageError(f"several projects fit {shown(reference)}: {ids}")
        if not fitting:
            broken = f"; not readable: {found.problems[0]}" if found.problems else ""
            raise NotFound(f"no project {shown(reference)}{broken}")
        return self._seen(fitting[0])

    def page(self, query: ProjectListing) -> Page[Project]:
        """One page, the newest first."""
        fitting = [project for project in self._every() if _fits(project, query)]
        fitting.sort(key=lambda project: (project.config.created_at, project.folder.name))
        fitting.reverse()
        start = (query.page - 1) * query.page_size
        items = tuple(fitting[start : start + query.page_size])
        return Page(items, len(fitting), query.page, query.page_size)

    def problems(self) -> tuple[str, ...]:
        """Projects that cannot be read, and why."""
        return projects(self.app.settings.workspace).problems

    def rename(self, reference: str, name: str) -> Project:
        """Call it otherwise; its folder keeps its name."""
        return self._changed(reference, name=asset_name(name))

    def describe(self, reference: str, description: str) -> Project:
        """Say what it is about."""
        return self._changed(reference, description=description)

    def archive(self, reference: str, *, archived: bool) -> Project:
        """Put it out of the way, or take it back; nothing is deleted."""
        if archived and self.find(reference).config.status == "running":
            message = f"{shown(reference)} is running; stop it first"
            raise WrongStatus(message, "completed, interrupted or pending", "running")
        return self._changed(reference, archived=archived or None)

    def _changed(self, reference: str, **change: object) -> Project:
        project = self.find(reference)
        return project.saved(**change, updated_at=iso_seconds(self.app.clock.now()))

    def _every(self) -> Iterator[Project]:
        yield from map(self._seen, projects(self.app.settings.workspace).found)

    def _seen(self, project: Project) -> Project:
        """A running project whose process is gone is an interrupted one. Its file stays as it is:
        to look changes nothing."""
        config = project.config
        if config.status != "running":
            return project
        run = RunService(self.app).find(config.id, "project")
        # One without a run is somebody else's, who may be at it.
        status = "interrupted" if run is None else run.status
        return replace(project, config=config.model_copy(update={"status": status}))


def _fits(project: Project, query: ProjectListing) -> bool:
    config = project.config
    return (
        query.status in (None, config.status)
        and query.keyword.casefold() in config.name.casefold()
        and query.archived in ("all", bool(config.archived))
    )
