"""Two or more capability runs: which cases flipped, and how far the dimensions are apart.

Only cases that both runs measured, and that asked for the same, are compared in numbers. Everything
else is named.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from whet.core.counts import counted
from whet.core.errors import UsageError
from whet.core.verdict import Verdict
from whet.documents.base import Number
from whet.documents.capability import (
    DIMENSIONS,
    MEASURED,
    Dimension,
    EvaluationDetail,
    EvaluationItem,
    EvaluationRun,
    measured_cases,
)
from whet.documents.capability_comparison import (
    CapabilityDifference,
    Change,
    ComparedItem,
    ComparedRun,
    DimensionDifference,
    RunComparison,
    RunDifference,
    Standing,
)
from whet.documents.environment import FieldDifference
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.capability.scores import WEIGHTS
from whet.evaluate.verdict_values import NOTHING, as_verdict, family, told, told_verdict
from whet.stats.comparison import RATES, compare_cases
from whet.stats.describe import weighted_mean

MOST_RUNS = 20
_COMPARED = (
    "model_name",
    "engine",
    "engine_version",
    "language",
    "case_set",
    "case_set_digest",
    "weights",
    "tool_snapshot",
)


class _Pair(NamedTuple):
    """A case that both runs measured."""

    dimension: Dimension
    weight: Number
    reference: float
    run: float


class _Found(NamedTuple):
    """Weighted means of both runs, and what they allow us to say."""

    reference: float | None
    run: float | None
    verdict: Verdict


def compare(details: Sequence[EvaluationDetail]) -> RunComparison:
    """Hold every run against the first; raises ``UsageError`` for fewer than two."""
    names = [detail.run.run_id for detail in details]
    if len(names) < 2 or len(set(names)) != len(names):
        raise UsageError("name two or more different runs to compare")
    if len(names) > MOST_RUNS:
        raise UsageError(f"at most {MOST_RUNS} runs can be compared at once")
    first, *others = details
    return RunComparison(
        runs=tuple(_told(detail.run) for detail in details),
        differences=tuple(_difference(first, other) for other in others),
    )


def _told(run: EvaluationRun) -> ComparedRun:
    return ComparedRun.model_validate(
        {name: getattr(run, name) for name in ComparedRun.model_fields}, strict=False
    )


def _difference(reference: EvaluationDetail, other: EvaluationDetail) -> RunDifference:
    cases = tuple(_cases(reference, other))
    pairs = list(_pairs(cases))
    changes: Counter[Change] = Counter(case.change for case in cases)
    return RunDifference(
        run_id=other.run.run_id,
        reference_id=reference.run.run_id,
        total=_total(pairs, reference.run.weights or WEIGHTS),
        dimensions=_dimensions(pairs),
        changes=dict(changes),
        cases=cases,
        environment=tuple(_environment(reference.run, other.run)),
        warnings=tuple(_warnings(reference.run, other.run, changes)),
    )


def _cases(reference: EvaluationDetail, other: EvaluationDetail) -> Iterator[ComparedItem]:
    """Every case of either run: those of the reference first, each in its own order."""
    mine = {item.case_id: item for item in reference.items}
    theirs = {item.case_id: item for item in other.items}
    for case in dict.fromkeys((*mine, *theirs)):
        left, right = mine.get(case), theirs.get(case)
        either = left or right
        assert either is not None
        yield ComparedItem(
            case_id=case,
            dimension=either.dimension,
            weight=either.weight,
            change=_change(left, right, (reference.run, other.run)),
            reference=left and _standing(left),
            run=right and _standing(right),
        )


def _change(
    left: EvaluationItem | None,
    right: EvaluationItem | None,
    runs: tuple[EvaluationRun, EvaluationRun],
) -> Change:
    if left is None:
        return "only_run"
    if right is None:
        return "only_reference"
    if not _ask_the_same(left, right, runs) or left.dimension != right.dimension:
        return "other_prompt"
    if not MEASURED.issuperset((left.status, right.status)):
        return "not_measured"
    if right.status == "passed":
        return "still_passed" if left.status == "passed" else "newly_passed"
    return "newly_failed" if left.status == "passed" else "still_failed"


def _ask_the_same(
    left: EvaluationItem, right: EvaluationItem, runs: tuple[EvaluationRun, EvaluationRun]
) -> bool:
    """Whether the prompts are the same but for the names of run and user in them."""
    prompts = [left.prompt, right.prompt]
    if prompts[0] == prompts[1]:
        return True
    for field in ("run_id", "user_id"):
        for side, run in enumerate(runs):
            if name := getattr(run, field):
                prompts[side] = prompts[side].replace(name, f"{{{field}}}")
        if prompts[0] == prompts[1]:
            return True
    return False


def _standing(item: EvaluationItem) -> Standing:
    return Standing(status=item.status, score=item.score, session_id=item.session_id).lean()


def _pairs(cases: Sequence[ComparedItem]) -> Iterator[_Pair]:
    for case in cases:
        is_compared = case.change.startswith(("newly", "still")) and case.weight
        if is_compared and case.reference is not None and case.run is not None:
            left, right = case.reference.score or 0, case.run.score or 0
            yield _Pair(case.dimension, case.weight, float(left), float(right))


def _dimensions(pairs: Sequence[_Pair]) -> tuple[DimensionDifference, ...]:
    found: list[tuple[Dimension, _Found]] = []
    for name in DIMENSIONS:
        mine = [pair for pair in pairs if pair.dimension == name]
        if mine:
            found.append((name, _compared(mine, [float(pair.weight) for pair in mine])))
    verdicts = family([each.verdict for _, each in found])
    return tuple(
        DimensionDifference(
            reference=each.reference,
            run=each.run,
            verdict=told_verdict(verdict),
            dimension=name,
        )
        for (name, each), verdict in zip(found, verdicts, strict=True)
    )


def _total(
    pairs: Sequence[_Pair], of_dimensions: Mapping[Dimension, Number]
) -> CapabilityDifference:
    """Each case counts as much as it does in the total of a run of just these cases."""
    sums: dict[Dimension, float] = {}
    for pair in pairs:
        sums[pair.dimension] = sums.get(pair.dimension, 0.0) + pair.weight
    counted = [pair for pair in pairs if of_dimensions.get(pair.dimension)]
    shares = [
        pair.weight / sums[pair.dimension] * of_dimensions[pair.dimension] for pair in counted
    ]
    found = _compared(counted, shares)
    return CapabilityDifference(
        reference=found.reference, run=found.run, verdict=told_verdict(found.verdict)
    )


def _compared(pairs: Sequence[_Pair], weights: Sequence[float]) -> _Found:
    """Whether the run is better than the reference."""
    if not pairs:
        return _Found(None, None, NOTHING)
    reference = [pair.reference for pair in pairs]
    run = [pair.run for pair in pairs]
    found = compare_cases(run, reference, RATES, weights=weights)
    before, after = (told(weighted_mean(side, weights) * PERCENT) for side in (reference, run))
    return _Found(before, after, as_verdict(found, PERCENT, PERCENT))


def _environment(reference: EvaluationRun, other: EvaluationRun) -> Iterator[FieldDifference]:
    left, right = reference.model_dump(mode="json"), other.model_dump(mode="json")
    for field in _COMPARED:
        if left.get(field) != right.get(field):
            yield FieldDifference(field=field, left=left.get(field), right=right.get(field))


def _warnings(
    reference: EvaluationRun, other: EvaluationRun, changes: Mapping[Change, int]
) -> Iterator[str]:
    if reference.case_set_digest != other.case_set_digest:
        yield "the runs used different contents of their case sets; cases are matched by id"
    if reference.language != other.language:
        yield f"the runs are in different languages: {reference.language} and {other.language}"
    if count := changes.get("other_prompt"):
        yield (
            f"{counted(count, 'case has', 'cases have')} the same id and another prompt; they "
            "are not compared"
        )
    for run in (reference, other):
        if run.status != "finished":
            counts = run.counts or {}
            measured, total = measured_cases(counts), counts.get("total", 0)
            extent = f": {measured} of {counted(total, 'case', 'cases')} measured" if counts else ""
            yield f"run {run.run_id} is {run.status}{extent}; the others are not compared"
