"""Worlds with a known truth: what comes of each run is written down, everything else is real."""

from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from tests.evaluate.judges import Laboratory, ScriptedJudge, arm, case
from tests.run.agents import USED, now
from whet.core.address import digest_bytes, digest_tree
from whet.core.arm import Arm, SkillPackage
from whet.core.budget import Budget, Purse
from whet.core.case import Case
from whet.core.errors import EngineFailure, JudgeFailure
from whet.core.failure import Failure
from whet.core.files import FileRef
from whet.core.grade import DimensionScore
from whet.core.rubric import Rubric
from whet.core.step import Ended, Said, Step
from whet.core.trial import TrialSpec
from whet.evaluate.experiment import Row
from whet.ports.judge import Submission
from whet.ports.store import Store
from whet.ports.workdir import Workdir

FAILED, CRASH, UNSCORED, SILENT = "failed", "crash", "unscored", "silent"
"""The agent's own failure; no record; a judge whose answer does not fit, or who gives none."""

Result = float | str
Truth = Callable[[str, str, int], Result]
"""What comes of an arm (its id), a case and an attempt: a score of 0 to 1, or a trouble."""


def skilled(name: str) -> Arm:
    """An arm whose skill is its own name."""
    data = name.encode()
    file = FileRef(path="content.txt", digest=digest_bytes(data), size=len(data))
    tree = digest_tree({file.path: file.digest})
    skill = SkillPackage(name=name, kind="text", digest=tree, files=(file,))
    return Arm(id=name, label=name, skill=skill)


WITH, WITHOUT = skilled("with_skill"), arm("without_skill", None)


def cases(count: int) -> list[Case]:
    return [case(str(number)) for number in range(1, count + 1)]


class World(Laboratory):
    """A laboratory in which *truth* comes true for each of *arms*."""

    def __init__(
        self, store: Store, folder: Path, truth: Truth, arms: tuple[Arm, ...] = (WITH, WITHOUT)
    ) -> None:
        judge = ScriptedJudge(opinion=self._opinion)
        super().__init__(store, folder, judge=judge, scripts=(self._agent,), width=8)
        for each in arms:
            store.blobs.put(each.id.encode())
        self.truth = truth
        self.rows: list[Row] = []
        self._names = {each.skill.digest if each.skill else "": each.id for each in arms}

    async def _agent(self, spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        name = self._names[spec.skill.digest if spec.skill else ""]
        which = spec.stimulus.prompt.removeprefix("Do ").removesuffix(".")
        result = self.truth(name, which, spec.attempt)
        yield Said(now(), "I try.")
        if result == CRASH:
            raise EngineFailure(Failure.CRASH, "gone")
        if result == FAILED:
            yield Ended(now(), "half", USED, Failure.MAX_TURNS, "too long")
        else:
            yield Ended(now(), str(result), USED)

    def _opinion(self, submission: Submission, rubric: Rubric) -> dict[str, DimensionScore]:
        if submission.answer == SILENT:
            raise JudgeFailure("no answer")
        if submission.answer == UNSCORED:
            return {}
        share = float(submission.answer)
        return {d.name: DimensionScore(score=share * d.maximum) for d in rubric.dimensions}


def purse(max_trials: int | None = None) -> Purse:
    return Purse(Budget(max_trials=max_trials))
