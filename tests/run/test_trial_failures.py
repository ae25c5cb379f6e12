"""A trial whose agent breaks: tried again by policy, each start recorded with what it cost."""

import asyncio
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import cast

import pytest
from pydantic import JsonValue

from tests.run.agents import (
    USED,
    Script,
    answers,
    ends,
    now,
    raises,
    runner,
    spec,
    yields,
)
from whet.core.errors import EngineFailure, EnvironmentProblem
from whet.core.execution import Outcome
from whet.core.failure import Failure
from whet.core.step import Called, Ended, Said, Step, Triggered
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.ports.pool import Handled
from whet.ports.store import Store
from whet.ports.workdir import Workdir

TRANSIENT = [failure for failure in Failure if failure.is_transient]


def tried(store: Store) -> list[tuple[Outcome | None, Failure | None]]:
    return [(e.outcome, e.failure) for e in store.ledger.executions(spec().address)]


def assert_crashed(handled: Handled, store: Store, message: str) -> None:
    """Settled without a record after one start, and the reason is one line."""
    assert handled.settled
    assert handled.record is None
    assert isinstance(handled.error, EngineFailure)
    assert handled.error.kind is Failure.CRASH
    assert message in str(handled.error)
    assert len(str(handled.error).splitlines()) == 1
    [execution] = store.ledger.executions(spec().address)
    assert (execution.outcome, execution.failure) == (Outcome.FAILED, Failure.CRASH)
    assert execution.error == str(handled.error)


@pytest.mark.parametrize("failure", TRANSIENT)
@pytest.mark.parametrize("raised", [True, False])
def test_trouble_that_passes_is_tried_again(
    store: Store, scratch: Path, failure: Failure, *, raised: bool
) -> None:
    script = raises(EngineFailure(failure, "so it is")) if raised else ends(failure)
    run, agent = runner(store, scratch, script, script, answers, retries=2)
    handled = asyncio.run(run(spec()))
    assert handled.record is not None
    assert handled.executions == len(agent.starts) == 3
    assert sorted(map(str, tried(store))) == sorted(
        map(str, [(Outcome.FAILED, failure)] * 2 + [(Outcome.ANSWERED, None)])
    )
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("retries", [0, 2])
def test_trouble_that_stays_is_an_error_without_a_record(
    store: Store, scratch: Path, retries: int
) -> None:
    run, agent = runner(store, scratch, ends(Failure.RATE_LIMIT), retries=retries)
    handled = asyncio.run(run(spec()))
    assert handled.settled
    assert handled.record is None
    assert isinstance(handled.error, EngineFailure)
    assert handled.error.kind is Failure.RATE_LIMIT
    assert handled.executions == len(agent.starts) == retries + 1
    assert tried(store) == [(Outcome.FAILED, Failure.RATE_LIMIT)] * (retries + 1)
    assert store.ledger.record(spec().address) is None


def test_a_later_run_tries_what_failed_again(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, ends(Failure.OVERLOAD), answers, retries=0)

    async def twice() -> list[Handled]:
        return [await run(spec()), await run(spec())]

    first, second = asyncio.run(twice())
    assert first.record is None
    assert second.record is not None
    assert len(agent.starts) == 2


def test_a_wrong_key_is_not_tried_again(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, ends(Failure.AUTH))
    handled = asyncio.run(run(spec()))
    assert isinstance(handled.error, EngineFailure)
    assert handled.error.kind is Failure.AUTH
    assert len(agent.starts) == 1


def test_a_failure_without_words_is_named_by_its_kind(store: Store, scratch: Path) -> None:
    run, _ = runner(store, scratch, ends(Failure.NETWORK, error=None), retries=0)
    assert str(asyncio.run(run(spec())).error) == "network"


