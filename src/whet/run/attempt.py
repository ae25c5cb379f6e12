"""One execution under way: the agent's steps, its wall-clock limit, and what it comes to."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from pydantic import JsonValue

from whet.core.address import digest_bytes
from whet.core.errors import EngineFailure, UsageError, WhetError
from whet.core.execution import Execution, Outcome
from whet.core.failure import Failure
from whet.core.instant import iso
from whet.core.redaction import Redactor
from whet.core.step import Ended, Returned, Step
from whet.core.text import storable
from whet.core.trial import TrialRecord, TrialSpec
from whet.documents.session_fold import MOST_OUTPUT
from whet.documents.tape import line
from whet.ports.clock import Clock
from whet.ports.conversing import Conversing
from whet.ports.engine import Engine
from whet.ports.tooled import Tooled
from whet.ports.workdir import Workdir
from whet.run.live import Spool
from whet.run.lodging import Stay
from whet.run.session import SessionFold
from whet.run.tape import Tape
from whet.run.workdir import Kept


@asynccontextmanager
async def _closed(steps: AsyncIterator[Step]) -> AsyncGenerator[AsyncIterator[Step]]:
    """Whatever happens here, the agent has ended before its folder goes."""
    try:
        yield steps
    finally:
        if isinstance(steps, AsyncGenerator):
            await steps.aclose()


@dataclass(frozen=True)
class Agent:
    """An engine, and the options it is given with the secrets in them, which nothing else sees."""

    engine: Engine
    options: dict[str, JsonValue] = field(repr=False)

    def told(self, spec: TrialSpec) -> TrialSpec:
        """The trial as the engine has to know it."""
        if self.options == spec.options:
            return spec
        return spec.model_copy(update={"options": self.options})


class Attempt:
    """Drives one agent and turns the result into values; it stores nothing."""

    def __init__(
        self,
        agent: Agent,
        spec: TrialSpec,
        execution: Execution,
        clock: Clock,
        redactor: Redactor,
        stay: Stay | None = None,
    ) -> None:
        self._agent = agent
        self._engine = engine = agent.engine
        self._spec = spec
        self._execution = execution
        self._clock = clock
        self._redactor = redactor
        self._stay = stay
        # Not when it was claimed: what it waited for then is no part of how long it took.
        self._started_at, self._begun = self._now(), time.monotonic()
        self._fold = SessionFold(spec, simulated=engine.simulated, started_at=self._started_at)
        self._tape = Tape(spec, redactor)
        self.spool: Spool | None = None
        """Where others can follow it."""

    async def run(self, workdir: Workdir) -> Ended:
        """Let the agent work until it ends or its time is up; raises ``EngineFailure``."""
        limit = self._spec.stimulus.limits.timeout_seconds
        timer = asyncio.timeout(limit)
        try:
            async with timer, _closed(self._steps(workdir)) as steps:
                async for step in steps:
                    self._take(self._redactor.step(step))
        except WhetError:
            raise
        except Exception as error:  # an engine's bug costs one execution, not the experiment
            # A TimeoutError may be the engine's own, of a socket or of a process it waits for.
            if not (isinstance(error, TimeoutError) and timer.expired()):
                raise self._crash(f"broke: {error!r}") from error
            if self._fold.ended is None:
                self._take(self._timed_out(limit))
        if (ended := self._fold.ended) is None:
            raise self._crash("stopped without an end")
        if ended.failure is not None and not ended.failure.is_answer:
            raise EngineFailure(ended.failure, ended.error or ended.failure)
        return ended

    def _steps(self, workdir: Workdir) -> AsyncIterator[Step]:
        conversation = self._stay.conversation if self._stay else None
        if conversation is None:
            return self._engine.run(self._agent.told(self._spec), workdir)
        if not isinstance(self._engine, Conversing):
            raise UsageError(f"{self._engine.name} cannot go on with a conversation")
        return self._engine.converse(self._agent.told(self._spec), workdir, conversation)

    def _take(self, step: Step) -> None:
        self._fold.add(step)
        written = self._tape.add(step)
        if self.spool is not None and written is not None:
            if isinstance(step, Returned) and len(step.output) > MOST_OUTPUT:
                written = line(self._fold.shortened(step))
            self.spool.take(written)
        if self._stay is not None:
            self._stay.heard(step)

    def _crash(self, what: str) -> EngineFailure:
        return EngineFailure(Failure.CRASH, f"engine {self._engine.name} {what}")

    def _timed_out(self, limit: float) -> Ended:
        return Ended(
            at=self._clock.now(),
            answer="",
            usage=self._fold.usage,
            failure=Failure.TIMEOUT,
            error=f"not done within {limit:g} s",
        )

    def closed(
        self, outcome: Outcome, failure: Failure | None = None, error: str | None = None
    ) -> Execution:
        """The execution as it is written when it is over, with what it is known to have used."""
        change = {
            "ended_at": self._now(),
            "outcome": outcome,
            "failure": failure,
            "error": error and storable(self._redactor.text(error)),
            "usage": self._fold.usage,
        }
        closed = self._execution.model_copy(update=change)
        if self.spool is not None:
            self.spool.end = closed
        return closed

    def recorded(self, ended: Ended, kept: Kept) -> tuple[TrialRecord, tuple[bytes, ...]]:
        """The trial's record with the session log and the tape that it names; raises
        ``EngineFailure``."""
        now = self._now()
        duration_ms = round((time.monotonic() - self._begun) * 1000)
        self._fold.tools = self._tools()
        session = self._session(self._fold.log(now, kept))
        tape = self._tape.data()
        record = TrialRecord(
            address=self._execution.address,
            generation=self._execution.generation,
            execution=self._execution.id,
            status="completed" if ended.failure is None else "failed",
            answer=storable(ended.answer),
            failure=ended.failure,
            error=ended.error and storable(ended.error),
            started_at=self._started_at,
            ended_at=now,
            duration_ms=duration_ms,
            usage=ended.usage,
            engine=self._spec.engine,
            engine_version=self._spec.engine_version,
            model=self._spec.model,
            sandbox=self._spec.sandbox,
            simulated=self._fold.simulated,
            outputs=kept.refs(),
            outputs_cut=kept.cut,
            deleted=kept.deleted,
            answered_by=ended.model and storable(ended.model),
            skills_used=tuple(map(storable, self._fold.skills)),
            estimated_tokens=self._fold.estimated_tokens,
            session=digest_bytes(session),
            tape=None if tape is None else digest_bytes(tape),
            conversation=ended.conversation,
        )
        if self.spool is not None:
            self.spool.session, self.spool.has_tape = record.session, tape is not None
        return record, (session,) if tape is None else (session, tape)

    def _tools(self) -> tuple[str, ...]:
        """Those that the agent has; none where nobody knows."""
        with contextlib.suppress(WhetError):
            if isinstance(self._engine, Tooled):
                return tuple(self._engine.tools(self._agent.options))
        return ()

    def _session(self, log: dict[str, JsonValue]) -> bytes:
        try:
            text = json.dumps(log, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise self._crash(f"gave what cannot be kept: {error}") from error
        return text.encode(errors="replace")

    def _now(self) -> str:
        return iso(self._clock.now())
