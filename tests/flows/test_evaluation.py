"""Capability runs on the real server: clients are cut off, the server is killed, and still every
item is there once and every event is heard once."""

import random
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.app.measuring import sayings, write_set
from tests.flows import listening
from tests.flows.command import assert_every_trial_answered_once
from tests.flows.listening import heard
from tests.flows.serving import Sent, Serving, sent

pytestmark = pytest.mark.slow

ADMIN = "/wunder/admin/evaluation"
CASES = 40
BODY = {
    "model_name": "simulated",
    "case_set": "mini",
    "language": "en-US",
    "config_overrides": {"options": {"simulate": {"latency_ms": 120}}},
}


def begun(server: Serving) -> str:
    answer = server.client.post(f"{ADMIN}/start", json=BODY)
    assert answer.status_code == 200, answer.text
    return answer.json()["run_id"]


def listen(url: str, run_id: str, seed: int, events: list[Sent]) -> int:
    return listening.listen(url, f"{ADMIN}/stream/{run_id}", ("eval_finished",), seed, events)


def over(server: Serving, run_id: str) -> dict[str, Any]:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        detail = server.client.get(f"{ADMIN}/{run_id}").json()
        if detail["run"]["status"] != "running":
            return detail
        time.sleep(0.1)
    raise AssertionError("it does not come to its end")


def all_events(server: Serving, run_id: str) -> list[Sent]:
    return heard(server.client.get(f"{ADMIN}/stream/{run_id}").text)


def results(events: list[Sent]) -> Counter[str]:
    return Counter(
        event.data["case_id"]
        for event in events
        if event.kind == "eval_item" and event.data["status"] != "active"
    )


def assert_once(detail: dict[str, Any], events: list[Sent], workspace: Path) -> None:
    names = [f"c{number:04}" for number in range(CASES)]
    assert detail["run"]["status"] == "finished"
    assert [item["case_id"] for item in detail["items"]] == names
    counts = Counter(item["status"] for item in detail["items"])
    assert counts.total() == counts["passed"] + counts["failed"] == CASES
    assert detail["run"]["counts"]["total"] == CASES
    assert detail["run"]["counts"]["failed"] == counts["failed"]
    assert results(events) == Counter(names)
    assert [event.cursor for event in events] == sorted({event.cursor for event in events})
    assert [event.kind for event in events].count("eval_finished") == 1
    assert_every_trial_answered_once(workspace, CASES)
    folders = {path.name for path in (workspace / "eval" / detail["run"]["run_id"]).iterdir()}
    assert folders == {*names}


def test_a_client_that_is_cut_off_again_and_again_hears_everything_once(tmp_path: Path) -> None:
    write_set(tmp_path, sayings(CASES))
    with Serving.on(tmp_path) as server:
        run_id = begun(server)
        url = str(server.client.base_url)
        streams: list[list[Sent]] = [[] for _ in range(3)]
        with ThreadPoolExecutor() as clients:
            under_way = [
                clients.submit(listen, url, run_id, seed, events)
                for seed, events in enumerate(streams)
            ]
            cuts = [client.result(90) for client in under_way]
        detail = over(server, run_id)
        everything = all_events(server, run_id)
        later: list[Sent] = []
        cuts.append(listen(url, run_id, 99, later))
    assert sum(cuts) > 30
    for events in (*streams, later):
        assert events == everything
    assert_once(detail, everything, tmp_path)


def test_kill_9_again_and_again(tmp_path: Path) -> None:
    """Each server goes on where the one before it was killed; a client hears it all once."""
    write_set(tmp_path, sayings(CASES))
    chance = random.Random(7)
    seen: list[Sent] = []
    with Serving.on(tmp_path) as server:
        run_id = begun(server)
        time.sleep(0.5)
        server.end(signal.SIGKILL)
    for _ in range(3):
        with Serving.on(tmp_path) as server:
            time.sleep(chance.uniform(0.1, 0.7))
            before = len(seen)
            path, last = f"{ADMIN}/stream/{run_id}", seen[-1].cursor if seen else 0
            headers = {"last-event-id": str(last)} if last else {}
            with server.client.stream("GET", path, headers=headers) as answer:
                for event in sent(answer.iter_lines()):
                    seen.append(event)
                    if len(seen) > before + 15:
                        break
            server.end(signal.SIGKILL)
    with Serving.on(tmp_path) as server:
        detail = over(server, run_id)
        everything = all_events(server, run_id)
    assert seen == everything[: len(seen)]
    assert_once(detail, everything, tmp_path)
