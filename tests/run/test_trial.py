"""A trial that ends: by an answer or by the agent's own limit, and is never run again."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from tests.run.agents import (
    USED,
    Waiting,
    answers,
    content,
    ends,
    files,
    now,
    runner,
    skill,
    spec,
    yields,
)
from whet.core.errors import EnvironmentProblem, NotFound, UnknownPart
from whet.core.execution import Execution, Outcome
from whet.core.failure import Failure
from whet.core.files import FileRef
from whet.core.step import Called, Ended, Said
from whet.core.trial import TrialRecord, TrialSpec
from whet.documents.session import Session
from whet.documents.text import parse_json
from whet.ports.pool import Handled
from whet.ports.store import Store

T = TypeVar("T")


def record_of(handled: Handled) -> TrialRecord:
    assert handled.record is not None, handled.error
    return handled.record


def only(store: Store, trial: TrialSpec) -> Execution:
    [execution] = store.ledger.executions(trial.address)
    return execution


def session(store: Store, record: TrialRecord) -> Session:
    return Session.parse(parse_json(store.blobs.get(record.session), "blob"), "blob")


def test_an_answer_is_recorded_with_all_that_belongs_to_it(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, answers)
    package = skill(files({"content.txt": b"Be sharp."}, store.blobs))
    trial = spec("磨刀", skill=package, given=files({"in.txt": b"in"}, store.blobs))
    handled = asyncio.run(run(trial))
    record = record_of(handled)
    assert (handled.settled, handled.executions, handled.cost_usd) == (True, 1, 0.25)
    assert store.ledger.record(trial.address) == record
    assert (record.status, record.answer, record.failure) == ("completed", "42", None)
    assert record.usage == USED
    output = "About 磨刀".encode()
    wanted = FileRef(path="answer.txt", digest=content(output), size=len(output))
    assert record.outputs == (wanted,)
    assert store.blobs.get(wanted.digest) == output
    assert session(store, record).summary.files_created == ("answer.txt",)
    execution = only(store, trial)
    assert (execution.outcome, execution.owner) == (Outcome.ANSWERED, "me")
    assert (execution.id, execution.usage) == (record.execution, USED)
    assert agent.starts == [trial.address]
    assert list(scratch.iterdir()) == []


def test_times_and_duration_of_a_trial_agree_however_long_it_waited_to_begin(
    store: Store, scratch: Path
) -> None:
    run, _ = runner(store, scratch, answers)

    async def busy(change: Callable[[], T]) -> T:
        """A database that others write to."""
        await asyncio.sleep(0.5)
        return await run.writer(change)

    record = record_of(asyncio.run(replace(run, writer=busy)(spec())))
    began, ended = map(datetime.fromisoformat, (record.started_at, record.ended_at))
    assert abs((ended - began) / timedelta(milliseconds=1) - record.duration_ms) < 250
    assert abs(session(store, record).summary.total_duration_ms - record.duration_ms) < 250


def test_a_trial_that_has_a_record_is_not_run_again(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, answers)

    async def twice() -> list[Handled]:
        return [await run(spec()), await run(spec())]

    first, second = asyncio.run(twice())
    assert second.record == first.record
    assert (second.settled, second.executions, second.cost_usd) == (True, 0, 0)
    assert len(agent.starts) == 1


@pytest.mark.parametrize("failure", [failure for failure in Failure if failure.is_answer])
def test_a_limit_of_its_own_is_the_agents_answer(
    store: Store, scratch: Path, failure: Failure
) -> None:
    run, agent = runner(store, scratch, ends(failure))
    handled = asyncio.run(run(spec()))
    record = record_of(handled)
    assert (record.status, record.failure, record.error) == ("failed", failure, "so it is")
    assert record.answer == "half"
    assert record.usage == USED
    assert (handled.executions, handled.cost_usd, len(agent.starts)) == (1, 0.25, 1)
    assert session(store, record).status == "failed"
    execution = only(store, spec())
    assert (execution.outcome, execution.failure) == (Outcome.ANSWERED, failure)


def test_an_agent_that_takes_too_long_is_ended(store: Store, scratch: Path) -> None:
    async def work() -> tuple[Handled, Waiting]:
        script = Waiting(first=(Called(now(), "1", "Bash", {"command": "sleep 99"}),))
        run, _ = runner(store, scratch, script)
        return await run(trial), script

    trial = spec(seconds=0.05)
    handled, script = asyncio.run(work())
    record = record_of(handled)
    assert script.cleaned_up == [trial.address]
    assert (record.status, record.failure) == ("failed", Failure.TIMEOUT)
    assert record.error == "not done within 0.05 s"
    assert 50 <= record.duration_ms < 5000
    assert [file.path for file in record.outputs] == ["half.txt"]
    [call] = session(store, record).tool_calls
    assert call.output.status == "failed"
    assert list(scratch.iterdir()) == []


def test_an_answer_stands_although_the_agent_does_not_go_away(store: Store, scratch: Path) -> None:
    async def work() -> Handled:
        script = Waiting(first=(Ended(now(), "42", USED),))
        run, _ = runner(store, scratch, script)
        return await run(spec(seconds=0.05))

    record = record_of(asyncio.run(work()))
    assert (record.status, record.answer, record.usage) == ("completed", "42", USED)


def test_of_several_ends_the_last_one_counts(store: Store, scratch: Path) -> None:
    """Agents with subagents may report more than once; what is said later is kept as well."""
    script = yields(Ended(now(), "first"), Said(now(), "wait"), Ended(now(), "last", USED))
    run, _ = runner(store, scratch, script)
    record = record_of(asyncio.run(run(spec())))
    assert (record.answer, record.usage) == ("last", USED)
    assert session(store, record).final_answer == "last"


def test_text_that_is_no_unicode_is_kept_as_far_as_it_goes(store: Store, scratch: Path) -> None:
    """Half an emoji, cut off in the middle of an answer, costs one character and no more."""
    steps = (Said(now(), "a\ud83d"), Ended(now(), "b\ud83d", error="c\udcff"))
    run, _ = runner(store, scratch, yields(*steps))
    record = record_of(asyncio.run(run(spec())))
    assert (record.answer, record.error) == ("b?", "c?")
    assert session(store, record).final_answer == "b?"
    assert only(store, spec()).error == "c?"


def test_another_version_of_the_engine_is_refused(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, answers)
    handled = asyncio.run(run(spec(version="2")))
    assert isinstance(handled.error, EnvironmentProblem)
    assert "hand is 1 here" in str(handled.error)
    assert "pinned to 2" in str(handled.error)
    assert (handled.settled, handled.executions) == (True, 0)
    assert agent.starts == []
    assert store.ledger.executions(spec(version="2").address) == []


def test_an_engine_that_is_not_installed_is_an_error_of_the_trial(
    store: Store, scratch: Path
) -> None:
    run, _ = runner(store, scratch, answers)
    handled = asyncio.run(run(spec(engine="claude")))
    assert isinstance(handled.error, UnknownPart)


def test_a_lost_input_file_fails_the_execution_and_not_more(store: Store, scratch: Path) -> None:
    run, agent = runner(store, scratch, answers)
    trial = spec(given=(FileRef(path="in.txt", digest="0" * 64, size=1),))
    handled = asyncio.run(run(trial))
    assert isinstance(handled.error, NotFound)
    assert only(store, trial).outcome is Outcome.FAILED
    assert agent.starts == []
    assert list(scratch.iterdir()) == []
