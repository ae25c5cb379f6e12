"""Following an execution from another process: what is told, and to the end."""

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.app.sessions.following import Paced, appeared, heard, runner, steps, two_apps
from tests.run.agents import raises, spec
from whet.app.sessions.live import Subject, find, running
from whet.app.sessions.tail import Cursor
from whet.core.errors import NotFound, UsageError
from whet.core.step import Ended
from whet.core.trial import TrialRecord
from whet.documents.live import LiveEvent
from whet.documents.session import Session, ToolCall
from whet.documents.text import parse_json
from whet.ports.pool import Handled
from whet.ports.store import Store


def calls_of(events: list[LiveEvent]) -> list[ToolCall]:
    """The calls as they were told last, in the order in which they were opened."""
    last = {event.call.call_id: event.call for event in events if event.call}
    return [last[event.opened.call_id] for event in events if event.opened]


def session_of(store: Store, record: TrialRecord | None) -> Session:
    assert record is not None
    return Session.parse(parse_json(store.blobs.get(record.session), "blob"), "blob")


def kinds(events: list[LiveEvent]) -> list[str]:
    return [event.kind for event in events]


def test_a_follower_hears_each_step_when_it_happens_and_the_calls_of_the_session(
    tmp_path: Path,
) -> None:
    async def scenario() -> tuple[Handled, list[LiveEvent], list[str]]:
        script = Paced(steps())
        trial = asyncio.create_task(runner(worker, script)(spec()))
        head = await appeared(watcher)
        subject = find(watcher, head.execution[:6])
        script.let(2)
        early = await heard(subject, most=3)
        assert kinds(early) == ["started", "message", "call_opened"]
        listening = asyncio.create_task(heard(subject))
        script.let(99)
        return await trial, await listening, kinds(early)

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        handled, events, _ = asyncio.run(scenario())
        session = session_of(watcher.store, handled.record)
        assert running(watcher) == []
        assert list((tmp_path / "workspace/.live").iterdir()) == []
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert calls_of(events) == list(session.tool_calls)
    assert session.tool_calls[0].subagent_info is not None
    assert [event.text for event in events if event.kind == "message"] == list(
        session.messages or ()
    )
    last = events[-1]
    assert last.kind == "ended"
    assert last.end is not None
    assert (last.end.outcome, last.session_id, last.unanswered) == (
        "answered",
        session.session_id,
        1,
    )


def test_a_short_execution_leaves_no_file(tmp_path: Path) -> None:
    async def scenario() -> None:
        script = Paced(steps())
        script.let(99)
        handled = await runner(worker, script)(spec())
        assert handled.record is not None

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        worker.live.delay = 60.0
        asyncio.run(scenario())
        assert not (tmp_path / "workspace/.live").exists()
        assert running(watcher) == []


def test_whoever_comes_back_misses_nothing_and_hears_nothing_twice(tmp_path: Path) -> None:
    """Also when it comes back only after the end, when there is but the tape."""

    async def scenario() -> list[list[LiveEvent]]:
        script = Paced(steps())
        trial = asyncio.create_task(runner(worker, script)(spec()))
        head = await appeared(watcher)
        subject = Subject(watcher, execution=head.execution)
        script.let(5)
        begun = await heard(subject, most=4)
        cursor = Cursor(head.execution, begun[-1].number)
        script.let(1)
        going = await heard(subject, cursor, most=2)
        script.let(99)
        await trial
        cursors = [Cursor(head.execution, number) for number in range(len(steps()) + 5)]
        return [begun + going, *[await heard(subject, cursor) for cursor in cursors]]

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        live, whole, *others = asyncio.run(scenario())
    assert [event.to_data() for event in live] == [event.to_data() for event in whole[:6]]
    for number, rest in enumerate(others, 1):
        assert rest == whole[number:]


def test_secrets_are_not_told(tmp_path: Path) -> None:
    async def scenario() -> list[LiveEvent]:
        run = runner(worker, script := Paced(steps()))
        run = replace(run, secrets=("I begin. 磨", "hunter2hunter2"))
        trial = asyncio.create_task(run(spec("the key is hunter2hunter2")))
        subject = Subject(watcher, execution=(await appeared(watcher)).execution)
        listening = asyncio.create_task(heard(subject))
        script.let(99)
        await trial
        return await listening

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        events = asyncio.run(scenario())
        # There is no tape of such a trial, so the file stays for those who come back.
        [left] = (tmp_path / "workspace/.live").iterdir()
        assert left.suffix == ".over"
        text = left.read_text() + json.dumps([event.to_data() for event in events])
    assert "I begin" not in text
    assert "hunter2" not in text
    assert events[-1].kind == "ended"


