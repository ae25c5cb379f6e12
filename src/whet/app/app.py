"""The composition root: one ``App`` joins the parts for as long as a command runs."""

import re
import shutil
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from whet.app.access import Access
from whet.app.clock import SystemClock
from whet.app.config import machine_of
from whet.app.foreign_runs import ForeignRuns, foreign_runs
from whet.app.parts import InstalledParts
from whet.app.secret_store import SecretStore
from whet.app.secret_sweep import sweep_secrets
from whet.app.settings import Settings
from whet.core.budget import Purse
from whet.core.case import Case
from whet.core.drain import Drain
from whet.core.errors import EngineFailure, EnvironmentProblem
from whet.documents.files import make_workspace, sweep_temporary_folders, sweep_unfinished
from whet.ports.capable import Capable
from whet.ports.clock import Clock
from whet.ports.credentialed import Credentialed
from whet.ports.engine import Engine
from whet.ports.judge import JudgeSetup
from whet.ports.parts import Parts
from whet.ports.store import Store
from whet.run.deferred import DeferredWrites
from whet.run.live import Live
from whet.run.workdir import Scratch
from whet.run.workdir import sweep as sweep_scratch
from whet.stores.backend import Sealing
from whet.stores.group_commit import GroupCommit
from whet.stores.owners import Owner, is_alive, sweep
from whet.stores.sql import SqlStore

if TYPE_CHECKING:
    from whet.run.ask import TrialAsk
    from whet.run.trial import TrialRunner

UPLOADS = ".uploads"
"""In the workspace: a folder for each process that is being sent files."""

_EARLIER = re.compile(r"\.[a-z0-9_]{8}")
"""Folders for uploads and for what was being built, as earlier versions named them."""

CANNOT_DO = (
    "the {engine} agent cannot do this task; this is no measurement — use a real engine, "
    "or `whet model-server` to rehearse"
)
MOST_NAMED = 10
"""Tasks that are named in one message."""


