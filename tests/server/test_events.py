"""``/v1/events``: all that happens, from now on or from anywhere."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.opening import app_on
from tests.flows.serving import Sent, Serving, sent
from tests.server.calling import assert_problem, calling
from whet.app.app import App
from whet.server.stream import _whole


def append(app: App, *subjects: str) -> None:
    for number, subject in enumerate(subjects):
        with app.store.transaction():
            app.store.events.append("test.happened", subject, {"number": number})


def received(
    serving: Serving, count: int, query: dict[str, Any] | None = None, **headers: str
) -> list[Sent]:
    """The first *count* events of a stream."""
    with serving.client.stream("GET", "/v1/events", params=query, headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()
        assert next(lines).startswith("id: "), "where it begins is told first"
        assert next(lines) == ""
        events = sent(lines)
        return [next(events) for _ in range(count)]


@pytest.mark.slow
def test_events_come_from_where_a_client_asks(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with Serving.on(workspace) as serving, app_on(workspace) as app:
        append(app, "a", "b", "a")
        everything = received(serving, 3, {"after": 0})
        assert [event.data["subject"] for event in everything] == ["a", "b", "a"]
        first, second, third = (event.cursor for event in everything)
        assert first < second < third
        assert everything[0].kind == "test.happened"
        assert [event.cursor for event in received(serving, 1, {"after": second})] == [third]
        assert [event.cursor for event in received(serving, 2, {"after": 0, "subject": "a"})] == [
            first,
            third,
        ]
        back = received(serving, 1, {"after": 0}, **{"last-event-id": str(second)})
        assert [event.cursor for event in back] == [third], "where it got to counts more"


@pytest.mark.slow
def test_without_a_wish_it_begins_with_now(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with Serving.on(workspace) as serving, app_on(workspace) as app:
        append(app, "old", "older")
        last = app.store.events.last()
        with serving.client.stream("GET", "/v1/events") as answer:
            lines = answer.iter_lines()
            assert next(lines) == f"id: {last}"
            append(app, "new")
            assert next(lines) == ""
            event = next(sent(lines))
        assert (event.data["subject"], event.cursor) == ("new", last + 1)


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ({"after": "-1"}, {}),
        ({"after": "x"}, {}),
        ({"subject": ""}, {}),
        ({}, {"last-event-id": "x"}),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(
    tmp_path: Path, query: dict[str, str], headers: dict[str, str]
) -> None:
    async def once() -> httpx.Response:
        async with calling(tmp_path / "workspace") as (client, _):
            return await client.get("/v1/events", params=query, headers=headers)

    assert_problem(asyncio.run(once()), 422, "invalid_request")


def test_data_is_one_line(tmp_path: Path) -> None:
    """What strangers wrote cannot break out of its event."""
    with app_on(tmp_path / "workspace") as app:
        with app.store.transaction():
            app.store.events.append("test", "a", {"text": "one\ndata: two\r\n\rid: 9"})
        wire = _whole(app.store.events.since(0)[0]).decode()
    assert wire.count("\ndata:") + wire.startswith("data:") == 1
    data = next(line for line in wire.splitlines() if line.startswith("data:"))
    assert json.loads(data.removeprefix("data:"))["data"]["text"].startswith("one\n")
