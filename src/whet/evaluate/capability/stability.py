"""Several runs of the same cases: which of them come to the same every time."""

from collections.abc import Iterable, Sequence

from whet.documents.base import Number
from whet.documents.capability import DIMENSIONS, Dimension, EvaluationDetail, EvaluationItem
from whet.documents.capability_comparison import RunComparison
from whet.documents.capability_stability import (
    Agreement,
    DimensionAgreement,
    ScoreRange,
    Stability,
    UnstableCase,
)
from whet.evaluate.capability.compare import compare
from whet.stats.describe import mean

Case = Sequence[EvaluationItem]
"""The items of one case, one of each run."""


def stability(details: Sequence[EvaluationDetail]) -> Stability:
    """Hold runs against each other; raises ``UsageError`` for fewer than two."""
    compared = compare(details)
    alike = _alike(compared)
    by_run = [{item.case_id: item for item in detail.items} for detail in details]
    every = dict.fromkeys(item.case_id for detail in details for item in detail.items)
    cases = [[items[case] for items in by_run] for case in every if case in alike]
    unstable = tuple(_unstable(case) for case in cases if not _has_one_score(case))
    found = [_dimension(name, cases, compared) for name in DIMENSIONS]
    totals = [run.total_score for run in compared.runs]
    return Stability(
        runs=compared.runs,
        stable=bool(cases) and not unstable,
        total=Agreement.model_validate(_agreement(cases, totals)),
        dimensions=tuple(one for one in found if one.cases),
        unstable=unstable,
        left_out=tuple(case for case in every if case not in alike),
        warnings=tuple(
            dict.fromkeys(one for each in compared.differences for one in each.warnings)
        ),
    )


def _alike(compared: RunComparison) -> set[str]:
    """The cases that every run measured, and that asked for the same."""
    found: list[set[str]] = []
    for difference in compared.differences:
        cases = difference.cases
        found.append({one.case_id for one in cases if one.change.startswith(("newly", "still"))})
    return set[str].intersection(*found)


def _dimension(
    name: Dimension, cases: Iterable[Case], compared: RunComparison
) -> DimensionAgreement:
    mine = [case for case in cases if case[0].dimension == name]
    scores = [run.dimension_scores.get(name) for run in compared.runs]
    return DimensionAgreement.model_validate({**_agreement(mine, scores), "dimension": name})


def _agreement(cases: Sequence[Case], scores: Sequence[Number | None]) -> dict[str, object]:
    flips = sum(map(_flips, cases))
    known = [float(score) for score in scores if score is not None]
    return {
        "cases": len(cases),
        "flips": flips,
        "same_score": sum(map(_has_one_score, cases)),
        "agreement": (len(cases) - flips) / len(cases) if cases else None,
        "score": ScoreRange(
            low=min(known, default=None),
            high=max(known, default=None),
            mean=mean(known) if known else None,
        ),
    }


def _unstable(case: Case) -> UnstableCase:
    return UnstableCase(
        case_id=case[0].case_id,
        dimension=case[0].dimension,
        flips=_flips(case),
        statuses=tuple(item.status for item in case),
        scores=tuple(item.score for item in case),
    )


def _flips(case: Case) -> bool:
    return len({item.status == "passed" for item in case}) > 1


def _has_one_score(case: Case) -> bool:
    return len({(item.status == "passed", item.score) for item in case}) == 1
