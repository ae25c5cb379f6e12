"""The tail of the event log that many follow."""

import asyncio
from contextlib import aclosing
from pathlib import Path

from tests.app.measuring import free_app
from whet.app import watch
from whet.app.app import App
from whet.app.watch import EventTail


async def heard(tail: EventTail, cursor: int, subject: str | None, last: str) -> list[str]:
    """What a follower hears, to an event of the kind *last*."""
    found: list[str] = []
    async with asyncio.timeout(30), aclosing(tail.follow(cursor, subject)) as batches:
        async for batch in batches:
            found += [event.kind for event in batch]
            if last in found:
                break
    return found


def say(app: App, subject: str, *kinds: str) -> None:
    for kind in kinds:
        app.store.events.append(kind, subject, {})


def test_everybody_hears_every_event_once_wherever_they_begin(tmp_path: Path) -> None:
    with free_app(tmp_path / "workspace") as app:
        say(app, "a", *(str(number) for number in range(700)))  # more than one read gives

        async def flow() -> list[list[str]]:
            tail = EventTail(app.store.events)
            cursors = [0, 650, app.store.events.last()]
            following = [
                asyncio.create_task(heard(tail, cursor, subject, "end"))
                for cursor in cursors
                for subject in (None, "a")
            ]
            for number in range(700, 720):
                await asyncio.sleep(0.02)
                say(app, "b", f"b{number}")
                say(app, "a", str(number))
            say(app, "a", "end")
            return await asyncio.gather(*following)

        found = asyncio.run(flow())
    mine = [str(number) for number in range(720)] + ["end"]
    for number, begun in enumerate((0, 650, 700)):
        everything, of_one = found[2 * number], found[2 * number + 1]
        assert of_one == mine[begun:]
        assert [kind for kind in everything if not kind.startswith("b")] == mine[begun:]
        assert sum(kind.startswith("b") for kind in everything) == 20


def test_who_is_far_behind_reads_the_store(tmp_path: Path) -> None:
    with free_app(tmp_path / "workspace") as app:

        async def flow() -> list[str]:
            tail = EventTail(app.store.events)
            async with aclosing(tail.follow(0, None)) as batches, asyncio.timeout(30):
                assert not await anext(batches)
                with app.store.transaction():
                    say(app, "a", *(str(n) for n in range(watch.MOST_RECENT + 600)), "end")
                other = await heard(tail, 0, "a", "end")
                mine: list[str] = []
                while "end" not in mine:
                    mine += [event.kind for event in await anext(batches)]
            assert mine == other
            return mine

        assert len(asyncio.run(flow())) == watch.MOST_RECENT + 601


def test_nobody_waits_after_the_end(tmp_path: Path) -> None:
    with free_app(tmp_path / "workspace") as app:

        async def flow() -> None:
            tail = EventTail(app.store.events)
            async with aclosing(tail.follow(0, "a")) as batches, asyncio.timeout(3):
                assert not await anext(batches)
                waiting = asyncio.ensure_future(anext(batches))
                await asyncio.sleep(0.3)
                say(app, "a", "end")
                tail.stop()
                found = [*await waiting, *await anext(batches)]
            assert [event.kind for event in found] == ["end"]

        asyncio.run(flow())
