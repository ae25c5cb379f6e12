"""Which project a request is about."""

from typing import Annotated

from fastapi import Depends, Path

from whet.app.projects.shelf import ProjectShelf
from whet.app.takeover.takeover import take_over
from whet.evaluate.project import Project
from whet.server.desk import AtDesk

Reference = Annotated[
    str,
    Path(
        description="An id, a unique beginning of one (4 characters), a name without /, or the "
        "name of the folder."
    ),
]


def _known(reference: Reference, desk: AtDesk) -> Project:
    return ProjectShelf(desk.app).find(reference)


Known = Annotated[Project, Depends(_known)]
"""The project that is named."""


def _present(project: Known, desk: AtDesk) -> Project:
    if take_over(desk.app, project) is None:
        return project
    return ProjectShelf(desk.app).find(project.config.id)


Present = Annotated[Project, Depends(_present)]
"""The same, once results that lie in files only are in the store."""
