"""The index of a server: it follows the files, keeps nobody waiting, and serves many at once."""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.curate.shelves import add_skill
from tests.server.calling import caller, calling
from tests.server.library import SKILLS, made, names
from whet.app.clock import SystemClock
from whet.app.library.library import Library
from whet.app.library.requests import SearchRequest
from whet.app.library.views import detail, hits, page
from whet.core.asset_query import AssetQuery
from whet.core.errors import Conflict, EnvironmentProblem
from whet.curate.draft import About, SkillDraft
from whet.server import following
from whet.server.following import FollowedIndex

READERS, WRITERS, EDITS = 6, 3, 6


@pytest.fixture
def index(tmp_path: Path) -> Generator[FollowedIndex]:
    made = FollowedIndex(tmp_path)
    yield made
    made.close()


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_what_is_put_there_by_hand_is_seen_soon(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PAUSE_SECONDS", 0.1)
    with caller(shelf) as call:
        made(call)
        add_skill(shelf, "By hand")
        until(lambda: len(names(call)) == 2)


def total(index: FollowedIndex) -> int:
    return index.follow().skills(AssetQuery()).total


def test_files_are_looked_at_now_and_then_only(
    tmp_path: Path, index: FollowedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PAUSE_SECONDS", 1_000.0)
    add_skill(tmp_path, "First")
    until(lambda: total(index) == 1 and index._looking is None)
    add_skill(tmp_path, "Second")
    for _ in range(20):
        assert total(index) == 1
        assert index._looking is None
    index._due = 0.0
    until(lambda: total(index) == 2)


@contextmanager
def held(workspace: Path) -> Generator[None]:
    """Another process keeps the index to itself, so that a look at new files takes its time."""
    other = sqlite3.connect(workspace / "index.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_nobody_waits_for_a_look(tmp_path: Path, index: FollowedIndex) -> None:
    add_skill(tmp_path, "Known")
    until(lambda: total(index) == 1 and index._looking is None)
    add_skill(tmp_path, "New")
    with held(tmp_path):
        index._due = 0.0
        assert total(index) == 1
        assert index._looking is not None
        assert total(index) == 1
        assert index._looking is not None, "it goes on meanwhile"
    until(lambda: total(index) == 2)


def test_the_end_waits_a_moment_and_no_more(
    tmp_path: Path, index: FollowedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PATIENCE_SECONDS", 0.05)
    until(lambda: total(index) == 0 and index._looking is None)
    add_skill(tmp_path, "New")
    with held(tmp_path):
        index._due = 0.0
        index.follow()
        looking = index._looking
        assert looking is not None
        index.close()
        assert looking.is_alive(), "it was left alone"
    looking.join(20)
    assert not looking.is_alive()
    index._due = 0.0
    index.follow()
    assert index._looking is None, "what is closed follows nothing"


def test_trouble_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "index.db").mkdir()
    index = FollowedIndex(tmp_path)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            index._due = 0.0
            index.follow()
            until(lambda: index._looking is None)
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "the library cannot be followed"
    ]
    with pytest.raises(EnvironmentProblem):
        total(index)
    index.close()


@pytest.mark.slow
def test_many_read_while_others_edit(tmp_path: Path, index: FollowedIndex) -> None:
    """No reader sees half an edit, no edit is lost, and nothing breaks."""
    clock = SystemClock()
    first = Library(tmp_path, "skill", index.follow(), clock)
    ids = [
        first.create(SkillDraft(About(f"Skill {n}", "code", "me"), content="word 0")).id
        for n in range(WRITERS)
    ]
    edited = threading.Event()

    def read() -> int:
        looks = 0
        while not edited.is_set() or not looks:
            shelf = Library(tmp_path, "skill", index.follow(), clock)
            assert page(shelf, AssetQuery()).total == WRITERS
            assert hits(shelf, SearchRequest(q="word")).total == WRITERS
            for identity in ids:
                shown = detail(shelf, identity)
                assert shown.content == f"word {int(shown.version[1:]) - 1}"
            looks += 1
        return looks

    def write(identity: str) -> int:
        """Edits as two people would who both have a go at every version."""
        lost = 0
        shelf = Library(tmp_path, "skill", index.follow(), clock)
        for number in range(1, EDITS + 1):
            try:
                shelf.edit(identity, {"content": f"word {number}"}, f"v{number}")
            except Conflict:
                lost += 1
        return lost

    with ThreadPoolExecutor(READERS + 2 * WRITERS) as pool:
        readers = [pool.submit(read) for _ in range(READERS)]
        writers = [pool.submit(write, identity) for identity in (*ids, *ids)]
        try:
            lost = sum(writer.result(120) for writer in writers)
        finally:
            edited.set()
        assert all(reader.result(120) for reader in readers)
    assert lost == WRITERS * EDITS, "of two edits of one version one is made"
    for identity in ids:
        assert first.version(identity).meta.version == f"v{EDITS + 1}"
        assert len(first.history(identity).records) == EDITS


@pytest.mark.slow
def test_many_requests_at_once(shelf: Path) -> None:
    async def story() -> None:
        async with calling(shelf) as (client, desk):
            body = {"name": "Writer", "content": "0"}
            place = f"{SKILLS}/{(await client.post(SKILLS, json=body)).json()['id']}"
            for number in range(1, 4):
                edits = [
                    client.patch(place, json={"expected_version": f"v{number}", "content": text})
                    for text in (f"{number} a", f"{number} b", f"{number} c")
                ]
                looks = [client.get(SKILLS) for _ in range(30)]
                answers = await asyncio.gather(*edits, *looks)
                statuses = [answer.status_code for answer in answers]
                assert sorted(statuses[:3]) == [200, 409, 409]
                assert set(statuses[3:]) == {200}
            assert (await client.get(place)).json()["version"] == "v4"
        assert desk.index._is_closed, "the server takes it along"

    asyncio.run(story())
