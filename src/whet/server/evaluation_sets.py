"""``/v1/evaluation/case-sets`` and what they touch."""

from fastapi import APIRouter, Response

from whet.app.capability.runs import Evaluations
from whet.app.capability.sets import DEFAULT, case_sets, parts
from whet.app.parts import every_checker
from whet.core.errors import NotFound
from whet.curate.segments import shown
from whet.documents.capability import CaseSetList
from whet.documents.capability_report import CaseCoverage, CaseLint
from whet.evaluate.capability.lint import lint
from whet.server.desk import AtDesk
from whet.server.evaluation import of, told

router = APIRouter(prefix="/v1/evaluation", tags=["evaluation"])


@router.get("/case-sets", responses=of(CaseSetList), response_model=None)
def every(desk: AtDesk) -> Response:
    """List the sets of cases, also what is wrong with those that cannot be read."""
    found = case_sets(desk.app.settings.workspace)
    return told(CaseSetList(case_sets=tuple(one.summary() for one in found)))


@router.get("/case-sets/{name}/lint", responses=of(CaseLint), response_model=None)
def look_at(name: str, desk: AtDesk) -> Response:
    """Find what is wrong with a set: mistakes that keep it from being run, answers that a prompt
    gives away, cases that anybody passes."""
    found = parts(desk.app.settings.workspace, name)
    if not found:
        raise NotFound(f"no case set {shown(name)}")
    return told(lint(found, every_checker(desk.app.parts)))


@router.get("/coverage", responses=of(CaseCoverage), response_model=None)
def coverage(desk: AtDesk, case_set: str = DEFAULT, language: str | None = None) -> Response:
    """Tell which tools, dimensions, languages, tags and checkers a set touches."""
    return told(Evaluations(desk.app).coverage(case_set, language))
