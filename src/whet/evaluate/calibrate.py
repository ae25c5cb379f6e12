"""How far judges agree with people, run by run.

A judge *passes* a run if every expectation that it decided is met and the rubric comes to at
least ``PASSING``. Runs that no judge was asked about, or that a judge could not score, and
reviews without a label are not in any number.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from whet.core.value import Value
from whet.documents.grading import Grading, JudgeOpinion
from whet.documents.skill_creator import Feedback
from whet.evaluate.opinion import NOT_JUDGED
from whet.evaluate.review import ReviewedRun, review_of
from whet.stats.agreement import Agreement, agreement, krippendorff_alpha
from whet.stats.corrected import Counted, rogan_gladen
from whet.stats.describe import mean
from whet.stats.intervals import Range

PASSING = 0.6
"""The share of the rubric from which on a run passes."""

ROUNDING = 1e-9
FEW = 10
"""With fewer labels nothing that is said here means much."""

Verdict = Literal["pass", "fail"]
_VERDICTS: tuple[Verdict, Verdict] = ("pass", "fail")


@dataclass(frozen=True)
class Labelled:
    """A run, what a person said of it and what judges did."""

    configuration: str
    grading: Grading
    label: Verdict | None = None
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    """The person's own, by dimension."""


class Confusion(Value):
    """People's labels against the judge's verdicts."""

    both_pass: int
    judge_passes_person_fails: int
    judge_fails_person_passes: int
    both_fail: int

    @property
    def sensitivity(self) -> Counted:
        """Of what people pass, what the judge passes."""
        return Counted(self.both_pass, self.both_pass + self.judge_fails_person_passes)

    @property
    def specificity(self) -> Counted:
        """Of what people fail, what the judge fails."""
        return Counted(self.both_fail, self.both_fail + self.judge_passes_person_fails)


class Around(Value):
    """An interval at 95 %."""

    low: float
    high: float


class Agreeing(Value):
    """Two readings of the same runs.

    ``kappa`` is None where one label is all there is. It has no interval where one of the two
    used a single label: it is then 0 whatever the other says.
    """

    n: int
    share: float
    share_interval: Around
    kappa: float | None
    kappa_interval: Around | None


class JudgeCalibration(Value):
    """One judge, or all of them together, against people."""

    judge: str
    """Empty for what all judges decided together."""

    agreement: Agreeing | None
    """None without a single run that both looked at."""

    confusion: Confusion | None
    dimensions: dict[str, Agreeing]
    """By quadratic weights: a miss by two points counts four times one by one point."""

    few: bool


class CorrectedRate(Value):
    """How many runs of a configuration pass, as the judge has it and as people would."""

    configuration: str
    runs: int
    judged: float
    corrected: float | None
    """By Rogan and Gladen; None where the judge's errors are not known well enough."""

    interval: Around | None


class Calibration(Value):
    """What is known of the judges of some iterations."""

    labels: int
    """Runs with a label."""

    compared: int
    """Those of them with a judge's verdict."""

    passing: float = PASSING
    few: bool
    together: JudgeCalibration
    judges: tuple[JudgeCalibration, ...]
    """Each by itself, where there are several; by the rubric alone."""

    alpha: float | None
    """Krippendorff's alpha of the judges' rubric scores; None with one judge, or without spread."""

    alpha_passing: float | None
    """The same of their passes and failures."""

    rates: tuple[CorrectedRate, ...]
    simulated: bool


def labelled(runs: Iterable[ReviewedRun], feedback: Feedback) -> Iterator[Labelled]:
    """The runs of an iteration with what people said of them."""
    for run in runs:
        review = review_of(run, feedback)
        yield Labelled(
            configuration=run.configuration,
            grading=run.grading,
            label=review.label if review else None,
            scores=(review.scores if review else None) or {},
        )


def once(runs: Iterable[Labelled]) -> list[Labelled]:
    """Every graded run once: iterations share runs, and the last label counts."""
    found: dict[object, Labelled] = {}
    for number, run in enumerate(runs):
        key = run.grading.grade_address or number
        known = found.get(key)
        found[key] = run if known is None or run.label or run.scores else known
    return list(found.values())


def verdict(grading: Grading) -> Verdict | None:
    """Whether the judges pass the run; None where they were not asked or gave no score."""
    if grading.grade_status not in (None, "scored") or grading.run_status == "failed":
        return None
    judged = [one for one in grading.expectations if one.judged]
    share = grading.rubric_summary.normalized if grading.rubric_summary else None
    if any(one.evidence == NOT_JUDGED for one in judged) or (not judged and share is None):
        return None
    met = all(one.passed for one in judged)
    return "pass" if met and (share is None or share >= PASSING) else "fail"


def calibrate(runs: Sequence[Labelled]) -> Calibration:
    """Hold judges against people."""
    together = _against(
        "",
        runs,
        [verdict(run.grading) for run in runs],
        [_scores(run.grading) for run in runs],
    )
    names = sorted({name for run in runs for name in _opinions(run.grading)})
    several = names if len(names) > 1 else []
    labels = sum(run.label is not None for run in runs)
    compared = together.agreement.n if together.agreement else 0
    return Calibration(
        labels=labels,
        compared=compared,
        few=compared < FEW,
        together=together,
        judges=tuple(_alone(name, runs) for name in several),
        alpha=_alpha(runs, several),
        alpha_passing=_alpha_passing(runs, several),
        rates=tuple(_rates(runs, together.confusion)),
        simulated=any(run.grading.simulated for run in runs),
    )


