"""What of this machine whet can use, and the exact fix for whatever is missing."""

import asyncio
import os
import platform
import re
import secrets
import shlex
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from whet import __version__
from whet.app.app import opened
from whet.app.config import machine_of
from whet.app.parts import InstalledParts
from whet.app.settings import Settings
from whet.core.case import Limits, Stimulus
from whet.core.errors import EnvironmentProblem, WhetError
from whet.core.trial import TrialSpec
from whet.core.value import Value
from whet.documents.files import is_read_only
from whet.ports.engine import Engine
from whet.ports.inspected import Inspected, Inspection
from whet.ports.parts import Parts
from whet.ports.pool import Handler
from whet.shell.sandbox import choose
from whet.shell.strength import explain
from whet.stores.checkup import check_database

LITTLE_ROOM = 512 * 1024 * 1024
_CONNECT_SECONDS = 3.0
_PROXY = re.compile(r"(?:HTTPS?|ALL)_PROXY", re.IGNORECASE)
_LIVE = Stimulus(
    prompt="Answer with the one word: ready", limits=Limits(timeout_seconds=120, max_turns=1)
)


class Live(Value):
    """What came of a real, paid question."""

    ok: bool
    seconds: float
    cost_usd: float | None = None
    error: str | None = None


class EngineReport(Value):
    """One engine, whether it could run now, and what it would take."""

    name: str
    installed: bool
    version: str | None = None
    program: str | None = None
    program_setting: str | None = None
    """The setting that chose the program; None for the one on the PATH."""

    credential: str | None = None
    """Where its credential comes from; never what it is."""

    simulated: bool = False
    abilities: tuple[str, ...] = ()
    reachable: bool | None = None
    """Whether the model's service lets itself be connected to; None when nobody tried."""

    problem: str | None = None
    fix: str | None = None
    live: Live | None = None


class Engines(Value):
    """The agents that whet can drive here."""

    engines: tuple[EngineReport, ...]


class SandboxReport(Value):
    """The sandbox that agents run in here."""

    wish: str
    used: str | None
    """None when one is required and none works."""

    confined: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    problem: str | None = None
    fix: str | None = None


class DatabaseReport(Value):
    """The database of the workspace."""

    kind: str
    """``sqlite`` or ``postgresql``."""

    path: str
    """The file, or the address of the server without its password."""

    size_bytes: int | None
    problem: str | None = None
    fix: str | None = None


class DiskReport(Value):
    """Room for one of the folders that whet writes to."""

    purpose: str
    path: str
    free_bytes: int | None
    problem: str | None = None
    fix: str | None = None


