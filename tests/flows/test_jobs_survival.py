"""A server that does jobs may die at any moment: nothing is lost, nothing is done twice."""

import json
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.flows.command import executions
from tests.flows.job_client import JobClient
from tests.flows.serving import Serving, sent
from tests.flows.test_jobs import install

pytestmark = pytest.mark.slow

COUNT = 12
ASKS = "---\nname: asks\ndescription: Asks first.\n---\n\nAsk the user which colour it is to be.\n"
LATENCY = {"engine_options": {"simulate": {"latency_ms": 400}}}


def asks(folder: Path) -> Path:
    (folder / "assets").mkdir(parents=True)
    (folder / "SKILL.md").write_text(ASKS)
    runner = {
        "id": "asks",
        "version": "1",
        "execution_modes": ["interactive"],
        "schemas": {"output": "assets/output.schema.json"},
    }
    (folder / "assets/runner.json").write_text(json.dumps(runner))
    output = {"type": "object", "properties": {"answer": {"type": "string"}}}
    (folder / "assets/output.schema.json").write_text(json.dumps(output))
    return folder


def submit(client: JobClient, number: int, **options: Any) -> str:
    made = client.create(
        "text-report", input={"title": f"T{number}"}, runtime_options={**LATENCY, **options}
    )
    client.upload(made["request_id"], {"document": f"Text {number}.".encode()})
    return made["request_id"]


@pytest.mark.parametrize("seed", range(3))
def test_kill_9_loses_no_job_and_does_none_twice(seed: int, tmp_path: Path) -> None:
    workspace, chance = tmp_path / "workspace", random.Random(seed)
    install(workspace)
    with Serving.on(workspace) as server:
        client = JobClient(server.client)
        jobs = [submit(client, number) for number in range(COUNT)]
        waiting = client.create("text-report", input={"title": "waits"})["request_id"]
        time.sleep(chance.uniform(0, 0.6))
        server.end(signal.SIGKILL)
    with Serving.on(workspace) as server:
        time.sleep(chance.uniform(0.2, 0.5))
        server.end(signal.SIGKILL)
    with Serving.on(workspace) as server:
        client = JobClient(server.client)
        for job in jobs:
            found = client.poll(job)
            assert found["status"] == "succeeded", found
            assert client.artifacts(job) == ["artifacts/report.md"]
        assert client.status(waiting)["state"] == "waiting_upload"
        client.upload(waiting, {"document": b"At last."})
        assert client.poll(waiting)["status"] == "succeeded"
        for job in jobs:
            kinds = [event.kind for event in followed(server, job)]
            assert kinds.count("job.succeeded") == 1
            assert kinds[-1] == "job.succeeded"
    rows = executions(workspace)
    answered = [address for address, outcome in rows if outcome == "answered"]
    assert len(answered) == len(set(answered)) == COUNT + 1
    assert not [address for address, outcome in rows if outcome is None]
    assert len(list((workspace / "sessions").iterdir())) == COUNT + 1


def followed(server: Serving, job: str) -> list[Any]:
    """Every event of a job, on a connection that is cut again and again."""
    seen: list[Any] = []
    while True:
        last = seen[-1].cursor if seen else 0
        headers = {"last-event-id": str(last)}
        with server.client.stream("GET", f"/v1/jobs/{job}/events", headers=headers) as answer:
            if answer.status_code == 204:
                break
            for number, event in enumerate(sent(answer.iter_lines())):
                seen.append(event)
                if number == 1:
                    break
    cursors = [event.cursor for event in seen]
    assert cursors == sorted(set(cursors))
    return seen


def test_what_may_not_run_again_fails(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    install(workspace)
    slow = {"engine_options": {"simulate": {"latency_ms": 30_000}}}
    with Serving.on(workspace) as server:
        client = JobClient(server.client)
        job = submit(client, 1, on_restart="fail", **slow)
        client.poll(job, 20, "running")
        server.end(signal.SIGKILL)
    with Serving.on(workspace) as server:
        found = JobClient(server.client).poll(job)
    assert (found["status"], found["error"]["code"]) == ("failed", "interrupted")


def test_a_server_that_ends_leaves_its_jobs_to_the_next(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    install(workspace)
    with Serving.on(workspace) as server:
        client = JobClient(server.client)
        jobs = [submit(client, number) for number in range(4)]
        client.poll(jobs[0], 20, "running")
        seconds, _, errors = server.end(signal.SIGTERM)
    assert seconds < 10
    assert "Traceback" not in errors
    with Serving.on(workspace) as server:
        client = JobClient(server.client)
        found = [client.poll(job) for job in jobs]
    assert {each["status"] for each in found} == {"succeeded"}
    assert all("restarts" not in each for each in found), "it was not killed"


def test_two_servers_do_each_job_once(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    install(workspace)
    with Serving.on(workspace) as one, Serving.on(workspace) as other:
        clients = [JobClient(one.client), JobClient(other.client)]
        jobs = [submit(clients[number % 2], number) for number in range(COUNT)]
        for number, job in enumerate(jobs):
            assert clients[(number + 1) % 2].poll(job)["status"] == "succeeded"
    outcomes = [outcome for _, outcome in executions(workspace)]
    assert outcomes == ["answered"] * COUNT


def test_a_question_answers_itself_after_a_restart(tmp_path: Path) -> None:
    """The timer is a row: who is there when it is due does what it is for."""
    workspace = tmp_path / "workspace"
    install(workspace, asks(tmp_path / "asks"))
    options = {"interactive_auto_reply": True, "interactive_reply_timeout_sec": 3}
    with Serving.on(workspace) as server:
        client = JobClient(server.client)
        job = client.create("asks", runtime_options=options)["request_id"]
        assert client.poll(job, 20, "waiting_user")["status"] == "waiting_user"
        server.end(signal.SIGKILL)
    with Serving.on(workspace) as server:
        found = JobClient(server.client).poll(job, 30)
    assert found["status"] == "succeeded", found
    assert found["auto_decision_count"] == 1
