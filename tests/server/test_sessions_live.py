"""Agents at work over HTTP: listed, followed, and followed again after a cut anywhere."""

import asyncio
import json
import random
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

import pytest

from tests.app.sessions.following import Paced, appeared, runner, steps
from tests.run.agents import spec
from tests.server.calling import Caller, assert_problem, calling
from whet.server.api import make_api
from whet.server.desk import Desk


def events_of(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Whole events only, as a browser takes them; what a cut left is none."""
    found: list[tuple[str, dict[str, Any]]] = []
    for block in text.split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in fields:
            found.append((fields["id"], json.loads(fields["data"])))
    return found


async def read(
    desk: Desk, path: str, headers: dict[str, str], enough: Callable[[bytes], bool]
) -> tuple[int, bytes]:
    """The beginning of a stream, cut off by hanging up once it is *enough*."""
    api = make_api(desk.app)
    got, status = bytearray(), 0
    over = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await over.wait()
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)
        got.extend(message.get("body", b""))
        if enough(bytes(got)):
            over.set()

    given = {"host": "127.0.0.1", **headers}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "scheme": "http",
        "server": ("127.0.0.1", 1),
        "client": ("127.0.0.1", 2),
    }
    await api(scope, receive, send)
    return status, bytes(got)


@pytest.mark.slow
def test_a_stream_that_is_cut_at_any_byte_goes_on_where_it_was(tmp_path: Path) -> None:
    chance = random.Random(7)

    async def scenario() -> None:
        async with calling(tmp_path / "workspace") as (client, desk):
            desk.app.live.delay = 0.0
            script = Paced(steps())
            trial = asyncio.create_task(runner(desk.app, script)(spec()))
            head = await appeared(desk.app)
            listed = (await client.get("/v1/sessions/live")).json()["sessions"]
            assert [one["execution"] for one in listed] == [head.execution]
            path = f"/v1/sessions/{head.execution}/tail"
            heard: list[tuple[str, dict[str, Any]]] = []
            last: str | None = None
            while True:
                script.let(1)
                most = chance.randrange(1, 4000)
                resumed = {"last-event-id": last} if last else {}
                status, got = await read(desk, path, resumed, lambda got, m=most: len(got) >= m)
                if status == 204:
                    break
                new = events_of(got[:most].decode(errors="ignore"))
                heard += new
                last = new[-1][0] if new else last
            await trial
            assert [one["number"] for _, one in heard] == list(range(1, len(heard) + 1))
            assert heard[-1][1]["kind"] == "ended"
            assert heard[-1][1]["session_id"] == f"trial-{spec().address[:16]}"
            whole = await client.get(path)
            assert [one for _, one in events_of(whole.text)] == [one for _, one in heard]
            assert (await client.get("/v1/sessions/live")).json() == {"sessions": []}

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_what_runs_comes_again_when_it_changes(tmp_path: Path) -> None:
    async def scenario() -> tuple[int, list[int]]:
        async with calling(tmp_path / "workspace") as (_, desk):
            desk.app.live.delay = 0.0
            script = Paced(steps())
            trial = asyncio.create_task(runner(desk.app, script)(spec()))
            await appeared(desk.app)

            def is_enough(got: bytes) -> bool:
                script.let(99)
                return got.count(b"\n\n") >= 2

            wanted = {"accept": "text/event-stream"}
            status, got = await read(desk, "/v1/sessions/live", wanted, is_enough)
            await trial
        rows = [line[6:] for line in got.decode().splitlines() if line.startswith("data: ")]
        return status, [len(json.loads(row)["sessions"]) for row in rows]

    assert asyncio.run(asyncio.wait_for(scenario(), 60)) == (200, [1, 0])


def test_strange_names_and_cursors_are_problems(call: Caller) -> None:
    assert_problem(call("GET", "/v1/sessions/nobody/tail"), 404, "not_found")
    strange = {"Last-Event-ID": "x"}
    assert_problem(call("GET", "/v1/sessions/nobody/tail", headers=strange), 400, "invalid_request")
    long = {"Last-Event-ID": "x" * 100}
    assert_problem(call("GET", "/v1/sessions/nobody/tail", headers=long), 422, "invalid_request")
    assert_problem(call("GET", "/v1/sessions/..%2F..%2Fetc/tail"), 404, "not_found")
