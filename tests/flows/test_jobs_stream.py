"""The events of a job on the real server: whoever is cut off at any byte, and comes back with the
last event it heard, hears everything once."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import allow
from tests.flows.job_client import JobClient
from tests.flows.listening import heard, listen
from tests.flows.serving import Sent, Serving
from tests.flows.test_jobs import install

pytestmark = pytest.mark.slow

LINES = 240
AGENT = """
import json, os, sys, time
sys.stdin.read()
for n in range(240):
    odd = "\\u2028\\u2029\\x85" + "磨刀" * (n % 20)
    print(n, "id: 1 event: job.succeeded data: {}", odd, flush=True)
    if n % 12 == 0:
        time.sleep(0.08)
os.makedirs("artifacts", exist_ok=True)
open("artifacts/report.md", "w").write("x")
print(json.dumps({"report": "artifacts/report.md", "words": 1}))
"""
ENDS = ("job.succeeded", "job.failed", "job.cancelled")


@pytest.fixture
def talkative(tmp_path: Path) -> dict[str, Any]:
    """A job whose agent says much."""
    (tmp_path / "agent.py").write_text(AGENT)
    options = {"argv": [sys.executable, "-I", "-X", "utf8", str(tmp_path / "agent.py")]}
    allow(tmp_path / "workspace", programs=[sys.executable], paths=[str(tmp_path)])
    return {"engine": "command", "runtime_options": {"engine_options": options}}


def said(events: list[Sent]) -> list[str]:
    steps = [step for event in events for step in event.data.get("steps", [])]
    return [step["text"].split(" ", 1)[0] for step in steps if step["kind"] == "said"]


def test_a_client_that_is_cut_off_at_any_byte_hears_everything_once(
    tmp_path: Path, talkative: dict[str, Any]
) -> None:
    workspace = tmp_path / "workspace"
    install(workspace)
    with Serving.on(workspace) as server:
        client = JobClient(server.client)
        job = client.create("text-report", input={"title": "T"}, **talkative)["request_id"]
        path, url = f"/v1/jobs/{job}/events", str(server.client.base_url)
        streams: list[list[Sent]] = [[] for _ in range(4)]
        with ThreadPoolExecutor() as clients:
            under_way = [
                clients.submit(listen, url, path, ENDS, seed, events)
                for seed, events in enumerate(streams)
            ]
            client.upload(job, {"document": b"x"})
            cuts = [each.result(90) for each in under_way]
        everything = heard(server.client.get(path).text)
        later: list[Sent] = []
        cuts.append(listen(url, path, ENDS, 99, later))
        past = server.client.get(f"{path}/history", params={"limit": 1000}).json()
        asked = _asked(server, path, everything[-1].cursor)
    assert sum(cuts) > 20
    for events in (*streams, later):
        assert events == everything
    assert all(one.cursor < other.cursor for one, other in pairwise(everything))
    assert [event.kind for event in everything if event.kind in ENDS] == ["job.succeeded"]
    assert said(everything)[:LINES] == [str(n) for n in range(LINES)]
    assert [each["cursor"] for each in past["events"]] == [each.cursor for each in everything]
    assert asked == {
        "-1": 422,
        "0": 200,
        "1e3": 422,
        "": 422,
        "abc": 422,
        "9223372036854775808": 422,
        "9" * 4000: 422,
        "9223372036854775807": 204,
        str(everything[-1].cursor): 204,
        str(everything[-1].cursor - 1): 200,
    }


def _asked(server: Serving, path: str, last: int) -> dict[str, int]:
    """How requests with these ids of a last event are answered, after the end of the job."""
    ids = ("-1", "0", "1e3", "", "abc", "9223372036854775808", "9" * 4000, "9223372036854775807")
    return {
        each: server.client.get(path, headers={"last-event-id": each}).status_code
        for each in (*ids, str(last), str(last - 1))
    }
