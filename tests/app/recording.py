"""Apps whose only engine is one of ours, and the trials they recorded."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.app.opening import app_on
from tests.run.agents import Script, ScriptedAgent
from whet.app.app import App
from whet.app.parts import InstalledParts
from whet.core.access import widening
from whet.core.trial import TrialRecord, TrialSpec
from whet.ports.checker import Checker
from whet.ports.engine import Engine
from whet.ports.exporter import Exporter
from whet.ports.judge import Judge, JudgeSetup
from whet.ports.pool import Handled


@dataclass
class WithEngine:
    """The installed parts and one engine more."""

    more: Engine
    installed: InstalledParts

    def engine(self, name: str) -> Engine:
        return self.more if name == self.more.name else self.installed.engine(name)

    def engines(self) -> list[str]:
        return sorted({self.more.name, *self.installed.engines()})

    def judge(self, name: str, setup: JudgeSetup) -> Judge:
        return self.installed.judge(name, setup)

    def judges(self) -> Sequence[str]:
        return self.installed.judges()

    def checker(self, name: str) -> Checker:
        return self.installed.checker(name)

    def checkers(self) -> Sequence[str]:
        return self.installed.checkers()

    def exporter(self, name: str) -> Exporter:
        return self.installed.exporter(name)

    def exporters(self) -> Sequence[str]:
        return self.installed.exporters()


@contextmanager
def app_with(workspace: Path, engine: Engine) -> Generator[App]:
    """An app that has *engine* besides the installed ones."""
    with app_on(workspace) as app:
        yield replace(app, parts=WithEngine(engine, InstalledParts(app.settings.machine)))


def hand(*scripts: Script, name: str = "hand", simulated: bool = False) -> ScriptedAgent:
    return ScriptedAgent(list(scripts), name=name, simulated=simulated)


def handled(app: App, spec: TrialSpec, retries: int = 2) -> Handled:
    """Run a trial whose options a person here has agreed to."""
    app.access.give(spec.engine, widening(spec.options))
    return asyncio.run(app.runner(retries)(spec))


def recorded(app: App, spec: TrialSpec) -> TrialRecord:
    """The record of a trial that must come to one."""
    done = handled(app, spec)
    assert done.record is not None, done.error
    return done.record
