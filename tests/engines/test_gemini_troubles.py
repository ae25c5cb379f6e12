"""Everything that goes wrong with the real program, and what it is called here."""

import asyncio
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.engines.driving import SECONDS, Bench, Run, bench, left_running, nothing_runs
from tests.engines.gemini_trials import bash, gemini, several, trial
from whet.core.errors import UsageError, WhetError
from whet.core.failure import Failure
from whet.core.step import Called, Ended, Spent, Step
from whet.core.usage import Usage
from whet.testing.model_server import Conversation, Problem, Script, Tokens, Turn

pytestmark = pytest.mark.slow

TOO_LONG = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
CASES = {
    "KEY-401": (Problem(status=401, message="Sorry."), Failure.AUTH),
    "KEY-400": (Problem(status=400, message="API key not valid."), Failure.AUTH),
    "QUOTA": (Problem(status=429, message="Slow down."), Failure.RATE_LIMIT),
    "BROKEN": (Problem(status=500, message="Ouch."), Failure.OVERLOAD),
    "BUSY": (Problem(status=529, message="Not now."), Failure.OVERLOAD),
    "TOO-LONG": (Problem(status=400, message=TOO_LONG), Failure.CONTEXT),
    "REFUSED": (Turn(stop="refusal"), Failure.REFUSAL),
    "CUT": (Turn(text=("One ", "two."), cut=1), Failure.NETWORK),
    "LATER": (Problem(status=429, message="Slow down."), Failure.RATE_LIMIT),
}
SCRIPT = Script(
    conversations=(
        *(
            Conversation(
                marker=name,
                turns=(
                    *([Turn(calls=(bash("echo 1"),))] if name == "LATER" else []),
                    what if isinstance(what, Turn) else Turn(error=what),
                ),
            )
            for name, (what, _) in CASES.items()
        ),
        Conversation(
            marker="NO-SUCH-MODEL",
            turns=(Turn(error=Problem(status=404, message="models/no-such-model is not found.")),),
        ),
        Conversation(
            marker="WAIT",
            turns=(
                Turn(calls=(bash("echo started"),), usage=Tokens(input=9, output=4)),
                Turn(calls=(bash("sleep 600"),)),
            ),
        ),
        Conversation(marker="SILENCE", turns=(Turn(hang=True),)),
        Conversation(
            marker="HANG",
            turns=(
                Turn(calls=(bash("echo started"),), usage=Tokens(input=9, output=4)),
                Turn(hang=True),
            ),
        ),
    )
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Generator[Bench]:
    with bench(tmp_path_factory.mktemp("gemini"), SCRIPT) as made:
        yield made


@pytest.fixture(scope="module")
def outcomes(made: Bench) -> dict[str, Run | WhetError]:
    specs = [trial(made, name) for name in CASES]
    specs.append(trial(made, "NO-SUCH-MODEL", model="no-such-model"))
    return dict(zip([*CASES, "NO-SUCH-MODEL"], several(made, specs), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_troubles_are_sorted(outcomes: dict[str, Run | WhetError], name: str) -> None:
    run = outcomes[name]
    assert isinstance(run, Run)
    what, failure = CASES[name]
    ended = run.ended
    assert (ended.failure, ended.error) == (failure, ended.error)
    assert ended.error
    assert "\n" not in ended.error
    if isinstance(what, Problem):
        assert ended.error == what.message


def test_nothing_is_asked_twice(outcomes: dict[str, Run | WhetError], made: Bench) -> None:
    assert outcomes
    for name in CASES:
        asked = made.server.requests_for(name)
        assert len(asked) == (2 if name == "LATER" else 1), name


def test_what_was_used_before_the_trouble_is_charged(outcomes: dict[str, Run | WhetError]) -> None:
    run = outcomes["LATER"]
    assert isinstance(run, Run)
    assert run.ended.usage == Usage(input_tokens=100, output_tokens=10)


def test_an_unknown_model_is_named(outcomes: dict[str, Run | WhetError]) -> None:
    error = outcomes["NO-SUCH-MODEL"]
    assert isinstance(error, UsageError)
    assert str(error) == "gemini has no model 'no-such-model', or not for this login"


def test_a_service_that_is_not_there(made: Bench) -> None:
    engine = gemini(made, GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:9")
    ended = made.drive(engine, trial(made, "Hello?")).ended
    assert (ended.failure, ended.error) == (
        Failure.NETWORK,
        "exception TypeError: fetch failed sending request",
    )


def test_cancelled_it_leaves_no_process_and_is_charged(made: Bench) -> None:
    async def cancelled() -> tuple[list[Usage], float]:
        spent: list[Usage] = []
        waiting = asyncio.Event()
        spec = trial(made, "WAIT")
        with made.workdir(spec) as workdir:

            async def go() -> None:
                async for step in gemini(made).run(spec, workdir):
                    if isinstance(step, Spent):
                        spent.append(step.usage)
                    if _is_long(step):
                        waiting.set()

            task = asyncio.create_task(go())
            async with asyncio.timeout(SECONDS):
                await waiting.wait()
                await _until_asleep(workdir.root)
            begun = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert nothing_runs(workdir.root, SECONDS)
            return spent, time.monotonic() - begun

    spent, took = asyncio.run(cancelled())
    assert spent[0] == Usage(input_tokens=9, output_tokens=4)
    assert took < 30


def test_its_time_is_up(made: Bench) -> None:
    spec = trial(made, "SILENCE")
    limits = spec.stimulus.limits.model_copy(update={"timeout_seconds": 8.0})
    stimulus = spec.stimulus.model_copy(update={"limits": limits})
    handled = made.settle(gemini(made), spec.model_copy(update={"stimulus": stimulus}))
    assert handled.record is not None
    assert handled.record.failure is Failure.TIMEOUT
    assert nothing_runs(made.scratch_root, SECONDS)


def test_killed_it_crashes(made: Bench) -> None:
    async def killed() -> list[Step]:
        spec, steps = trial(made, "HANG"), list[Step]()
        with made.workdir(spec) as workdir:
            async with asyncio.timeout(SECONDS):
                async for step in gemini(made).run(spec, workdir):
                    steps.append(step)
                    if isinstance(step, Spent):
                        _kill_program(workdir.root)
            assert nothing_runs(workdir.root, SECONDS)
        return steps

    ended = asyncio.run(killed())[-1]
    assert isinstance(ended, Ended)
    assert (ended.failure, ended.usage.output_tokens) == (Failure.CRASH, 4)
    assert ended.error
    assert ended.error.startswith("signal 9")


def _is_long(step: Step) -> bool:
    return isinstance(step, Called) and step.params["command"] == "sleep 600"


async def _until_asleep(root: Path) -> None:
    while not any("sleep" in process.cmdline() for process in left_running(root)):  # noqa: ASYNC110
        await asyncio.sleep(0.05)


def _kill_program(root: Path) -> None:
    for process in left_running(root):
        if any(word.endswith("/gemini") for word in process.cmdline()):
            process.kill()
            return
    raise AssertionError("it does not run")