def test_a_failure_is_told_also_to_those_who_come_later(tmp_path: Path) -> None:
    async def scenario() -> list[LiveEvent]:
        script = Paced((*steps()[:2], Ended(steps()[0].at, "", failure=None)))
        run = runner(worker, script)
        trial = asyncio.create_task(run(spec()))
        head = await appeared(watcher)
        trial.cancel()
        await asyncio.gather(trial, return_exceptions=True)
        return await heard(Subject(watcher, execution=head.execution))

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        events = asyncio.run(scenario())
    assert kinds(events) == ["started", "ended"]
    assert events[-1].end is not None
    assert events[-1].end.outcome == "cancelled"
    assert events[-1].session_id is None


def test_a_process_that_is_gone_ends_the_tail_and_says_so(tmp_path: Path) -> None:
    async def scenario() -> list[LiveEvent]:
        script = Paced(steps())
        trial = asyncio.create_task(runner(worker, script)(spec()))
        head = await appeared(watcher)
        script.let(3)
        subject = Subject(watcher, execution=head.execution)
        begun = await heard(subject, most=4)
        # What the kernel does when a process is killed: the lock goes, all else stays.
        worker.owner.release()
        rest = await heard(subject, Cursor(head.execution, 4))
        trial.cancel()
        await asyncio.gather(trial, return_exceptions=True)
        return begun + rest

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        events = asyncio.run(scenario())
        assert running(watcher) == []
    assert kinds(events)[-1] == "ended"
    assert events[-1].end is not None
    assert (events[-1].end.outcome, events[-1].unanswered) == ("abandoned", 2)


def test_what_is_left_behind_is_swept(tmp_path: Path) -> None:
    folder = tmp_path / "workspace" / ".live"
    with two_apps(tmp_path / "workspace") as (worker, watcher):
        folder.mkdir()
        old = (f"a.{worker.owner.id}.over", "b.1-dead.jsonl", f"c.{worker.owner.id}.jsonl", "mine")
        for name in (*old, "d.1-dead.jsonl"):
            (folder / name).touch()
        for name in old:
            os.utime(folder / name, (0, 0))
        watcher.live.sweep()
        left = sorted(path.name.split(".")[0] for path in folder.iterdir())
    assert left == ["c", "d", "mine"]


def test_a_trial_is_followed_by_its_address_also_afterwards(tmp_path: Path) -> None:
    async def scenario() -> tuple[list[LiveEvent], list[LiveEvent]]:
        script = Paced(steps())
        script.let(99)
        await runner(worker, script)(spec())
        return await heard(find(watcher, spec().address)), await heard(
            Subject(watcher, execution=watcher.store.ledger.executions(spec().address)[0].id)
        )

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        by_address, by_execution = asyncio.run(scenario())
        with pytest.raises(NotFound):
            find(watcher, "nobody")
        with pytest.raises(NotFound):
            find(watcher, "x")
    assert by_address == by_execution
    assert kinds(by_address)[0] == "started"


def test_a_bug_of_an_engine_ends_the_tail(tmp_path: Path) -> None:
    async def scenario() -> list[LiveEvent]:
        handled = await runner(worker, raises(RuntimeError("broken")))(spec())
        assert handled.error is not None
        return await heard(find(watcher, spec().address))

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        events = asyncio.run(scenario())
    assert events[-1].end is not None
    assert (events[-1].end.outcome, events[-1].end.failure) == ("failed", "crash")


@pytest.mark.parametrize("text", ["", "7", "abc", "abc.", "abc.x", "a/b.1", "../x.1", "abc.²"])
def test_a_cursor_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Cursor.parse(text)


def test_a_full_disk_or_a_strange_folder_is_no_trouble_for_the_trial(tmp_path: Path) -> None:
    async def scenario() -> Handled:
        script = Paced(steps())
        trial = asyncio.create_task(runner(worker, script)(spec()))
        await asyncio.sleep(0.05)
        script.let(99)
        return await trial

    with two_apps(tmp_path / "workspace") as (worker, watcher):
        (tmp_path / "workspace/.live").write_text("in the way")
        handled = asyncio.run(scenario())
        assert running(watcher) == []
    assert handled.record is not None