class Diagnosis(Value):
    """All of it."""

    whet: str
    python: str
    system: str
    engines: tuple[EngineReport, ...]
    sandbox: SandboxReport
    database: DatabaseReport
    disks: tuple[DiskReport, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether nothing stands in the way of every engine alike."""
        rest = (self.sandbox, self.database, *self.disks)
        return all(report.problem is None for report in rest)


async def diagnose(settings: Settings, *, live: bool) -> Diagnosis:
    """Look at everything, at no cost unless *live* asks the models themselves."""
    parts = InstalledParts(machine_of(settings))
    engines = await inspected(parts)
    by_proxy = any(map(_PROXY.fullmatch, settings.machine.environment))
    engines = await asyncio.gather(*(reached(parts, each, by_proxy=by_proxy) for each in engines))
    if live:
        engines = await _answered(settings, engines)
    return Diagnosis(
        whet=__version__,
        python=platform.python_version(),
        system=platform.platform(),
        engines=tuple(engines),
        sandbox=_sandbox(settings),
        database=_database(settings),
        disks=(
            _disk("workspace", settings.workspace, "--workspace"),
            _disk("scratch", settings.scratch, "WHET_SCRATCH"),
        ),
    )


async def inspected(parts: Parts) -> Sequence[EngineReport]:
    """Every engine in order of name; the programs behind them are asked side by side."""
    return await asyncio.gather(
        *(asyncio.to_thread(engine_report, parts, name) for name in parts.engines())
    )


def engine_report(parts: Parts, name: str) -> EngineReport:
    """One engine; its program is asked for its version."""
    try:
        engine = parts.engine(name)
        found = _inspection(engine)
    except WhetError as error:
        return EngineReport(name=name, installed=False, problem=str(error))
    return EngineReport(
        name=name,
        installed=found.installed,
        version=found.version,
        program=found.program,
        program_setting=found.program_setting,
        credential=found.credential,
        simulated=engine.simulated,
        abilities=tuple(sorted(found.abilities)),
        problem=found.problem,
        fix=found.fix,
    )


def _inspection(engine: Engine) -> Inspection:
    if isinstance(engine, Inspected):
        return engine.inspect()
    return Inspection(installed=True, version=engine.version({}))


async def reached(parts: Parts, report: EngineReport, *, by_proxy: bool = False) -> EngineReport:
    """Whether the service behind an engine can be connected to; nothing is sent.

    Where there is a proxy, agents may reach what is out of our reach: then nobody knows.
    """
    if report.problem is not None or not isinstance(engine := parts.engine(report.name), Inspected):
        return report
    endpoints = (await asyncio.to_thread(engine.inspect)).endpoints
    if not endpoints:
        return report
    host, _, port = endpoints[0].rpartition(":")
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, TimeoutError) as error:
        if by_proxy:
            return report
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else "no answer"
        change = {
            "reachable": False,
            "problem": f"cannot reach {endpoints[0]}: {reason}",
            "fix": "check the network, or the address of the service in your environment",
        }
        return report.model_copy(update=change)
    writer.close()
    return report.model_copy(update={"reachable": True})


async def _answered(settings: Settings, reports: Sequence[EngineReport]) -> list[EngineReport]:
    """Ask each agent that has a credential one short question."""
    with opened(settings) as app:
        run = app.runner(retries=0)

        async def ask(report: EngineReport) -> EngineReport:
            engine = app.parts.engine(report.name)
            can = isinstance(engine, Inspected) and engine.inspect().has_default_model
            if report.credential is None or report.problem is not None or not can:
                return report
            spec = TrialSpec(
                scope="doctor",
                series=secrets.randbits(31),
                skill=None,
                stimulus=_LIVE,
                engine=report.name,
                engine_version=engine.version({}),
                model="default",
                sandbox=app.sandbox(engine),
            )
            return report.model_copy(update={"live": await _live(run, spec)})

        return await asyncio.gather(*map(ask, reports))


async def _live(run: Handler, spec: TrialSpec) -> Live:
    begun = time.monotonic()
    handled = await run(spec)
    record = handled.record
    error = record.error if record else str(handled.error)
    return Live(
        ok=record is not None and record.status == "completed",
        seconds=round(time.monotonic() - begun, 2),
        cost_usd=record.usage.cost_usd if record else None,
        error=error,
    )


def _sandbox(settings: Settings) -> SandboxReport:
    try:
        used = choose(settings.sandbox)
    except EnvironmentProblem as error:
        better = explain("none").better
        return SandboxReport(wish=settings.sandbox, used=None, problem=str(error), fix=better)
    found = explain(used)
    return SandboxReport(
        wish=settings.sandbox, used=used, confined=found.confined, open=found.open, fix=found.better
    )


def _database(settings: Settings) -> DatabaseReport:
    found = check_database(settings.workspace, settings.database_url)
    return DatabaseReport(
        kind=found.kind,
        path=found.place,
        size_bytes=found.size_bytes,
        problem=found.problem,
        fix=found.fix,
    )


def _disk(purpose: str, path: Path, setting: str) -> DiskReport:
    """Room where the folder is, or would be made."""
    place = next(folder for folder in (path, *path.parents) if folder.exists())
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        problem = f"cannot be looked at: {error.strerror}"
        return DiskReport(purpose=purpose, path=str(path), free_bytes=None, problem=problem)
    problem = None
    if is_read_only(place):
        problem = f"{place} is on a read-only file system"
    elif not os.access(place, os.W_OK):
        problem = f"{place} is not writable"
    elif free < LITTLE_ROOM:
        problem = "little room"
    fix = f"choose another folder with {setting}" if problem else None
    if problem is None and purpose == "workspace" and path == place:
        fix = _exposed(path)
    return DiskReport(purpose=purpose, path=str(path), free_bytes=free, problem=problem, fix=fix)


def _exposed(workspace: Path) -> str | None:
    """What keeps other users of the machine out of a workspace that they may look into."""
    if not workspace.stat().st_mode & 0o077:
        return None
    command = f"chmod 700 {shlex.quote(str(workspace))}"
    return f"others on this machine may look into it; keep them out: {command}"
