"""Results of a project as people name them, and the wish to try some of them again."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TypeVar

from whet.app.app import App
from whet.app.eval_estimate import Estimate
from whet.app.experiments import Experiments
from whet.app.projects.estimate import estimate
from whet.app.projects.requests import ResultListing, RetryWish
from whet.core.errors import NotFound, UsageError
from whet.curate.library import SHORTEST_PREFIX
from whet.curate.segments import shown
from whet.documents.project import BaselineRef, SkillRef
from whet.evaluate.project import Project, arm_id
from whet.ports.results import ResultQuery
from whet.ports.store import Store

Ref = TypeVar("Ref", SkillRef, BaselineRef)
MOST_NAMED = 10


def of_project(
    project: Project,
    skill: str | None = None,
    baseline: str | None = None,
    case: str | None = None,
) -> ResultQuery:
    """The query for results of a skill and a baseline by id, its beginning, name or short id with
    version; raises ``NotFound`` for what is not in the project."""
    return ResultQuery(
        project.config.id,
        arm=_place(project.config.skills, skill),
        set=_place(project.config.baselines, baseline),
        case=case,
    )


def listing_query(project: Project, wanted: ResultListing) -> ResultQuery:
    """The query for a page of results; raises as ``of_project`` does."""
    return replace(
        of_project(project, wanted.skill, wanted.baseline, wanted.case),
        status=wanted.status,
        grade_status=wanted.grade_status,
        page=wanted.page,
        page_size=wanted.page_size,
    )


def retry(app: App, project: Project, wish: RetryWish) -> int:
    """Want other answers; the next run gets them. Returns how many; raises ``NotFound`` where
    nothing fits, and ``UsageError`` for a wish that names nothing."""
    found = Experiments(app).retry([*_queries(project, wish)])
    if not found:
        raise NotFound(f"no result of {shown(project.config.name)} fits; nothing to try again")
    return found


def expected(app: App, project: Project, wish: RetryWish) -> Estimate:
    """What a run would take with that wish; nothing is marked."""
    with _undone(app.store):
        retry(app, project, wish)
        return estimate(app, project)


class _Undo(Exception):
    """Ends a transaction that was only made to look."""


@contextmanager
def _undone(store: Store) -> Generator[None]:
    """What happens in the block has not happened afterwards."""
    with suppress(_Undo), store.transaction():
        yield
        raise _Undo


def _queries(project: Project, wish: RetryWish) -> Iterator[ResultQuery]:
    if wish == RetryWish():
        raise UsageError("say what to try again: a skill, a baseline, a case, failed or unscored")
    query = of_project(project, wish.skill, wish.baseline, wish.case)
    if wish.failed:
        yield replace(query, status="failed")
    if wish.unscored:
        yield replace(query, grade_status="unscored")
    if not wish.failed and not wish.unscored:
        yield query


def asset_in(references: Sequence[Ref], wanted: str) -> Ref:
    """The asset of a project that is meant: by id, its beginning, name, or short id with version;
    the newest version there unless ``@v2`` is added. Raises ``NotFound``, and ``UsageError`` where
    several fit."""
    for name, version in ((wanted, ""), wanted.rpartition("@")[::2]):
        fitting = [
            one for one in references if _fits(one, name) and version in ("", one.version) and name
        ]
        if len({one.ref_id for one in fitting}) > 1:
            ids = ", ".join(dict.fromkeys(one.ref_id for one in fitting))
            raise UsageError(f"several fit {shown(name)}; use an id: {ids}")
        if fitting:
            return max(fitting, key=lambda one: (len(one.version), one.version))
    named = [f"{one.name or one.ref_id}@{one.version}" for one in references]
    more = ", …" if len(named) > MOST_NAMED else ""
    known = ", ".join(named[:MOST_NAMED])
    raise NotFound(f"the project has no {shown(wanted)}; it has {known}{more}")


def _fits(one: SkillRef | BaselineRef, name: str) -> bool:
    is_long = len(name) >= SHORTEST_PREFIX
    return name in (one.ref_id, one.name, arm_id(one.ref_id, one.version)) or (
        is_long and one.ref_id.startswith(name)
    )


def _place(references: Sequence[Ref], wanted: str | None) -> str | None:
    if wanted is None:
        return None
    found = asset_in(references, wanted)
    return arm_id(found.ref_id, found.version)
