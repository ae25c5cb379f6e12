"""Grade a record. A changed standard or rubric is a new grade of the same record."""

from collections.abc import Mapping
from dataclasses import dataclass

from whet.core.address import digest
from whet.core.case import Case
from whet.core.errors import JudgeFailure
from whet.core.grade import DimensionScore, Grade
from whet.core.instant import iso
from whet.core.rubric import Rubric
from whet.core.text import storable
from whet.core.trial import TrialRecord
from whet.ports.blobs import Blobs
from whet.ports.clock import Clock
from whet.ports.judge import Judge, Submission


@dataclass(frozen=True)
class Grader:
    """Holds records against their cases by one judge; *rubric* is for cases without their own."""

    judge: Judge
    rubric: Rubric
    blobs: Blobs
    clock: Clock

    def address(self, case: Case, trial: str, generation: int) -> str:
        """The identity of a grade: the record, the standard and who graded it how."""
        return digest(
            {
                "trial": trial,
                "generation": generation,
                "standard": case.standard.digest,
                "rubric": self._rubric(case).digest,
                "grader": self.judge.name,
                "version": self.judge.version,
                "repeat": 1,
            }
        )

    async def grade(self, case: Case, record: TrialRecord) -> Grade:
        """Ask the judge. Never raises for what the judge does."""
        address = self.address(case, record.address, record.generation)
        rubric = self._rubric(case)
        submission = Submission(
            case=case,
            answer=record.answer,
            outputs={file.path: self.blobs.get(file.digest) for file in record.outputs},
        )
        try:
            verdict = _verdict(await self.judge.judge(submission, rubric, address), rubric)
        except JudgeFailure as failure:
            verdict = {"error": str(failure)}
        except Exception as error:  # noqa: BLE001 - a judge's bug costs one grade, not the run
            verdict = {"error": f"judge {self.judge.name} broke: {error!r}"}
        grade = Grade(
            address=address,
            trial=record.address,
            generation=record.generation,
            grader=self.judge.name,
            grader_version=self.judge.version,
            status="failed",
            evaluated_at=iso(self.clock.now()),
            simulated=self.judge.simulated,
        )
        return grade.model_copy(update=verdict)

    def _rubric(self, case: Case) -> Rubric:
        return case.standard.rubric or self.rubric


def _verdict(given: Mapping[str, DimensionScore], rubric: Rubric) -> dict[str, object]:
    """The part of a grade that the judge decides; totals are computed, ranges are checked."""
    scores = {name: dimension.score for name, dimension in given.items()}
    if misfit := rubric.misfit(scores):
        return {"status": "unscored", "error": f"the judge's scores do not fit: {misfit}"}
    evidence = {name: storable(dimension.evidence) for name, dimension in given.items()}
    return {
        "status": "scored",
        "score": rubric.normalized(scores),
        "dimensions": {
            name: DimensionScore(score=scores[name], evidence=evidence[name]) for name in given
        },
        "reasoning": "; ".join(
            f"{d.name} {scores[d.name]:g}/{d.maximum:g}: {evidence[d.name]}"
            for d in rubric.dimensions
        ),
    }
