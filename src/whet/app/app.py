"""The composition root: one ``App`` joins the parts for as long as a command runs."""

import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial

from whet.app.clock import SystemClock
from whet.app.parts import InstalledParts
from whet.app.settings import Settings
from whet.core.budget import Purse
from whet.core.errors import EnvironmentProblem
from whet.ports.clock import Clock
from whet.ports.engine import Engine
from whet.ports.judge import JudgeSetup
from whet.ports.parts import Parts
from whet.ports.store import Store
from whet.ports.writer import Writer
from whet.run.ask import TrialAsk
from whet.run.live import Live
from whet.run.trial import TrialRunner
from whet.run.workdir import Scratch
from whet.run.workdir import sweep as sweep_scratch
from whet.shell.sandbox import choose
from whet.stores.group_commit import GroupCommit
from whet.stores.owners import Owner, is_alive, sweep
from whet.stores.sql import SqlStore


@dataclass(frozen=True)
class App:
    """Everything a door needs."""

    settings: Settings
    clock: Clock
    parts: Parts
    store: Store
    writer: Writer
    scratch: Scratch
    owner: Owner
    live: Live
    """Where executions are followed."""

    def runner(self, retries: int) -> TrialRunner:
        """The handler that settles trials in this process."""
        return TrialRunner(
            parts=self.parts,
            store=self.store,
            writer=self.writer,
            scratch=self.scratch,
            clock=self.clock,
            owner=self.owner.id,
            retries=retries,
            secrets=self.settings.secrets,
            live=self.live,
        )

    def ask(self, purse: Purse | None = None, retries: int = 2) -> TrialAsk:
        """Any engine as a one-shot model, paid from *purse*."""
        return TrialAsk(self.runner(retries), self.sandbox, purse=purse)

    def judge_setup(
        self, engine: str = "", model: str = "", purse: Purse | None = None
    ) -> JudgeSetup:
        """What a judge is made with."""
        return JudgeSetup(self.ask(purse), engine, model)

    def sandbox(self, engine: Engine) -> str:
        """The sandbox that trials of this engine run in here; raises ``EnvironmentProblem``."""
        return choose(self.settings.sandbox) if engine.sandboxed else "none"

    def script_sandbox(self) -> str:
        """The sandbox that scripts of a trusted suite run in; raises ``EnvironmentProblem``."""
        return choose(self.settings.sandbox)

    def require_sandbox(self, engine: str, pinned: str) -> None:
        """Refuse trials that were planned without a sandbox where one is required now."""
        runs_free = self.parts.engine(engine).sandboxed and pinned == "none"
        if runs_free and self.settings.sandbox == "required":
            raise EnvironmentProblem(
                "the project was made to run without a sandbox, and one is required here; "
                "make a new project"
            )

    def is_alive(self, owner: str) -> bool:
        """Whether the process behind an owner still runs."""
        return is_alive(self.owner.folder, owner)


@contextmanager
def opened(settings: Settings) -> Generator[App]:
    """The app on a workspace, which is made if it is not there."""
    with ExitStack() as stack:
        clock = SystemClock()
        owners = settings.workspace / ".owners"
        try:
            owner = stack.enter_context(Owner(owners))
            sweep(owners)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot use the workspace {settings.workspace}: {error.strerror}"
            ) from error
        alive = partial(is_alive, owners)
        store = SqlStore(settings.workspace, alive, clock, settings.database_url)
        stack.callback(store.close)
        writer = GroupCommit(store)
        sweep_scratch(settings.scratch, time.time())
        scratch = Scratch(settings.scratch / owner.id, store.blobs)
        stack.callback(scratch.close)
        live = Live(settings.workspace / ".live", alive)
        live.sweep()
        parts = InstalledParts(settings.machine)
        yield App(settings, clock, parts, store, writer, scratch, owner, live)
