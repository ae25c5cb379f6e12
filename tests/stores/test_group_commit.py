"""The writer: few commits, and nobody's change depends on his neighbours'."""

import asyncio
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from whet.app.clock import SystemClock
from whet.core.errors import Conflict
from whet.stores.group_commit import LARGEST_GROUP, GroupCommit
from whet.stores.sql import SqlStore


class CountingStore(SqlStore):
    """A store that knows how often it committed."""

    commits = 0

    @contextmanager
    def transaction(self) -> Generator[None]:
        with super().transaction():
            yield
        self.commits += 1


@pytest.fixture
def store(tmp_path: Path) -> Generator[CountingStore]:
    store = CountingStore(tmp_path, lambda _owner: True, SystemClock())
    yield store
    store.close()


@pytest.fixture
def stranger(tmp_path: Path, store: CountingStore) -> Generator[sqlite3.Connection]:
    """Another connection: it sees what is committed and nothing else."""
    assert store.events.last() == 0
    connection = sqlite3.connect(tmp_path / "whet.db", isolation_level=None)
    yield connection
    connection.close()


def subjects(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT subject FROM events ORDER BY cursor").fetchall()
    return [subject for (subject,) in rows]


async def say(writer: GroupCommit, store: CountingStore, subject: str) -> str:
    """Commit one event."""

    def change() -> str:
        store.events.append("tick", subject, {})
        return subject

    return await writer(change)


def test_changes_that_come_together_are_committed_together(
    store: CountingStore, stranger: sqlite3.Connection
) -> None:
    many = 4 * LARGEST_GROUP

    async def work() -> list[str]:
        writer = GroupCommit(store)
        return await asyncio.gather(*(say(writer, store, str(n)) for n in range(many)))

    everyone = [str(number) for number in range(many)]
    assert asyncio.run(work()) == everyone
    assert subjects(stranger) == everyone
    assert store.commits <= 8


def test_nobody_waits_for_others_to_come(store: CountingStore) -> None:
    """A single change is committed by itself, at once."""

    async def work() -> None:
        writer = GroupCommit(store)
        async with asyncio.timeout(10):
            for number in range(5):
                await say(writer, store, str(number))

    asyncio.run(work())
    assert store.commits == 5


def test_an_answer_comes_after_the_commit(
    store: CountingStore, stranger: sqlite3.Connection
) -> None:
    async def one(writer: GroupCommit, subject: str) -> bool:
        await say(writer, store, subject)
        return subject in subjects(stranger)

    async def work() -> list[bool]:
        writer = GroupCommit(store)
        return await asyncio.gather(*(one(writer, str(number)) for number in range(50)))

    assert all(asyncio.run(work()))


def test_a_change_that_fails_is_undone_alone(
    store: CountingStore, stranger: sqlite3.Connection
) -> None:
    def half() -> None:
        store.events.append("tick", "half", {})
        raise Conflict("it", "this", "that")

    def broken() -> None:
        store.events.append("tick", "broken", {})
        raise ZeroDivisionError("a bug in a change")

    async def work() -> Sequence[object]:
        writer = GroupCommit(store)
        return await asyncio.gather(
            say(writer, store, "before"),
            writer(half),
            say(writer, store, "between"),
            writer(broken),
            say(writer, store, "after"),
            return_exceptions=True,
        )

    answers = asyncio.run(work())
    assert [type(answer) for answer in answers] == [str, Conflict, str, ZeroDivisionError, str]
    assert subjects(stranger) == ["before", "between", "after"]


def test_changes_see_those_that_were_asked_for_before(store: CountingStore) -> None:
    """Of many that add one to the same state, none is lost."""

    def add_one() -> None:
        present = store.states.get("sum", "1")
        revision = present.revision if present else 0
        store.states.put("sum", "1", revision, {"n": revision + 1})

    async def work() -> None:
        writer = GroupCommit(store)
        await asyncio.gather(*(writer(add_one) for _ in range(100)))

    asyncio.run(work())
    final = store.states.get("sum", "1")
    assert final is not None
    assert final.value == {"n": 100}


def test_the_change_of_a_cancelled_waiter_stands(
    store: CountingStore, stranger: sqlite3.Connection
) -> None:
    async def work() -> list[str]:
        writer = GroupCommit(store)
        task = asyncio.create_task(say(writer, store, "cancelled"))
        await asyncio.sleep(0)
        task.cancel()
        await say(writer, store, "later")
        with pytest.raises(asyncio.CancelledError):
            await task
        return subjects(stranger)

    assert asyncio.run(work()) == ["cancelled", "later"]


def test_what_was_asked_for_is_committed_when_the_loop_ends(
    store: CountingStore, stranger: sqlite3.Connection
) -> None:
    """A command that is over has its last words in the database, and the writer lives on."""
    writer = GroupCommit(store)

    async def leave() -> None:
        task = asyncio.create_task(say(writer, store, "last words"))
        await asyncio.sleep(0)
        assert not task.done()

    asyncio.run(leave())
    assert subjects(stranger) == ["last words"]
    asyncio.run(asyncio.wait_for(say(writer, store, "again"), 10))
    assert subjects(stranger) == ["last words", "again"]


def test_beside_the_loop_others_go_on_while_it_waits_for_the_store(
    store: CountingStore, stranger: sqlite3.Connection
) -> None:
    """Another process holds the database: the loop turns meanwhile, and nothing is lost."""

    async def work() -> tuple[int, list[str]]:
        writer, turns = GroupCommit(store), 0
        async with writer.beside_the_loop():
            stranger.execute("BEGIN IMMEDIATE")
            asked = [asyncio.ensure_future(say(writer, store, str(n))) for n in range(20)]
            for _ in range(20):
                await asyncio.sleep(0.01)
                turns += not any(one.done() for one in asked)
            stranger.execute("ROLLBACK")
            done = await asyncio.gather(*asked)
            leaving = asyncio.ensure_future(say(writer, store, "last words"))
            await asyncio.sleep(0)
        await leaving
        return turns, done

    turns, done = asyncio.run(work())
    assert turns == 20
    assert done == [str(number) for number in range(20)]
    assert subjects(stranger) == [*done, "last words"]