def _alone(name: str, runs: Sequence[Labelled]) -> JudgeCalibration:
    """One judge by its own rubric scores: expectations are decided together."""
    opinions = [_opinions(run.grading).get(name, []) for run in runs]
    return _against(
        name, runs, [_passes(_share(given)) for given in opinions], list(map(_means, opinions))
    )


def _against(
    name: str,
    runs: Sequence[Labelled],
    verdicts: Sequence[Verdict | None],
    scores: Sequence[dict[str, float]],
) -> JudgeCalibration:
    pairs: list[tuple[Verdict, Verdict]] = [
        (run.label, found)
        for run, found in zip(runs, verdicts, strict=True)
        if run.label is not None and found is not None
    ]
    return JudgeCalibration(
        judge=name,
        agreement=_verdicts(pairs) if pairs else None,
        confusion=_confusion(pairs) if pairs else None,
        dimensions=dict(_dimensions(runs, scores)),
        few=len(pairs) < FEW,
    )


def _dimensions(
    runs: Sequence[Labelled], scores: Sequence[dict[str, float]]
) -> Iterator[tuple[str, Agreeing]]:
    """Scores by dimension; a mean of several readings is rounded to a whole point."""
    for name in {name: None for run in runs for name in run.scores}:
        pairs = [
            (_whole(run.scores[name]), _whole(found[name]))
            for run, found in zip(runs, scores, strict=True)
            if name in run.scores and name in found
        ]
        if pairs:
            given = [point for pair in pairs for point in pair]
            points = range(min(given), max(given) + 1)
            people, judge = zip(*pairs, strict=True)
            yield name, _agreeing(agreement(people, judge, weights="quadratic", labels=points))


def _confusion(pairs: Sequence[tuple[Verdict, Verdict]]) -> Confusion:
    return Confusion(
        both_pass=pairs.count(("pass", "pass")),
        judge_passes_person_fails=pairs.count(("fail", "pass")),
        judge_fails_person_passes=pairs.count(("pass", "fail")),
        both_fail=pairs.count(("fail", "fail")),
    )


def _verdicts(pairs: Sequence[tuple[Verdict, Verdict]]) -> Agreeing:
    people, judge = zip(*pairs, strict=True)
    return _agreeing(agreement(people, judge, labels=_VERDICTS))


def _rates(runs: Sequence[Labelled], confusion: Confusion | None) -> Iterator[CorrectedRate]:
    names = {run.configuration for run in runs}
    for name in sorted(names, key=lambda name: (name != "with_skill", name)):
        found = [verdict(run.grading) for run in runs if run.configuration == name]
        passes = Counted(found.count("pass"), len(found) - found.count(None))
        if not passes.total:
            continue
        corrected = (
            rogan_gladen(passes, confusion.sensitivity, confusion.specificity)
            if confusion
            else None
        )
        yield CorrectedRate(
            configuration=name,
            runs=passes.total,
            judged=passes.share,
            corrected=corrected.rate if corrected else None,
            interval=_around(corrected.interval) if corrected else None,
        )


def _alpha(runs: Sequence[Labelled], judges: Sequence[str]) -> float | None:
    items = [[_share(_opinions(run.grading).get(name, [])) for name in judges] for run in runs]
    return krippendorff_alpha(items, "interval")


def _alpha_passing(runs: Sequence[Labelled], judges: Sequence[str]) -> float | None:
    return krippendorff_alpha(
        [[_passes(_share(_opinions(run.grading).get(name, []))) for name in judges] for run in runs]
    )


def _opinions(grading: Grading) -> dict[str, list[JudgeOpinion]]:
    """The readings of each judge."""
    found: dict[str, list[JudgeOpinion]] = {}
    for one in grading.judges or ():
        name = one.judge if one.model in ("", one.judge) else f"{one.judge} {one.model}"
        found.setdefault(name, []).append(one)
    return found


def _share(readings: Sequence[JudgeOpinion]) -> float | None:
    """A judge's rubric score of a run; None unless every reading has one."""
    given = [one.rubric_normalized for one in readings if one.rubric_normalized is not None]
    return mean(given) if given and len(given) == len(readings) else None


def _passes(share: float | None) -> Verdict | None:
    if share is None:
        return None
    return "pass" if share >= PASSING - ROUNDING else "fail"


def _means(readings: Sequence[JudgeOpinion]) -> dict[str, float]:
    """A judge's scores of a run, each the mean of its readings."""
    given = [one.rubric_scores or {} for one in readings]
    names = set(given[0]).intersection(*given[1:]) if given else set[str]()
    return {name: mean([scores[name] for scores in given]) for name in names}


def _scores(grading: Grading) -> dict[str, float]:
    given = grading.rubric_scores or {}
    return {name: one.score for name, one in given.items() if one.score is not None}


def _whole(score: float) -> int:
    return math.floor(score + 0.5)


def _agreeing(found: Agreement) -> Agreeing:
    around = found.kappa_interval
    return Agreeing(
        n=found.n,
        share=found.share,
        share_interval=_around(found.share_interval),
        kappa=found.kappa,
        kappa_interval=_around(around) if around and around.low < around.high else None,
    )


def _around(found: Range) -> Around:
    return Around(low=found.low, high=found.high)
