"""What makes an eval, or one of its checks, a poor test: seen in its runs, named one by one."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from whet.core.case import Case
from whet.core.check import CheckSpec
from whet.core.counts import counted
from whet.documents.eval_statistics import EvalFinding, FindingKind
from whet.evaluate.run_result import Run, Table, shortened
from whet.evaluate.suite import Suite
from whet.stats.describe import mean, standard_deviation

FEWEST = 2
"""Runs of a configuration before "always" and "never" mean anything."""

FLAKY_DEVIATION = 0.2
UNSTABLE_SHARE = 0.25
"""Of a scale: one point of 1 to 5."""

_ROUNDING = 1e-9


class _Subject(NamedTuple):
    """An eval with the runs of both sides."""

    case: Case
    eval_id: int | str
    sides: dict[str, list[Run]]

    @property
    def runs(self) -> list[Run]:
        return list(chain.from_iterable(self.sides.values()))

    @property
    def has_two_sides(self) -> bool:
        return len(self.sides) > 1 and all(len(runs) >= FEWEST for runs in self.sides.values())

    @property
    def first(self) -> list[Run]:
        """The runs with the skill."""
        return next(iter(self.sides.values()))

    def finding(
        self,
        kind: FindingKind,
        text: str,
        check: str | None = None,
        configuration: str | None = None,
    ) -> EvalFinding:
        made = EvalFinding(
            kind=kind,
            eval_id=self.eval_id,
            configuration=configuration,
            check=check and shortened(check),
            text=text,
        )
        return made.lean()


def findings(table: Table, suite: Suite) -> tuple[EvalFinding, ...]:
    """Everything that was noticed, eval by eval."""
    found = list(_harness(table))
    for case in table.cases:
        sides = {name: table.of(name, case.id) for name in table.configurations[:2]}
        subject = _Subject(case, suite.evals[case.id].id, sides)
        found += _of_eval(subject)
        found += _of_parts(subject)
        found += _of_judges(subject)
    return tuple(found)


def _harness(table: Table) -> Iterator[EvalFinding]:
    """Two sides that are one and the same trial compare nothing."""
    if len(table.configurations) < 2:
        return
    first, second = table.configurations[:2]
    shared = sum(
        (other := table.runs.get((second, case, number))) is not None
        and other.row.trial == run.row.trial
        for (name, case, number), run in table.runs.items()
        if name == first
    )
    if shared:
        yield EvalFinding(
            kind="harness",
            text=f"{counted(shared, 'run is', 'runs are')} one and the same trial in {first} "
            f"and {second}: both have the"
            " same skill, so nothing is compared there.",
        )


def _of_eval(subject: _Subject) -> Iterator[EvalFinding]:
    scores = [run.score for run in subject.runs if run.score is not None]
    whole = len(scores) == len(subject.runs)
    if subject.has_two_sides and whole and max(scores) - min(scores) <= _ROUNDING:
        yield subject.finding(
            "non_discriminating",
            f"every one of {counted(len(scores), 'run', 'runs')} of both sides has "
            f"{scores[0] * 100:.1f} points: it"
            " cannot tell them apart",
        )
    outcomes = [run.passes for run in subject.first if run.passes is not None]
    if len(outcomes) >= FEWEST and not any(outcomes):
        yield subject.finding(
            "always_failing",
            f"none of {counted(len(outcomes), 'run', 'runs')} with the skill passes",
        )
    for name, runs in subject.sides.items():
        if told := _flaky(runs):
            yield subject.finding("flaky", told, configuration=name)


def is_flaky(outcomes: Sequence[bool], scores: Sequence[float]) -> bool:
    """Whether attempts at one thing differ so much that one alone says little; scores are shares
    of 1."""
    deviation = standard_deviation(scores) if scores else 0.0
    return 0 < sum(outcomes) < len(outcomes) or deviation >= FLAKY_DEVIATION - _ROUNDING


def _flaky(runs: Sequence[Run]) -> str | None:
    outcomes = [run.passes for run in runs if run.passes is not None]
    scores = [run.score for run in runs if run.score is not None]
    if is_flaky(outcomes, scores):
        deviation = standard_deviation(scores) if scores else 0.0
        return (
            f"{sum(outcomes)} of {counted(len(outcomes), 'run', 'runs')} pass, and the scores "
            "of the runs differ by"
            f" {deviation * 100:.1f} points (standard deviation)"
        )
    return None


class _Part(NamedTuple):
    """A check or a judged expectation, and what became of it in every run."""

    name: str
    text: str
    """Empty where the name says it all."""

    outcomes: list[list[bool]]
    """Of each side; what was skipped or never decided is not there."""

    vacuous: int = 0
    real_passes: int = 0
    critical: bool = False
    """Whether it is a gate: that is there to be passed, not to tell sides apart."""


def _of_parts(subject: _Subject) -> Iterator[EvalFinding]:
    for part in chain(_checks(subject), _expectations(subject)):
        yield from _of_part(subject, part)


def _of_part(subject: _Subject, part: _Part) -> Iterator[EvalFinding]:
    every = [passed for side in part.outcomes for passed in side]
    text = f": {shortened(part.text)}" if part.text else ""
    two_sided = len(part.outcomes) > 1 and all(len(side) >= FEWEST for side in part.outcomes)
    if two_sided and len(set(every)) == 1 and not (part.critical and every[0]):
        word = "met" if every[0] else "not met"
        yield subject.finding(
            "non_discriminating",
            f"{word} in all {counted(len(every), 'run', 'runs')} of both sides{text}",
            part.name,
        )
    first = part.outcomes[0] if part.outcomes else []
    if len(first) >= FEWEST and not any(first):
        yield subject.finding(
            "always_failing",
            f"not met in any of {counted(len(first), 'run', 'runs')} with the skill{text}",
            part.name,
        )
    if part.vacuous and not part.real_passes:
        yield subject.finding(
            "vacuous",
            f"passed {counted(part.vacuous, 'time', 'times')}, each time for want of anything "
            f"to look at{text}",
            part.name,
        )


def _checks(subject: _Subject) -> Iterator[_Part]:
    for place, spec in enumerate(subject.case.standard.checks):
        outcomes: list[list[bool]] = []
        vacuous = real = 0
        for runs in subject.sides.values():
            side: list[bool] = []
            for run in runs:
                grade = run.row.grade
                if run.has_failed:
                    side.append(False)
                elif grade and place < len(grade.checks) and not grade.checks[place].skipped:
                    result = grade.checks[place]
                    side.append(result.passed)
                    vacuous += result.vacuous
                    real += result.passed and not result.vacuous
            outcomes.append(side)
        text = spec.description or _described(spec)
        yield _Part(spec.id, text, outcomes, vacuous, real, spec.critical)


def _described(spec: CheckSpec) -> str:
    """What a check without a description looks at."""
    pattern = spec.fields.get("pattern")
    return f"{spec.type} {pattern}" if isinstance(pattern, str) else spec.type


def _expectations(subject: _Subject) -> Iterator[_Part]:
    for place, text in enumerate(subject.case.standard.expectations):
        outcomes: list[list[bool]] = []
        for runs in subject.sides.values():
            side: list[bool] = []
            for run in runs:
                grade = run.row.grade
                if run.has_failed:
                    side.append(False)
                elif grade and place < len(grade.expectations):
                    side.append(grade.expectations[place].passed)
            outcomes.append(side)
        yield _Part(text, "", outcomes)


def _of_judges(subject: _Subject) -> Iterator[EvalFinding]:
    """Dimensions on which readings of one and the same run are more than a point apart."""
    rubric = subject.case.standard.rubric
    for dimension in rubric.dimensions if rubric else ():
        several = [
            scores for run in subject.runs if len(scores := _readings(run, dimension.name)) > 1
        ]
        spreads = [max(scores) - min(scores) for scores in several]
        limit = UNSTABLE_SHARE * (dimension.maximum - dimension.minimum) + _ROUNDING
        if apart := sum(spread > limit for spread in spreads):
            deviation = mean([standard_deviation(scores) for scores in several])
            yield subject.finding(
                "unstable_judge",
                f"readings of one run differ by up to {max(spreads):g} points on a scale of"
                f" {dimension.minimum:g} to {dimension.maximum:g} ({apart} of "
                f"{counted(len(several), 'run', 'runs')};"
                f" standard deviation {deviation:.2f} on average)",
                dimension.name,
            )


def _readings(run: Run, dimension: str) -> list[float]:
    opinions = run.row.grade.opinions if run.row.grade else ()
    return [
        opinion.judgement.scores[dimension].score
        for opinion in opinions
        if opinion.status == "scored" and dimension in opinion.judgement.scores
    ]