@dataclass(frozen=True)
class App:
    """Everything a door needs."""

    settings: Settings
    clock: Clock
    parts: Parts
    store: Store
    writer: GroupCommit
    scratch: Scratch
    owner: Owner
    live: Live
    """Where executions are followed."""

    foreign: ForeignRuns
    """Unfinished runs and jobs that came with the workspace from elsewhere."""

    door: Literal["person", "server"] = "person"
    """Who asks: a person at this machine, or whoever reaches its server."""

    drain: Drain = field(default_factory=Drain)
    """Says when this process is about to end."""

    deferred: DeferredWrites = field(default_factory=DeferredWrites)
    """What has to be written as soon as the disk has room."""

    @property
    def access(self) -> Access:
        """Decides which options and sandboxes agents may have here."""
        return Access(self.settings, self.door)

    @property
    def secrets(self) -> SecretStore:
        """Where the values of secrets lie, outside the workspace."""
        return SecretStore(self.settings)

    def runner(self, retries: int) -> "TrialRunner":
        """The handler that settles trials in this process."""
        from whet.run.trial import TrialRunner  # large; lists and views run nothing

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
            check=self.access.check_trial,
            drain=self.drain,
            deferred=self.deferred,
            reveal=self.secrets.reveal,
        )

    def ask(self, purse: Purse | None = None, retries: int = 2) -> "TrialAsk":
        """Any engine as a one-shot model, paid from *purse*."""
        from whet.run.ask import TrialAsk  # large; lists and views ask nobody

        return TrialAsk(self.runner(retries), self.sandbox, purse=purse)

    def judge_setup(
        self, engine: str = "", model: str = "", purse: Purse | None = None
    ) -> JudgeSetup:
        """What a judge is made with."""
        return JudgeSetup(self.ask(purse), engine, model)

    def sandbox(self, engine: Engine) -> str:
        """The sandbox that trials of this engine run in here; raises ``EnvironmentProblem``."""
        return self.access.sandbox() if engine.sandboxed else "none"

    def script_sandbox(self) -> str:
        """The sandbox that scripts of a trusted suite run in; raises ``EnvironmentProblem``, and
        ``ConsentNeeded`` where a request over HTTP may not have them run."""
        self.access.allow_scripts()
        return self.access.sandbox()

    def require_sandbox(self, engine: str, pinned: str) -> None:
        """Refuse trials that were planned with a weaker sandbox than agents get here."""
        self.access.require_sandbox(self.parts.engine(engine), pinned)

    def require_credential(self, engine: str, model: str) -> None:
        """Refuse to start an agent that has no credential for *model*, before anything is run;
        raises ``EnvironmentProblem`` with the fix."""
        agent = self.parts.engine(engine)
        if isinstance(agent, Credentialed):
            try:
                agent.check_credential(model)
            except EngineFailure as lack:
                raise EnvironmentProblem(str(lack)) from lack

    def upload_folder(self) -> tempfile.TemporaryDirectory[str]:
        """A folder for files of any size that are being sent to us: where the workspace is, there
        is room for them. It goes with the process, even if that is killed. Raises
        ``EnvironmentProblem``."""
        root = self.settings.workspace / UPLOADS / self.owner.id
        try:
            root.mkdir(parents=True, exist_ok=True)
            return tempfile.TemporaryDirectory(dir=root)
        except OSError as error:
            raise EnvironmentProblem(f"cannot use {root}: {error.strerror}") from error

    def require_ability(self, engine: str, cases: Sequence[Case], kind: str) -> None:
        """Refuse tasks that an agent cannot do, as zeros would say nothing of a skill; raises
        ``EnvironmentProblem``, which names those of each *kind* where they are not all."""
        agent = self.parts.engine(engine)
        if not isinstance(agent, Capable):
            return
        undone = [case.id for case in cases if not agent.can_do(case.stimulus.prompt)]
        if undone:
            named = [*undone[:MOST_NAMED], *(["…"] if len(undone) > MOST_NAMED else [])]
            some = f"{kind} {', '.join(named)}: " if len(undone) < len(cases) else ""
            raise EnvironmentProblem(some + CANNOT_DO.format(engine=agent.name))

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
            make_workspace(settings.workspace)
            owner = stack.enter_context(Owner(owners))
            sweep(owners)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot use the workspace {settings.workspace}: {error.strerror}"
            ) from error
        alive = partial(is_alive, owners)
        store = SqlStore(
            settings.workspace, alive, clock, settings.database_url, _sealing(settings)
        )
        stack.callback(store.close)
        writer = GroupCommit(store)
        sweep_scratch(settings.scratch, time.time())
        sweep_temporary_folders()
        scratch = Scratch(settings.scratch / owner.id, store.blobs)
        stack.callback(scratch.close)
        live = Live(settings.workspace / ".live", alive)
        live.sweep()
        stack.callback(_make_uploads(settings.workspace / UPLOADS, owner.id, alive))
        _sweep_workspace(settings.workspace)
        parts = InstalledParts(machine_of(settings))
        sweep_secrets(settings, store)
        stack.callback(sweep_secrets, settings, store)
        foreign = foreign_runs(Access(settings), store)
        app = App(settings, clock, parts, store, writer, scratch, owner, live, foreign)
        stack.callback(app.deferred.retry)
        yield app


def _sweep_workspace(workspace: Path) -> None:
    """Remove what killed processes were building, also under the names of earlier versions."""
    for root in (workspace / "projects", *workspace.glob("evals/*/*")):
        sweep_unfinished(root)
    for name in ("projects", "requests"):
        for folder in workspace.glob(f"{name}/.*"):
            if _EARLIER.fullmatch(folder.name) and folder.is_dir() and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)


def _sealing(settings: Settings) -> Sealing:
    """Puts the secrets aside that an older version left in the workspace."""
    secrets = SecretStore(settings)
    return Sealing(
        lambda place, value, owner: secrets.put_aside(value, place, owner),
        partial(_seal_projects, settings.workspace, secrets),
    )


def _seal_projects(workspace: Path, secrets: SecretStore) -> None:
    from whet.evaluate.project import options as engine_options
    from whet.evaluate.project import projects

    for project in projects(workspace).found:
        cli = project.config.cli_config
        sealed = secrets.seal(engine_options(cli))
        flags = sealed.pop("extra_flags", None)
        change: dict[str, object] = {"options": sealed or None}
        if isinstance(flags, list):
            change["extra_flags"] = tuple(map(str, flags))
        after = cli.model_copy(update=change).lean()
        if after.to_data() != cli.to_data():
            project.saved(cli_config=after)


def _make_uploads(root: Path, owner: str, alive: Callable[[str], bool]) -> Callable[[], None]:
    """Remove what killed processes were sent; returns what removes our own at the end."""
    for folder in root.iterdir() if root.is_dir() else ():
        if not alive(folder.name):
            shutil.rmtree(folder, ignore_errors=True)
    return partial(shutil.rmtree, root / owner, ignore_errors=True)
