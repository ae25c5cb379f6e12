"""References to a skill in a project, as a person writes them."""

from collections.abc import Iterator
from dataclasses import dataclass

from whet.app.app import App
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.wanted import asset_in
from whet.core.errors import NotFound, UsageError
from whet.curate.segments import shown
from whet.documents.project import SkillRef
from whet.evaluate.project import Project, projects

MOST_NAMED = 10


@dataclass(frozen=True)
class SkillInProject:
    """One side of a comparison."""

    project: Project
    skill: SkillRef

    @property
    def name(self) -> str:
        """For people."""
        return title(self.skill)


@dataclass(frozen=True)
class _Wish:
    """A reference that is half understood: a project, a skill, or both."""

    text: str
    project: Project | None = None
    skill: SkillRef | None = None


def two_sides(app: App, left: str, right: str) -> tuple[SkillInProject, SkillInProject]:
    """The two that are meant. Each reference is one of

    - ``PROJECT:SKILL``: a skill in a project
    - ``PROJECT``: the only skill of a project
    - ``SKILL``: a skill in the newest project that has it, of both sides if there is such a one

    A project is named by id, its unique beginning, its name or that of its folder. A skill is
    named by id, its unique beginning (four characters or more) or name, with ``@v2`` for another
    version than the newest that the project has. Raises ``NotFound`` and ``UsageError`` with what
    there is to choose from.
    """
    first, second = _read(app, left), _read(app, right)
    ours = _settled(app, first, second)
    theirs = _settled(app, second, first)
    if ours == theirs:
        raise UsageError(f"both sides are {ours.name} of {ours.project.config.name!r}; name two")
    return ours, theirs


def title(skill: SkillRef) -> str:
    """A skill for people."""
    return f"{skill.name or skill.ref_id} {skill.version}"


def _read(app: App, reference: str) -> _Wish:
    shelf = ProjectShelf(app)
    if project := _project(shelf, reference):
        return _Wish(reference, project, _only(project))
    # Names may have colons in them: the longest name of a project goes first.
    at = [place for place, character in enumerate(reference) if character == ":"]
    unfit: NotFound | None = None
    for place in reversed(at):
        if (project := _project(shelf, reference[:place])) is None:
            continue
        try:
            return _Wish(
                reference, project, asset_in(project.config.skills, reference[place + 1 :])
            )
        except NotFound as error:
            unfit = unfit or error
    if unfit:
        raise unfit
    return _Wish(reference)


def _settled(app: App, wish: _Wish, other: _Wish) -> SkillInProject:
    """A whole reference from a half one; a project that both have goes first."""
    if wish.project and wish.skill:
        return SkillInProject(wish.project, wish.skill)
    if other.project and (skill := skill_in(other.project, wish.text)):
        return SkillInProject(other.project, skill)
    found = list(_having(app, wish.text))
    if not found:
        raise NotFound(f"no project, and no skill in any project, is called {shown(wish.text)}")
    both = [one for one in found if other.project is None and skill_in(one.project, other.text)]
    return (both or found)[0]


def _having(app: App, reference: str) -> Iterator[SkillInProject]:
    """The projects that have such a skill, the newest first; those that were never run last."""
    every = projects(app.settings.workspace).found
    ordered = sorted(
        every,
        key=lambda project: (_was_run(project), project.config.created_at, project.folder.name),
        reverse=True,
    )
    for project in ordered:
        if skill := skill_in(project, reference):
            yield SkillInProject(project, skill)


def _was_run(project: Project) -> bool:
    progress = project.config.progress
    return bool(progress.completed_tasks or progress.failed_tasks)


def skill_in(project: Project, reference: str) -> SkillRef | None:
    """The skill of a project that is meant, None if there is none."""
    try:
        return asset_in(project.config.skills, reference)
    except NotFound:
        return None


def _project(shelf: ProjectShelf, reference: str) -> Project | None:
    try:
        return shelf.find(reference) if reference else None
    except NotFound:
        return None


def _only(project: Project) -> SkillRef:
    if len(project.config.skills) == 1:
        return project.config.skills[0]
    raise UsageError(
        f"project {shown(project.config.name)} has {len(project.config.skills)} skills; "
        f"say which after a colon: {', '.join(map(title, project.config.skills[:MOST_NAMED]))}"
    )