def test_every_start_is_recorded_with_what_it_cost(store: Store, scratch: Path) -> None:
    """Money is summed over executions and nowhere else; failed ones cost money too."""
    dear = Usage(input_tokens=1000, cost_usd=2)
    script = ends(Failure.OVERLOAD, usage=dear)
    run, _ = runner(store, scratch, script, script, answers)
    handled = asyncio.run(run(spec()))
    executions = store.ledger.executions(spec().address)
    assert sorted(e.usage.cost_usd or 0 for e in executions) == [0.25, 2, 2]
    assert handled.cost_usd == 4.25
    assert handled.record is not None
    assert handled.record.usage == USED


def test_the_cost_is_told_when_all_starts_failed(store: Store, scratch: Path) -> None:
    run, _ = runner(store, scratch, ends(Failure.OVERLOAD), retries=1)
    assert asyncio.run(run(spec())).cost_usd == 0.5


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (raises(ZeroDivisionError("a bug\nin two lines")), "engine hand broke: ZeroDivisionError"),
        (raises(TimeoutError("a socket of its own")), "engine hand broke: TimeoutError"),
        (yields(), "engine hand stopped without an end"),
        (yields(Said(now(), "I go.")), "engine hand stopped without an end"),
        (
            yields(Called(now(), "1", "X", {"a": cast("JsonValue", object())}), Ended(now(), "")),
            "engine hand gave what cannot be kept",
        ),
        (
            yields(Called(now(), "1", "X", {"a": float("nan")}), Ended(now(), "")),
            "engine hand gave what cannot be kept",
        ),
    ],
    ids=["raises", "its own timeout", "nothing", "no end", "no JSON", "not a number"],
)
def test_a_bug_in_an_engine_costs_one_execution(
    store: Store, scratch: Path, script: Script, message: str
) -> None:
    run, _ = runner(store, scratch, script, retries=0)
    assert_crashed(asyncio.run(run(spec())), store, message)
    assert list(scratch.iterdir()) == []


def test_an_agent_whose_step_makes_no_sense_has_ended_before_its_folder_goes(
    store: Store, scratch: Path
) -> None:
    there: list[bool] = []

    async def script(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        try:
            yield Called(now(), "1", "X", cast("dict[str, JsonValue]", 7))
            yield Ended(now(), "")
        finally:
            await asyncio.sleep(0)
            there.append(workdir.work.is_dir())

    run, _ = runner(store, scratch, script, retries=0)

    async def settled() -> tuple[Handled, list[bool]]:
        return await run(spec()), [*there]

    handled, then = asyncio.run(settled())
    assert_crashed(handled, store, "engine hand broke: TypeError")
    assert then == [True]


def test_a_skill_s_name_that_no_document_can_hold(store: Store, scratch: Path) -> None:
    run, _ = runner(store, scratch, yields(Triggered(now(), "s\ud83d"), Ended(now(), "done")))
    record = asyncio.run(run(spec())).record
    assert record is not None
    assert record.skills_used == ("s?",)


def test_an_engine_that_cannot_work_here_is_not_tried_again(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, raises(EnvironmentProblem("no sandbox here")))
    handled = asyncio.run(run(spec()))
    assert isinstance(handled.error, EnvironmentProblem)
    assert len(agent.starts) == 1
    assert tried(store) == [(Outcome.FAILED, Failure.CRASH)]


async def wrecks(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Leaves nothing where anything was."""
    shutil.rmtree(workdir.root)
    yield Ended(now(), "done")


async def litters(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Leaves what no document can name."""
    (workdir.work / "a\\b").write_text("?")
    (workdir.work / "link").symlink_to("/")
    (workdir.work / "good.txt").write_text("good")
    yield Ended(now(), "done")


@pytest.mark.parametrize(("script", "outputs"), [(wrecks, []), (litters, ["good.txt"])])
def test_whatever_an_agent_does_to_its_folder_its_answer_stands(
    store: Store, scratch: Path, script: Script, outputs: list[str]
) -> None:
    run, _ = runner(store, scratch, script)
    record = asyncio.run(run(spec())).record
    assert record is not None
    assert record.answer == "done"
    assert record.outputs_cut
    assert [file.path for file in record.outputs] == outputs
