"""So many clients that connections, threads or the event loop could run out."""

import asyncio
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from bench.jobs import cpu
from bench.load import install
from tests.app.bundling import bundle
from tests.app.opening import app_on
from tests.flows.load import Load
from tests.flows.serving import Serving
from tests.server.calling import assert_problem, calling
from whet.app.app import App
from whet.app.experiment_run import ExperimentRun
from whet.core.event import Event
from whet.documents.live import LiveHead
from whet.documents.result import Summary
from whet.server.connections import MOST_STREAMS, StreamLimit
from whet.server.encoded_events import EncodedEvents
from whet.server.running_list import RunningList
from whet.stores.database import Database
from whet.stores.sqlite import in_file

CLIENTS, JOBS = 60, 90
MOST_HEALTH_SECONDS = 1.0
"""For 19 of 20 answers, on a machine that is busy with the clients themselves."""

EVENTS = b"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def test_more_threads_than_any_pool_look_at_once(tmp_path: Path) -> None:
    """Nobody waits for a connection that another thread keeps without using it."""
    database = Database(in_file(tmp_path / "whet.db"))
    threads = 40
    every = threading.Barrier(threads, timeout=20)

    def look(_number: int) -> None:
        with database.look():
            every.wait()  # all of them at the same time
        every.wait()  # and all threads live on, with nothing pinned
        with database.read() as connection:
            connection.exec_driver_sql("SELECT 1")

    try:
        begun = time.monotonic()
        with ThreadPoolExecutor(threads) as pool:
            assert len([*pool.map(look, range(threads))]) == threads
        assert time.monotonic() - begun < 20
    finally:
        database.close()


@pytest.mark.slow
def test_two_streams_and_40_clients_of_the_home_page(tmp_path: Path) -> None:
    with Serving.on(tmp_path / "workspace") as serving, ExitStack() as stack:
        for _ in range(2):
            stream = socket.create_connection(("127.0.0.1", serving.client.base_url.port))
            stack.enter_context(stream).sendall(EVENTS)
        url = serving.client.base_url.join("/v1/home")
        every = httpx.Limits(max_connections=40)
        with ThreadPoolExecutor(40) as pool, httpx.Client(timeout=20, limits=every) as clients:
            for _ in range(3):
                answers = [pool.submit(clients.get, url) for _ in range(40)]
                assert {each.result().status_code for each in answers} == {200}
        assert serving.client.get("/v1/health").status_code == 200


@pytest.mark.slow
def test_many_clients_post_upload_wait_and_fetch_without_an_error(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    install(tmp_path / "ping", workspace)
    with Serving.on(workspace, WHET_SANDBOX="off") as serving:
        load = Load(serving.client.base_url.port or 0)
        asyncio.run(load.work(CLIENTS, JOBS))
    assert not load.errors
    assert load.done == JOBS
    assert load.health_at(0.95) < MOST_HEALTH_SECONDS


def test_every_kind_of_stream_is_counted(tmp_path: Path) -> None:
    """None is left by which a client gets more of them than the others allow."""

    async def story() -> None:
        async with asyncio.timeout(30), calling(tmp_path / "workspace") as (client, desk):
            wanted = {"skill_source": "temp_upload", "engine": "simulated"}
            job = (await client.post("/v1/jobs", json=wanted)).json()["request_id"]
            project = (await client.post("/v1/demo")).json()["id"]
            desk.streams = StreamLimit(per_peer=0)
            for path in (
                "/v1/events",
                "/v1/sessions/live",
                f"/v1/jobs/{job}/events",
                f"/v1/management/runs/{job}/events",
                f"/v1/projects/{project}/events",
                f"/v1/runs/{project}/events",
            ):
                answer = await client.get(path, headers={"accept": "text/event-stream"})
                assert_problem(answer, 429, "too_many_streams")

    asyncio.run(story())


def test_what_runs_is_looked_at_once_for_all_who_follow_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[App] = []

    def look(app: App) -> list[LiveHead]:
        looks.append(app)
        return []

    monkeypatch.setattr("whet.server.running_list.running", look)

    async def story() -> None:
        with app_on(tmp_path / "workspace") as app:
            shared = RunningList(app)
            frames = await asyncio.gather(*(shared.frame() for _ in range(200)))
            assert len(set(frames)) == len(looks) == 1

    asyncio.run(story())


def test_nobody_waits_while_the_summary_of_a_project_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may take seconds, and is none of the event loop's business."""
    threads: list[threading.Thread] = []
    made = ExperimentRun.summarise

    def summarise(run: ExperimentRun) -> Summary:
        threads.append(threading.current_thread())
        return made(run)

    monkeypatch.setattr(ExperimentRun, "summarise", summarise)
    bundle(tmp_path)
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


def test_an_event_is_encoded_once_for_all_who_follow_it() -> None:
    encoded: list[int] = []

    def encode(event: Event) -> bytes:
        encoded.append(event.cursor)
        return str(event.cursor).encode()

    shared = EncodedEvents(most=2)
    events = [Event(cursor=number, at="", kind="", subject="") for number in (1, 2, 3)]
    for _ in range(2):
        assert [shared.get(encode, event) for event in events[:2]] == [b"1", b"2"]
    assert encoded == [1, 2]
    assert [shared.get(encode, event) for event in (events[2], events[0])] == [b"3", b"1"]
    assert encoded == [1, 2, 3, 1], "no more than two are kept"


@pytest.mark.slow
def test_600_idle_event_streams_are_bounded_and_cost_next_to_nothing(tmp_path: Path) -> None:
    with Serving.on(tmp_path / "workspace") as serving, ExitStack() as stack:
        answers: list[bytes] = []
        for _ in range(600):
            stream = socket.create_connection(("127.0.0.1", serving.client.base_url.port), 20)
            stack.enter_context(stream).sendall(EVENTS)
            answers.append(stream.recv(12))
        assert answers.count(b"HTTP/1.1 200") == MOST_STREAMS // 2
        assert answers.count(b"HTTP/1.1 429") == 600 - MOST_STREAMS // 2
        time.sleep(1)
        spent, begun = cpu(serving.process.pid), time.monotonic()
        time.sleep(3)
        share = (cpu(serving.process.pid) - spent) / (time.monotonic() - begun)
        assert share < 0.15, f"{share:.0%} of a processor"
        assert serving.client.get("/v1/health").status_code == 200
