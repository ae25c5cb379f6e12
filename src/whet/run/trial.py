"""Run a trial: claim it, execute it, record it. The only code that starts an agent.

Whatever happens, every started execution is closed with its outcome, or found abandoned by
whoever wants the claim next. Only an answer becomes the trial's record.
"""

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from pydantic import JsonValue

from whet.core.confidential import all_secrets_in, secrets_in
from whet.core.drain import Drain
from whet.core.errors import Conflict, EngineFailure, EnvironmentProblem, WhetError
from whet.core.execution import Execution, Outcome
from whet.core.failure import Failure
from whet.core.instant import iso
from whet.core.redaction import Redactor, redactor
from whet.core.step import Ended
from whet.core.trial import TrialRecord, TrialSpec
from whet.core.usage import Usage
from whet.ports.clock import Clock
from whet.ports.engine import Engine
from whet.ports.inspected import Inspected
from whet.ports.parts import Parts
from whet.ports.pool import Handled
from whet.ports.store import Store
from whet.ports.workdir import Workdir
from whet.ports.writer import Writer
from whet.run.attempt import Agent, Attempt
from whet.run.deferred import DeferredWrites
from whet.run.live import Live, Spool
from whet.run.lodging import Redactors, Stay, lodged
from whet.run.threads import in_thread
from whet.run.workdir import Kept, Scratch, keep

_LONGEST_PAUSE = 60.0
_FEW_FILES = 32
_FEW_BYTES = 256 * 1024


@dataclass(frozen=True)
class TrialRunner:
    """Settles trials for one owner; this is the handler that a pool calls."""

    parts: Parts
    store: Store
    writer: Writer
    scratch: Scratch
    clock: Clock
    owner: str
    retries: int
    retry_on: frozenset[Failure] = frozenset(kind for kind in Failure if kind.is_transient)
    """The troubles that are worth another execution."""

    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What must never be stored, besides the credentials of the engine itself."""

    live: Live | None = None
    """Where executions can be followed by others."""

    check: Callable[[Engine, TrialSpec], None] = lambda _engine, _spec: None
    """Raises for a trial that may not start on this machine, whoever planned it."""

    drain: Drain = field(default_factory=Drain)
    """Counts what is cancelled because this process is about to end."""

    deferred: DeferredWrites = field(default_factory=DeferredWrites)
    """Closes executions that could not be closed when they ended."""

    reveal: Callable[[Mapping[str, JsonValue]], dict[str, JsonValue]] = dict
    """Looks up the secrets that the options of a trial refer to; raises where one is not here."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Waits between two tries; a test may hand in its own."""

    async def __call__(self, spec: TrialSpec, stay: Stay | None = None) -> Handled:
        """Make sure that the trial has a record, if need be by several executions; each in a folder
        of its own, or where its conversation has its *stay*."""
        started, spent = 0, Usage()
        try:
            options = self.reveal(spec.options)
            engine = self._engine(spec, options)
            while True:
                clean = self._redactor(engine, options)
                claimed = await self._claim(spec)
                if not isinstance(claimed, Execution):
                    return Handled(claimed is not None, started, spent, claimed)
                started += 1
                closed, outcome = await self._execute(
                    engine, spec, claimed, _Private(options, clean), stay
                )
                spent += closed.usage
                if isinstance(outcome, TrialRecord):
                    return Handled(settled=True, executions=started, usage=spent, record=outcome)
                if not self._is_passing(outcome) or started > self.retries:
                    raise outcome
                if not engine.simulated:
                    await self.sleep(_pause(outcome, started))
        except WhetError as error:
            return Handled(settled=True, executions=started, usage=spent, error=error)

    def _is_passing(self, error: WhetError) -> bool:
        return isinstance(error, EngineFailure) and error.kind in self.retry_on

    def _engine(self, spec: TrialSpec, options: Mapping[str, JsonValue]) -> Engine:
        engine = self.parts.engine(spec.engine)
        self.check(engine, spec)
        if (version := engine.version(options)) != spec.engine_version:
            raise EnvironmentProblem(
                f"{spec.engine} is {version} here, but the experiment is pinned to "
                f"{spec.engine_version}: install that version or start a new experiment"
            )
        return engine

    def _redactor(self, engine: Engine, options: Mapping[str, JsonValue]) -> Redactor:
        own = engine.secrets(options) if isinstance(engine, Inspected) else ()
        return redactor((*self.secrets, *own, *secrets_in(dict(options))))

    async def _claim(self, spec: TrialSpec) -> Execution | TrialRecord | None:
        execution = Execution(
            id=secrets.token_hex(8),
            address=spec.address,
            generation=1,
            owner=self.owner,
            started_at=iso(self.clock.now()),
        )
        withdrawn = False
        if self.deferred.is_waiting:
            await in_thread(self.deferred.retry)

        def change() -> Execution | TrialRecord | None:
            if withdrawn:
                return None
            wanted = self.store.ledger.generation(spec.address)
            return self.store.ledger.claim(execution.model_copy(update={"generation": wanted}))

        try:
            return await self.writer(change)
        except asyncio.CancelledError:
            # The claim may be committed although nobody waits for it any more. From here on it
            # is either not made at all or there to be closed: a living process that holds a
            # claim without working on it would block the trial for everybody.
            withdrawn = True
            with contextlib.suppress(Conflict):
                self._close(_cancelled(execution))
            raise

    async def _execute(
        self,
        engine: Engine,
        spec: TrialSpec,
        execution: Execution,
        private: "_Private",
        stay: Stay | None,
    ) -> tuple[Execution, TrialRecord | WhetError]:
        """Run the agent once and close the execution; what it came to, or why to nothing."""
        agent = Agent(engine, private.options)
        attempt = Attempt(agent, spec, execution, self.clock, private.clean, stay)
        if self.live is None:
            return await self._attempt(attempt, spec, execution, private, stay)
        attempt.spool = Spool(self.live, engine, spec, execution, private.clean)
        try:
            return await self._attempt(attempt, spec, execution, private, stay)
        finally:
            attempt.spool.close()

    async def _attempt(
        self,
        attempt: Attempt,
        spec: TrialSpec,
        execution: Execution,
        private: "_Private",
        stay: Stay | None,
    ) -> tuple[Execution, TrialRecord | WhetError]:
        try:
            async with self._folders(execution, spec, stay) as folders:
                ended = await attempt.run(folders.workdir)
                kept = await _left(folders, spec, ended, private, stay)
            record, logs = attempt.recorded(ended, kept)
        except asyncio.CancelledError:
            # Nothing may be awaited any more; the close is a short transaction of its own.
            self.drain.cancelled += self.drain.is_on
            self._close(attempt.closed(Outcome.CANCELLED))
            raise
        except WhetError as error:
            error.args = tuple(private.clean.json(error.args))  # it is shown, and told in events
            return await self._failed(attempt, error), error
        except BaseException as error:
            # A bug of ours; a process that lives on must not hold the trial for ever.
            failed = attempt.closed(Outcome.FAILED, Failure.CRASH, repr(error))
            self._close(failed)
            raise
        closed = attempt.closed(Outcome.ANSWERED, ended.failure, ended.error)

        def change() -> None:
            for data in (*kept.files.values(), *logs):
                self.store.blobs.put(data)
            self.store.ledger.close(closed, record)

        try:
            await self._written(change, closed.model_copy(update={"outcome": Outcome.CANCELLED}))
        except WhetError as error:  # no room for the record: the answer is lost, the claim is not
            return await self._failed(attempt, error), error
        return closed, record

    @asynccontextmanager
    async def _folders(
        self, execution: Execution, spec: TrialSpec, stay: Stay | None
    ) -> AsyncGenerator["_Folders"]:
        if stay is None:
            with self.scratch.workdir(execution.id, spec) as workdir:
                yield _Folders(workdir)
            return
        # There may be a quarter of a gigabyte to lay out, and as much to remove.
        stack = ExitStack()
        enter = partial(stack.enter_context, lodged(stay, spec, self.store.blobs))
        folders = None
        try:
            workdir = enter() if _is_little(spec, stay) else await in_thread(enter)
            folders = _Folders(workdir, stack)
            yield folders
        finally:
            if folders is None or not folders.are_gone:
                await in_thread(stack.close)

    async def _failed(self, attempt: Attempt, error: WhetError) -> Execution:
        """Close an execution that led to nothing."""
        kind = error.kind if isinstance(error, EngineFailure) else Failure.CRASH
        failed = attempt.closed(Outcome.FAILED, kind, str(error))
        close = partial(self.store.ledger.close, failed, None)
        try:
            await self._written(close, failed)
        except EnvironmentProblem:
            self.deferred.add(close)
            raise
        return failed

    async def _written(self, change: Callable[[], None], else_: Execution) -> None:
        """Make a *change* that closes an execution. Whoever is cancelled meanwhile waits for it,
        and closes the execution as *else_* says if it could not be made."""
        writing = asyncio.ensure_future(self.writer(change))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait({writing})
            if isinstance(writing.exception(), EnvironmentProblem):
                self.deferred.add(partial(self.store.ledger.close, else_, None))
            raise

    def _close(self, execution: Execution) -> None:
        """Close an execution at once, or as soon as there is room for that."""
        self.deferred.attempt(partial(self.store.ledger.close, execution, None))


