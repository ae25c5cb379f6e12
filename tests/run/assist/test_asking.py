"""The flows on a real runner: records, further series, real engines."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.run.agents import USED, Script, now, runner
from tests.run.assist.models import sessions
from whet.app.parts import InstalledParts
from whet.core.errors import EnvironmentProblem
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.ports.machine import Machine
from whet.ports.store import Store
from whet.ports.workdir import Workdir
from whet.run.ask import TrialAsk
from whet.run.assist.asking import How, how
from whet.run.assist.autotag import Tagged, auto_tag
from whet.run.assist.tags import Target

SKILL = Target("skill", "a1", "Python helper", text="Write functions.")


def says(text: str) -> Script:
    async def script(_spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        yield Ended(now(), text, USED)

    return script


def test_an_answer_is_paid_for_once_and_a_failure_can_be_mended(
    store: Store, scratch: Path, tmp_path: Path
) -> None:
    made, agent = runner(store, scratch, says("No."), says("Never."), says('{"tags": ["a", "b"]}'))
    hand = how(agent, "m")
    assert hand == How("hand", "m", "1")

    async def thrice() -> list[Tagged]:
        ask = TrialAsk(made)
        return [await auto_tag(ask, SKILL, hand, sessions(tmp_path)) for _ in range(3)]

    failed, mended, again = asyncio.run(thrice())
    assert (failed.log.status, failed.log.raw_output, failed.tags) == ("failed", "Never.", ())
    assert [tag.value for tag in mended.tags] == ["a", "b"]
    assert [tag.value for tag in again.tags] == ["a", "b"]
    assert len(agent.starts) == 3, "the third time it is on record"


def test_an_installed_engine_is_asked_as_it_is(tmp_path: Path) -> None:
    parts = InstalledParts(Machine({"PATH": str(tmp_path)}, tmp_path))
    simulated = how(parts.engine("simulated"), "opus")
    assert (simulated.engine, simulated.model, simulated.simulated) == (
        "simulated",
        "simulated",
        True,
    )
    assert simulated.version
    with pytest.raises(EnvironmentProblem, match="not found"):
        how(parts.engine("claude"))
