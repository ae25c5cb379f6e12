"""The turns of a job: each is a trial like any other, and what it comes to decides on the next.

All of it is a function of the job and of its records, so a job that is taken up by another process
goes on where it was.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.core.arm import SkillPackage
from whet.core.case import Limits, Stimulus
from whet.core.counts import counted
from whet.core.errors import EngineFailure, WhetError
from whet.core.files import FileRef
from whet.core.job import Interaction, Job, JobFailure, JobResult, Response, Round
from whet.core.step import Ended, Step
from whet.core.text import storable
from whet.core.trial import TrialRecord, TrialSpec
from whet.curate.manifest import JobPackage
from whet.ports.conversing import Conversing
from whet.ports.engine import Engine
from whet.ports.inspected import Inspected
from whet.ports.pool import Handled
from whet.ports.workdir import Workdir
from whet.run.job import prompt
from whet.run.job.contract import FOLDER
from whet.run.job.inputs import mixed
from whet.run.job.output import Answer, Unfit, decide
from whet.run.lodging import Redactors, Stay, preserve
from whet.run.trial import TrialRunner
from whet.run.workdir import Kept

MOST_REPAIRS = 3
_LEAST_SECONDS = 1.0

Options = Mapping[str, JsonValue]
Kind = Literal["repair", "reply"]


def can_go_on(engine: Engine) -> bool:
    """Whether an agent can be talked to after its first answer."""
    if isinstance(engine, Inspected) and "resume" not in engine.inspect().abilities:
        return False
    return isinstance(engine, Conversing)


def work_of(job: Job) -> str:
    """The agent's working folder."""
    return f"{job.folder}/work"


def task(package: JobPackage, job: Job) -> str:
    """What the agent is told at first; raises ``UsageError`` for a prompt that cannot be made.
    It may take a while to find that out."""
    given = mixed(package, job.input, job.files, work_of(job))
    return prompt.task(package, job.engine, given, job.parameter)