@dataclass(frozen=True)
class _Private:
    """What a trial has of secrets while it runs."""

    options: dict[str, JsonValue] = field(repr=False)
    clean: Redactor
    """Cleans what is kept of what the agent says and does."""

    def redactors(self) -> Redactors:
        """For what the next turn of a conversation finds."""
        every = [*self.clean.secrets, *all_secrets_in(self.options)]
        return Redactors(self.clean, Redactor(every))


@dataclass
class _Folders:
    """Of one execution; with what removes them, if that is to be done beside the event loop."""

    workdir: Workdir
    removal: ExitStack | None = None
    are_gone: bool = False


async def _left(
    folders: _Folders, spec: TrialSpec, ended: Ended, private: _Private, stay: Stay | None
) -> Kept:
    """What the agent left, read while its folder is still there."""
    if stay is None:
        return keep(folders.workdir, spec.stimulus.files, private.clean)

    def read() -> Kept:
        kept = keep(folders.workdir, stay.given, private.clean)
        stay.leaving(ended, folders.workdir, kept, private.redactors())
        if folders.removal is not None:
            folders.removal.close()
            folders.are_gone = True
        return kept

    return await in_thread(read)


def _is_little(spec: TrialSpec, stay: Stay) -> bool:
    """Whether a folder is filled sooner than a thread would begin to."""
    files = (*spec.stimulus.files, *(spec.skill.files if spec.skill else ()))
    is_small = len(files) <= _FEW_FILES and sum(file.size for file in files) <= _FEW_BYTES
    return stay.origin is None and is_small


def _pause(error: WhetError, started: int) -> float:
    """Seconds before the next try: a model that is asked too much gets time, more each time."""
    busy = {Failure.RATE_LIMIT, Failure.OVERLOAD, Failure.NETWORK}
    if isinstance(error, EngineFailure) and error.kind in busy:
        return min(_LONGEST_PAUSE, 2.0**started) * (0.5 + random.random() / 2)
    return 0


def _cancelled(execution: Execution) -> Execution:
    change = {"outcome": Outcome.CANCELLED, "ended_at": execution.started_at}
    return execution.model_copy(update=change)
