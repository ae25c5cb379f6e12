"""Results of projects as every door shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from pydantic import JsonValue

from whet.app.app import App
from whet.app.projects import results
from whet.app.projects.results import PlacedResult
from whet.core.asset_query import LARGEST_PAGE
from whet.core.check import CheckResult
from whet.core.errors import NotFound, UsageError
from whet.core.grade import DimensionScore
from whet.core.value import Value
from whet.curate.segments import shown
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.case_result import rounded_rate
from whet.evaluate.case_score import DIGITS
from whet.evaluate.project import Project
from whet.ports.results import ResultQuery


class ResultItem(Value):
    """A result in a list."""

    arm: str
    skill_id: str
    skill_name: str
    skill_version: str
    set: str
    baseline_id: str
    baseline_name: str
    baseline_version: str
    case: str
    case_name: str
    category: str
    attempt: int
    status: str
    grade_status: str | None
    score: float | None
    """Of 100."""

    check_pass_rate: float | None
    """The share of the checks that passed, 0 to 1; None where nothing was checked."""

    gate_passed: bool | None
    """False where a critical check failed; None where nothing was checked."""

    generation: int | None
    """0 if it was imported; None where there is no answer."""

    duration_ms: float
    cost_usd: float | None
    error: str | None


class ResultPage(Value):
    """Some of *total* results, in the order of the plan; pages begin with 1."""

    items: tuple[ResultItem, ...]
    total: int
    page: int
    page_size: int


class ResultDetail(Value):
    """One result with all that is known of it."""

    item: ResultItem
    attempts: int
    """How many there are of the same case with the same skill."""

    result: dict[str, JsonValue]
    """As its file has it: the input, the answer, the scores and the reasons for them."""

    dimensions: dict[str, DimensionScore]
    checks: tuple[CheckResult, ...]


def page(app: App, project: Project, query: ResultQuery) -> ResultPage:
    """A page of results."""
    found = results.page(app, project, query)
    return ResultPage(
        items=tuple(map(_item, found.items)),
        total=found.total,
        page=found.page,
        page_size=found.page_size,
    )


def detail(app: App, project: Project, query: ResultQuery, attempt: int = 1) -> ResultDetail:
    """One result. The *query* names a skill and a case, and the baseline where several have it;
    raises ``NotFound``, and ``UsageError`` where several fit."""
    found = _attempts([*_every(app, project, query)], project, query)
    if attempt not in found:
        known = ", ".join(map(str, sorted(found)))
        raise NotFound(f"no attempt {attempt} at case {shown(query.case or '')}; there is {known}")
    row = found[attempt].result
    grade = app.store.ledger.grades([row.grade]).get(row.grade) if row.grade else None
    document = results.one(app, project, row.arm, row.case, attempt, row.set).to_data()
    return ResultDetail(
        item=_item(found[attempt]),
        attempts=len(found),
        result=document if isinstance(document, dict) else {},
        dimensions=grade.dimensions if grade else {},
        checks=grade.checks if grade else (),
    )


def _every(app: App, project: Project, query: ResultQuery) -> Iterator[PlacedResult]:
    for number in count(1):
        found = results.page(app, project, replace(query, page=number, page_size=LARGEST_PAGE))
        yield from found.items
        if number * LARGEST_PAGE >= found.total:
            return


def _attempts(
    found: Sequence[PlacedResult], project: Project, query: ResultQuery
) -> dict[int, PlacedResult]:
    case = shown(query.case or "")
    if not found:
        raise NotFound(f"{shown(project.config.name)} has no result of that skill on case {case}")
    sets = sorted({one.result.set for one in found})
    if len(sets) > 1:
        raise UsageError(f"several baselines have case {case}; say which: {', '.join(sets)}")
    return {one.result.attempt: one for one in found}


def _item(placed: PlacedResult) -> ResultItem:
    row, skill, baseline = placed.result, placed.skill, placed.baseline
    scored = placed.scored
    return ResultItem(
        arm=row.arm,
        skill_id=skill.ref_id if skill else "",
        skill_name=skill.name if skill else "",
        skill_version=skill.version if skill else "",
        set=row.set,
        baseline_id=baseline.ref_id if baseline else "",
        baseline_name=baseline.name if baseline else "",
        baseline_version=baseline.version if baseline else "",
        case=row.case,
        case_name=placed.case_name,
        category=placed.category,
        attempt=row.attempt,
        status=row.status,
        grade_status=row.grade_status,
        score=None if scored.score is None else round(scored.score * PERCENT, DIGITS),
        check_pass_rate=rounded_rate(scored.check_pass_rate),
        gate_passed=scored.gate_passed,
        generation=row.generation,
        duration_ms=row.duration_ms,
        cost_usd=row.cost_usd,
        error=row.error,
    )