@dataclass(frozen=True)
class Turns:
    """What the turns of one job need to know: the package, the agent's own copy of the skill, and
    the options of its engine, secrets included."""

    package: JobPackage
    skill: SkillPackage
    options: Options
    kept: Path
    """Where the folders of ended turns are kept."""

    def first(self, job: Job, text: str) -> Round:
        """The task, in these words."""
        seconds = job.options.timeout_seconds
        new = Round(
            number=1,
            kind="task",
            prompt=text,
            files=job.files,
            timeout_seconds=seconds,
            max_cost_usd=_money_left(job),
        )
        return self._addressed(job, new)

    def answered(
        self, job: Job, asked: Interaction, response: Response, last: TrialRecord
    ) -> Round:
        """The turn that a reply begins."""
        text = prompt.reply(asked, response, work_of(job))
        new = self._next(job, "reply", text, last.conversation)
        return self._addressed(job, new.model_copy(update={"files": response.files}))

    async def play(self, runner: TrialRunner, job: Job, heard: Callable[[Step], None]) -> Handled:
        """The last turn of a job: taken now, or found to be on record."""
        turn = job.rounds[-1]
        return await runner(self.spec(job, turn), self.stay(job, turn, heard))

    def spec(self, job: Job, turn: Round) -> TrialSpec:
        """A turn as a trial. Its number is its series: the same words may be said twice."""
        # Without any money left nobody plays it.
        limits = Limits(
            timeout_seconds=turn.timeout_seconds, max_cost_usd=turn.max_cost_usd or None
        )
        return TrialSpec(
            scope=job.scope,
            series=turn.number,
            skill=self.skill,
            stimulus=Stimulus(prompt=turn.prompt, files=turn.files, limits=limits),
            engine=job.engine,
            engine_version=job.engine_version,
            model=job.model,
            options=dict(self.options),
            sandbox=job.sandbox,
        )

    def stay(self, job: Job, turn: Round, heard: Callable[[Step], None]) -> Stay:
        """Where a turn happens."""
        origin = self.kept / str(turn.number - 1) if turn.number > 1 else None

        def leaving(ended: Ended, workdir: Workdir, kept: Kept, clean: Redactors) -> None:
            answer = self._answer(job, storable(ended.answer), kept.refs(), cut=kept.cut)
            comes_to = decide(self.package, job.mode, answer, 1)
            goes_on = ended.failure is None and ended.conversation is not None
            if goes_on and not isinstance(comes_to, JobResult):
                preserve(workdir, self.kept / str(turn.number), clean.work, clean.home)

        return Stay(
            root=Path(job.folder),
            folders=(FOLDER,),
            origin=origin,
            conversation=turn.conversation,
            given=(*job.files, *(file for each in job.responses for file in each.files)),
            heard=heard,
            leaving=leaving,
        )

    def after(self, job: Job, handled: Handled, engine: Engine) -> Job:
        """The job after its last turn: at its end, waiting for somebody, or with another turn."""
        record = handled.record
        if record is None:
            return _failed(job, *_trouble(handled.error))
        if record.failure is not None:
            return _failed(job, record.failure, record.error or record.failure)
        at = record.ended_at
        answer = self._answer(job, record.answer, record.outputs, cut=record.outputs_cut, at=at)
        comes_to = decide(self.package, job.mode, answer, len(job.responses) + 1)
        match comes_to:
            case JobResult():
                return job.moved("succeeded", result=comes_to)
            case Interaction():
                return self._asking(job, comes_to, record, engine)
            case Unfit():
                return self._mending(job, comes_to, record, engine)

    def _asking(self, job: Job, asked: Interaction, record: TrialRecord, engine: Engine) -> Job:
        most = self.package.max_attempt
        if most is not None and len(job.responses) + 1 >= most:
            return _failed(
                job, "max_attempts", f"it asked again after {counted(most, 'turn', 'turns')}"
            )
        if record.conversation is None or not can_go_on(engine):
            return _failed(job, "cannot_go_on", f"{job.engine} asked, and cannot be answered")
        return job.moved("waiting_user", pending=asked)

    def _mending(self, job: Job, unfit: Unfit, record: TrialRecord, engine: Engine) -> Job:
        done = sum(turn.kind == "repair" for turn in job.rounds)
        goes_on = record.conversation is not None and can_go_on(engine)
        if done >= MOST_REPAIRS or not goes_on:
            after = f" after {counted(done, 'repair', 'repairs')}" if done else ""
            return _failed(job, unfit.code, f"{'; '.join(unfit.problems)}{after}")
        text = prompt.repair(unfit.problems, wants_json=self.package.output is not None)
        new = self._addressed(job, self._next(job, "repair", text, record.conversation))
        if new.timeout_seconds <= 0:
            return _failed(
                job, "timeout", f"{'; '.join(unfit.problems)}; no time is left to mend it"
            )
        return job.model_copy(update={"rounds": (*job.rounds, new)})

    def _next(self, job: Job, kind: Kind, text: str, conversation: str | None) -> Round:
        left = job.options.timeout_seconds - job.worked_seconds
        # A person who replies gets an answer, if only a short one.
        seconds = max(left, _LEAST_SECONDS) if kind == "reply" else max(left, 0)
        return Round(
            number=len(job.rounds) + 1,
            kind=kind,
            prompt=text,
            conversation=conversation,
            timeout_seconds=seconds,
            max_cost_usd=_money_left(job),
        )

    def _addressed(self, job: Job, turn: Round) -> Round:
        if turn.timeout_seconds <= 0:
            return turn
        return turn.model_copy(update={"trial": self.spec(job, turn).address})

    def _answer(
        self, job: Job, text: str, outputs: tuple[FileRef, ...], *, cut: bool, at: str = ""
    ) -> Answer:
        return Answer(text=text, outputs=outputs, cut=cut, work=work_of(job), at=at)


def _money_left(job: Job) -> float | None:
    limit = job.options.budget.max_cost_usd
    return None if limit is None else max(0.0, limit - (job.usage.cost_usd or 0.0))


def _failed(job: Job, code: str, message: str) -> Job:
    failure = JobFailure(code=str(code), message=" ".join(message.split())[:2000])
    return job.moved("failed", result=JobResult(failure=failure))


def _trouble(error: WhetError | None) -> tuple[str, str]:
    if error is None:
        return "busy", "another process is at it"
    return (error.kind if isinstance(error, EngineFailure) else error.code), str(error)
