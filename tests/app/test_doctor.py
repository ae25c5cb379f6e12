"""What of a machine can be used."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.run.agents import OneEngine
from whet.app.doctor import EngineReport, diagnose, inspected, reached
from whet.app.settings import read
from whet.core.errors import EnvironmentProblem
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.ports.inspected import Inspection
from whet.ports.workdir import Workdir


@dataclass
class Agent:
    """An engine that looks as it is told to."""

    looks: Inspection
    name: str = "agent"
    simulated: bool = False
    sandboxed: bool = False

    def version(self, _options: Mapping[str, JsonValue]) -> str:
        if self.looks.version is None:
            raise EnvironmentProblem("not there")
        return self.looks.version

    async def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        yield Ended(datetime.now(UTC), f"{spec.address} in {workdir.root}")

    def inspect(self) -> Inspection:
        return self.looks

    def secrets(self, _options: Mapping[str, JsonValue]) -> Sequence[str]:
        return ()


def look(looks: Inspection, *, by_proxy: bool = False) -> EngineReport:
    async def both() -> EngineReport:
        parts = OneEngine(Agent(looks))
        (report,) = await inspected(parts)
        return await reached(parts, report, by_proxy=by_proxy)

    return asyncio.run(both())


def test_an_engine_is_shown_as_it_is() -> None:
    looks = Inspection(installed=True, version="1.2.3", program="/bin/agent", credential="KEY")
    report = look(looks)
    assert (report.installed, report.version, report.credential) == (True, "1.2.3", "KEY")
    assert (report.reachable, report.problem) == (None, None)


def test_a_missing_one_comes_with_its_fix() -> None:
    report = look(Inspection(installed=False, problem="agent: command not found", fix="get it"))
    assert (report.installed, report.problem, report.fix) == (
        False,
        "agent: command not found",
        "get it",
    )


def test_the_service_behind_it_is_knocked_at() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        looks = Inspection(installed=True, version="1", endpoints=(address,))
        assert look(looks).reachable is True
    report = look(looks)
    assert report.reachable is False
    assert report.problem == f"cannot reach {address}: Connection refused"
    assert report.fix
    behind = look(looks, by_proxy=True)
    assert (behind.reachable, behind.problem) == (None, None)


def test_a_machine_without_programs(tmp_path: Path) -> None:
    settings = read(
        tmp_path / "workspace", {"WHET_SCRATCH": str(tmp_path), "PATH": str(tmp_path / "empty")}
    )
    found = asyncio.run(diagnose(settings, live=False))
    by_name = {report.name: report for report in found.engines}
    assert set(by_name) >= {
        "claude",
        "codex",
        "command",
        "gemini",
        "opencode",
        "replay",
        "simulated",
    }
    for name in ("claude", "codex", "gemini", "opencode"):
        assert not by_name[name].installed
        assert by_name[name].fix, name
        assert name in (by_name[name].problem or "")
    assert by_name["simulated"].simulated
    assert found.is_healthy
    assert not settings.workspace.exists(), "looking makes nothing"


def test_trouble_for_all_is_no_health(tmp_path: Path) -> None:
    (tmp_path / "whet.db").write_text("a diary")
    settings = read(tmp_path, {"WHET_SCRATCH": str(tmp_path), "PATH": ""})
    found = asyncio.run(diagnose(settings, live=False))
    assert found.database.problem
    assert found.database.fix
    assert not found.is_healthy


@pytest.mark.parametrize("wish", ["required", "auto", "off"])
def test_the_sandbox_is_the_one_that_trials_get(tmp_path: Path, wish: str) -> None:
    settings = read(tmp_path, {"WHET_SCRATCH": str(tmp_path), "WHET_SANDBOX": wish})
    found = asyncio.run(diagnose(settings, live=False)).sandbox
    assert found.wish == wish
    if wish == "off":
        assert (found.used, found.confined) == ("none", ())
        assert found.open
    else:
        assert found.used in ("bubblewrap", "landlock", "none", None)
        assert bool(found.confined) == (found.used in ("bubblewrap", "landlock"))
