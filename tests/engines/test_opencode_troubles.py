"""What can go wrong with the real opencode: six troubles at once, then a hang and a kill."""

import asyncio
import json
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import psutil
import pytest

from tests.engines.driving import SECONDS, Bench, Run, bench, left_running
from whet.core.failure import Failure
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.engines.opencode import OpencodeEngine
from whet.ports.workdir import Workdir
from whet.testing.model_server import Conversation, Problem, Script, ToolCall, Turn

pytestmark = pytest.mark.slow

FULL = "This model's maximum context length is 1000 tokens. However, you sent 2000 tokens."
ENOUGH = 10.0
LOOK = ToolCall(action="shell", arguments={"command": "true"})


@dataclass(frozen=True)
class Trouble:
    failure: Failure
    turns: tuple[Turn, ...]
    says: str
    requests: int
    """The most that may be made of it."""


TROUBLES = {
    "limited": Trouble(
        Failure.RATE_LIMIT, (Turn(error=Problem(status=429)),), "429: the script says so", 2
    ),
    "cut": Trouble(
        Failure.NETWORK,
        (Turn(text=("a", "b"), cut=2),),
        "the model's stream broke off 3 times",
        100,
    ),
    "stranger": Trouble(
        Failure.AUTH, (Turn(error=Problem(status=401, message="no such key")),), "no such key", 1
    ),
    "full": Trouble(
        Failure.CONTEXT,
        (Turn(error=Problem(status=400, type="context_length_exceeded", message=FULL)),),
        FULL,
        2,
    ),
    "refused": Trouble(
        Failure.REFUSAL,
        (Turn(text="I will not.", stop="refusal"),),
        "The response was blocked by the provider's content filter",
        1,
    ),
    "endless": Trouble(Failure.MAX_TURNS, (Turn(calls=(LOOK,)),) * 9, "stopped after 2 turns", 4),
}
SCRIPT = Script(
    conversations=(
        *(Conversation(marker=f"<{name}>", turns=it.turns) for name, it in TROUBLES.items()),
        Conversation(marker="<hang>", turns=(Turn(text=("a", "b"), cut=2, hang=True),)),
    )
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with bench(tmp_path_factory.mktemp("opencode"), SCRIPT) as one:
        yield one


@pytest.fixture(scope="module")
def runs(made: Bench) -> dict[str, Run]:
    """All six at the same time, each with a model and a skill of its own."""

    async def all_at_once() -> list[Run]:
        return await asyncio.gather(*(made.driven(agent, spec) for agent, spec in trials))

    trials = [_trial(made, name) for name in TROUBLES]
    return dict(zip(TROUBLES, asyncio.run(all_at_once()), strict=True))


def _trial(made: Bench, name: str) -> tuple[OpencodeEngine, TrialSpec]:
    machine = made.machine("opencode", OPENAI_BASE_URL=f"{made.url}/v1", OPENAI_API_KEY="test-key")
    agent = OpencodeEngine(machine)
    skill = made.package(
        {"SKILL.md": f"---\nname: about-{name}\ndescription: The skill of {name}.\n---\nBe.\n"}
    )
    most = 2 if name == "endless" else 50
    spec = made.spec(agent, f"<{name}>", model=f"model-{name}", skill=skill, max_turns=most)
    return agent, spec


@pytest.mark.parametrize("name", TROUBLES)
def test_a_trouble_is_known_for_what_it_is(runs: dict[str, Run], made: Bench, name: str):
    trouble, ended = TROUBLES[name], runs[name].ended
    assert (ended.failure, ended.error) == (trouble.failure, trouble.says)
    assert len(made.server.requests_for(f"<{name}>")) <= trouble.requests


@pytest.mark.parametrize("name", TROUBLES)
def test_runs_at_the_same_time_do_not_mix(runs: dict[str, Run], made: Bench, name: str):
    assert runs[name].skills == []
    for request in made.server.requests_for(f"<{name}>"):
        body = (request.body or b"").decode()
        assert json.loads(body)["model"] == f"model-{name}"
        others = [other for other in TROUBLES if f"The skill of {other}." in body]
        # A summary is asked for without any skills.
        assert others in ([name], [])


async def _until_asked(made: Bench, count: int) -> None:
    await asyncio.to_thread(made.server.wait_for, count, SECONDS)


def _started(made: Bench, workdir: Workdir) -> asyncio.Task[list[Step]]:
    agent, spec = _trial(made, "hang")

    async def steps() -> list[Step]:
        return [step async for step in agent.run(spec, workdir)]

    return asyncio.create_task(steps())


def _wait_until_gone(workdir: Workdir) -> None:
    """What was killed may take a moment to be gone."""
    latest = time.monotonic() + ENOUGH
    while (left := left_running(workdir.root)) and time.monotonic() < latest:
        time.sleep(0.05)
    assert left == []


def test_a_hang_can_be_cancelled_and_leaves_nothing(made: Bench):
    async def cancelled(workdir: Workdir) -> float:
        before = len(made.server.requests)
        task = _started(made, workdir)
        await _until_asked(made, before + 1)
        assert left_running(workdir.root)
        begun = time.monotonic()
        task.cancel()
        await asyncio.wait({task})
        return time.monotonic() - begun

    _, spec = _trial(made, "hang")
    with made.workdir(spec) as workdir:
        seconds = asyncio.run(cancelled(workdir))
        _wait_until_gone(workdir)
    assert seconds < ENOUGH


def test_a_killed_program_is_a_crash(made: Bench):
    async def killed(workdir: Workdir) -> list[Step]:
        before = len(made.server.requests)
        task = _started(made, workdir)
        await _until_asked(made, before + 1)
        for process in left_running(workdir.root):
            with suppress(psutil.NoSuchProcess):
                if process.name() == "opencode":
                    process.send_signal(signal.SIGKILL)
        return await asyncio.wait_for(task, SECONDS)

    _, spec = _trial(made, "hang")
    with made.workdir(spec) as workdir:
        steps = asyncio.run(killed(workdir))
        _wait_until_gone(workdir)
    ended = steps[-1]
    assert isinstance(ended, Ended)
    assert ended.failure is Failure.CRASH
    assert ended.error
    assert "signal 9" in ended.error or "137" in ended.error
