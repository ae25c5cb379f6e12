"""Grade a record: checks first, then judges. A changed standard is a new grade of the same record.

Two layers make one score: the share of expectations that were met, and the rubric. Where only
one layer is there, it is the score.
"""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from whet.core.address import digest
from whet.core.case import Case
from whet.core.check import CheckResult, CheckSpec
from whet.core.check import gate as count
from whet.core.errors import JudgeFailure, WhetError
from whet.core.grade import Grade, Judgement, Opinion
from whet.core.instant import iso
from whet.core.rubric import Rubric
from whet.core.text import storable
from whet.core.trial import TrialRecord
from whet.evaluate.check import KeptOutputs, carry_out, subject_of
from whet.evaluate.opinion import Reading, combined, read
from whet.evaluate.transcript import session_of, shortened
from whet.ports.blobs import Blobs
from whet.ports.checker import Checker
from whet.ports.clock import Clock
from whet.ports.judge import Judge, Submission


@dataclass(frozen=True)
class Grader:
    """Holds records against their cases.

    *rubric* is for cases without their own; every judge reads a record *readings* times. Every
    one of them must come to a score: an average over those that happened to answer would favour
    one arm or the other.
    """

    judges: tuple[Judge, ...]
    rubric: Rubric | None
    blobs: Blobs
    clock: Clock
    checkers: Mapping[str, Checker] = field(default_factory=dict[str, Checker])
    readings: int = 1
    gated: bool = True
    """Whether judges are spared what failed a critical check."""

    script_sandbox: str | None = None
    """The sandbox for scripts of a suite that is trusted to have some."""

    def address(self, case: Case, trial: str, generation: int) -> str:
        """The identity of a grade: the record, the standard and who graded it how."""
        identity: dict[str, JsonValue] = {
            "trial": trial,
            "generation": generation,
            "standard": case.standard.digest,
            "repeat": 1,
        }
        if (rubric := self._rubric(case)) is not None:
            identity["rubric"] = rubric.digest
        if self._needs_judge(case):
            identity |= self._panel()
        if case.standard.checks:
            types = sorted({spec.type for spec in case.standard.checks})
            identity["checkers"] = {name: self.checkers[name].version for name in types}
            identity["scripts"] = self.script_sandbox is not None
            identity["gated"] = self.gated
        return digest(identity)

    async def grade(self, case: Case, record: TrialRecord) -> Grade:
        """Check and judge. Never raises for what a checker or a judge does."""
        grade = Grade(
            address=self.address(case, record.address, record.generation),
            trial=record.address,
            generation=record.generation,
            grader="+".join(judge.name for judge in self.judges) or "checks",
            grader_version="+".join(judge.version for judge in self.judges),
            status="failed",
            evaluated_at=iso(self.clock.now()),
            specs=tuple(map(_as_kept, case.standard.checks)),
        )
        try:
            checks = await self._checked(case, record)
        except WhetError as error:
            return grade.model_copy(update={"error": str(error)})
        except Exception as error:  # noqa: BLE001 - a checker's bug costs one grade, not the run
            return grade.model_copy(update={"error": f"a check broke: {error!r}"})
        opinions: list[Opinion] = []
        is_open = count(checks).gate_passed or not self.gated
        if is_open and self._needs_judge(case):
            opinions = await self._judged(case, record, checks)
        reading = Reading(case.standard, self._rubric(case), checks, tuple(opinions))
        return grade.model_copy(update=combined(reading))

    async def _checked(self, case: Case, record: TrialRecord) -> tuple[CheckResult, ...]:
        if not case.standard.checks:
            return ()
        return await asyncio.to_thread(self._check, case, record)

    def _check(self, case: Case, record: TrialRecord) -> tuple[CheckResult, ...]:
        subject = subject_of(record, case, self.blobs, self.script_sandbox)
        return carry_out(case.standard.checks, subject, self.checkers)

    async def _judged(
        self, case: Case, record: TrialRecord, checks: tuple[CheckResult, ...]
    ) -> list[Opinion]:
        submission = Submission(
            case=case,
            answer=record.answer,
            outputs=KeptOutputs(record.outputs, self.blobs),
            transcript=lambda: shortened(session_of(record, self.blobs)),
            checks=checks,
        )
        return list(
            await asyncio.gather(
                *(
                    self._opinion(judge, submission, number, self._seed(judge, case, record))
                    for judge in self.judges
                    for number in range(1, self.readings + 1)
                )
            )
        )

    async def _opinion(
        self, judge: Judge, submission: Submission, number: int, seed: str
    ) -> Opinion:
        rubric = self._rubric(submission.case)
        begun = time.monotonic()
        opinion = Opinion(
            judge=judge.name,
            judge_version=judge.version,
            model=judge.model,
            repeat=number,
            status="failed",
            simulated=judge.simulated,
        )
        try:
            of_reading = seed if number == 1 else f"{seed} {number}"
            judgement = await judge.judge(submission, rubric, of_reading)
            found = read(judgement, submission.case.standard, rubric)
        except JudgeFailure as failure:
            # What it cost to no avail is told by what was asked.
            found = {"error": str(failure), "judgement": Judgement(asked=failure.asked)}
        except WhetError as error:
            found = {"error": f"judge {judge.name}: {error}"}
        except Exception as error:  # noqa: BLE001 - a judge's bug costs one grade, not the run
            found = {"error": f"judge {judge.name} broke: {error!r}"}
        seconds = round(time.monotonic() - begun, 3)
        return opinion.model_copy(update={**found, "seconds": seconds})

    def _seed(self, judge: Judge, case: Case, record: TrialRecord) -> str:
        """The address of the grade that this judge would give alone: a reading that was paid for
        stays the same when others join the panel."""
        alone = replace(self, judges=(judge,), readings=1)
        return alone.address(case, record.address, record.generation)

    def _panel(self) -> dict[str, JsonValue]:
        """Who judges. One judge who reads once is written as it always was."""
        if len(self.judges) == 1 and self.readings == 1:
            return {"grader": self.judges[0].name, "version": self.judges[0].version}
        judges: list[JsonValue] = [[judge.name, judge.version] for judge in self.judges]
        return {"judges": judges, "readings": self.readings}

    def _needs_judge(self, case: Case) -> bool:
        return self._rubric(case) is not None or case.standard.needs_judge

    def _rubric(self, case: Case) -> Rubric | None:
        return case.standard.rubric or self.rubric


def _as_kept(spec: CheckSpec) -> CheckSpec:
    """A check as it was written, as far as a database takes it."""
    text = json.dumps(spec.model_dump(mode="json"), ensure_ascii=False)
    return spec if storable(text) == text else CheckSpec.model_validate_json(storable(text))
