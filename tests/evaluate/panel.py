"""A panel by hand: judges, a checker, and a record for them to grade."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.evaluate.judges import FIVE, scores
from whet.app.clock import SystemClock
from whet.core.case import Case, Standard, Stimulus
from whet.core.check import CheckResult, CheckSpec
from whet.core.errors import EnvironmentProblem
from whet.core.grade import Grade, JudgedExpectation, Judgement
from whet.core.rubric import Rubric
from whet.core.trial import TrialRecord
from whet.evaluate.grade import Grader
from whet.ports.checker import Subject
from whet.ports.judge import Judge, Submission
from whet.stores.memory import MemoryStore

TEXTS = ("It is short.", "It is true.", "It is kind.")


def says(structure: float = 3, tone: float = 3, met: Sequence[bool] = ()) -> Judgement:
    """A judgement on the rubric ``FIVE`` and on so many expectations."""
    return Judgement(
        scores=dict(scores(structure=structure, tone=tone)),
        expectations=tuple(
            JudgedExpectation(text="?", passed=passed, evidence=f"{number}: {passed}")
            for number, passed in enumerate(met, 1)
        ),
    )


@dataclass
class PanelJudge:
    """``ports.judge.Judge`` that says one thing after the other, the last one for ever."""

    said: Sequence[Judgement | Exception]
    name: str = "hand"
    version: str = "1"
    model: str = "m"
    simulated: bool = False
    seeds: list[str] = field(default_factory=list[str])
    seen: list[Submission] = field(default_factory=list[Submission])

    async def judge(self, submission: Submission, rubric: Rubric | None, seed: str) -> Judgement:
        self.seen.append(submission)
        number = len(self.seeds)
        self.seeds.append(seed)
        # Others go on meanwhile, as with a real judge.
        await asyncio.sleep(0)
        said = self.said[min(number, len(self.said) - 1)]
        if isinstance(said, Exception):
            raise said
        return said if rubric is not None else said.model_copy(update={"scores": {}})


@dataclass
class HandChecker:
    """``ports.checker.Checker`` whose checks say themselves how they come out."""

    name: str = "hand"
    version: str = "1"

    def validate(self, spec: CheckSpec) -> list[str]:  # noqa: ARG002
        return []

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:  # noqa: ARG002
        return result(spec)


def result(spec: CheckSpec) -> CheckResult:
    """What such a check comes to."""
    outcome = spec.fields["outcome"]
    if outcome == "raises":
        raise ZeroDivisionError("bug")
    if outcome == "cannot":
        raise EnvironmentProblem("no sandbox")
    return CheckResult.model_validate(
        {
            "id": spec.id,
            "type": spec.type,
            "text": spec.description,
            "outcome": outcome,
            "score": 1 if outcome in ("passed", "vacuous") else 0,
            "evidence": "seen",
            "critical": spec.critical,
        }
    )


def check(number: int, outcome: str, *, critical: bool = False) -> CheckSpec:
    return CheckSpec(id=f"S{number}", type="hand", critical=critical, fields={"outcome": outcome})


def case(
    *checks: CheckSpec, rubric: Rubric | None = FIVE, expectations: Sequence[str] = ()
) -> Case:
    standard = Standard(rubric=rubric, checks=checks, expectations=tuple(expectations))
    return Case(id="1", set="evals", stimulus=Stimulus(prompt="Do it."), standard=standard)


@dataclass
class Bench:
    """A record with all that was kept of it, and graders of it."""

    store: MemoryStore
    record: TrialRecord

    def grader(self, *judges: Judge, readings: int = 1, gated: bool = True) -> Grader:
        return Grader(
            judges=judges,
            rubric=None,
            blobs=self.store.blobs,
            clock=SystemClock(),
            checkers={"hand": HandChecker()},
            readings=readings,
            gated=gated,
        )

    def grade(self, of: Case, *judges: Judge, readings: int = 1, gated: bool = True) -> Grade:
        grader = self.grader(*judges, readings=readings, gated=gated)
        made = asyncio.run(grader.grade(of, self.record))
        assert made.address == grader.address(of, self.record.address, self.record.generation)
        assert Grade.model_validate_json(made.model_dump_json()) == made
        return made
