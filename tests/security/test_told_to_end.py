"""A process that is told to end finishes what is under way, begins nothing more, and whoever comes
next goes on by itself."""

import signal
import socket
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.app.evaluating import skill
from tests.app.measuring import sayings, write_set
from tests.app.opening import fill
from tests.flows.command import executions, started, whet
from tests.flows.job_client import JobClient
from tests.flows.serving import Serving
from tests.flows.test_jobs import install

CAPABILITY = "/v1/evaluation"
PROJECT = {"name": "P", "skills": ["Writer", "Author"], "baselines": ["Tests"], "repeats": 4}
"""Sixteen trials, as the others have."""


def simulated(milliseconds: int) -> dict[str, Any]:
    return {"simulate": {"latency_ms": milliseconds}}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    fill(made)
    write_set(made, sayings(16))
    install(made)
    return made


class Client:
    """Begins one run of each kind, and knows how each is."""

    def __init__(self, serving: Serving) -> None:
        self.http = serving.client
        self.jobs = JobClient(serving.client)

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.http.post(path, json=body)
        assert answer.status_code in (200, 202), answer.text
        return answer.json()

    def begin(self, folder: Path, milliseconds: int) -> dict[str, str]:
        options = simulated(milliseconds)
        project = self.post("/v1/runs", **PROJECT, options=options)
        eval_ = self.post("/v1/evals", skill=str(folder), runs=4, options=options)
        run = self.post(
            f"{CAPABILITY}/runs",
            model_name="simulated",
            case_set="mini",
            language="en-US",
            config_overrides={"options": options},
        )
        job = self.jobs.create(
            "text-report", input={"title": "T"}, runtime_options={"engine_options": options}
        )["request_id"]
        self.jobs.upload(job, {"document": b"Text."})
        return {"project": project["id"], "eval": eval_["id"], "run": run["run_id"], "job": job}

    def statuses(self, ids: dict[str, str]) -> dict[str, str]:
        ways: dict[str, Callable[[str], str]] = {
            "project": lambda one: self.get(f"/v1/runs/{one}")["status"],
            "eval": lambda one: self.get(f"/v1/evals/{one}")["eval"]["status"],
            "run": lambda one: self.get(f"{CAPABILITY}/runs/{one}")["run"]["status"],
            "job": lambda one: self.jobs.status(one)["status"],
        }
        return {kind: ways[kind](one) for kind, one in ids.items()}

    def get(self, path: str) -> dict[str, Any]:
        return self.http.get(path).json()

    def until_draining(self) -> None:
        end = time.monotonic() + 5
        while self.get("/v1/health")["status"] != "draining":
            assert time.monotonic() < end
            time.sleep(0.02)

    def until(self, ids: dict[str, str], wanted: dict[str, str]) -> None:
        end = time.monotonic() + 60
        while (found := self.statuses(ids)) != wanted and time.monotonic() < end:
            time.sleep(0.05)
        assert found == wanted


DONE = {"project": "completed", "eval": "completed", "run": "finished", "job": "succeeded"}


def wait_for_trials(workspace: Path, count: int, outcome: str | None = "answered") -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with suppress(sqlite3.OperationalError):  # there is no database yet, or it has no tables
            if sum(each == outcome for _, each in executions(workspace)) >= count:
                return
        time.sleep(0.02)
    raise AssertionError("no trial comes to its end")


def test_sigterm_lets_trials_finish_and_the_next_start_goes_on_with_every_kind(
    workspace: Path, tmp_path: Path
) -> None:
    with Serving.on(workspace) as serving:
        client = Client(serving)
        ids = client.begin(skill(tmp_path), 700)
        wait_for_trials(workspace, 3)
        serving.process.send_signal(signal.SIGTERM)
        client.until_draining()
        refused = serving.client.post("/v1/runs", json={**PROJECT, "name": "Q"})
        assert (refused.status_code, refused.json()["code"]) == (503, "draining")
        begun = len(executions(workspace))
        _, errors = serving.process.communicate(timeout=20)
        assert (errors, serving.process.returncode) == ("", 0)
    outcomes = Counter(outcome for _, outcome in executions(workspace))
    assert set(outcomes) == {"answered"}, "each came to its end, and nobody holds a claim"
    before = outcomes["answered"]
    assert before == begun, "nothing more begins"
    with Serving.on(workspace) as serving:
        Client(serving).until(ids, DONE)
        assert serving.end(signal.SIGTERM)[2] == ""
    answered = Counter(address for address, _ in executions(workspace))
    assert set(answered.values()) == {1}, "nothing is done twice"
    assert len(answered) > before
    with Serving.on(workspace) as serving:
        assert Client(serving).statuses(ids) == DONE
    assert len(executions(workspace)) == len(answered), "what is over stays so"


@pytest.mark.parametrize(
    "hurry",
    [False, pytest.param(True, marks=pytest.mark.slow)],
    ids=["deadline", "second signal"],
)
def test_what_does_not_end_in_time_is_cancelled_and_counted(
    workspace: Path, tmp_path: Path, *, hurry: bool
) -> None:
    """Also where somebody follows, and somebody else does not go on sending."""
    seconds = "600" if hurry else "1"
    with Serving.on(workspace, WHET_DRAIN_SECONDS=seconds) as serving:
        client = Client(serving)
        ids = client.begin(skill(tmp_path), 60_000)
        wait_for_trials(workspace, 8, None)
        address = ("127.0.0.1", serving.client.base_url.port)
        half = (
            b"POST /v1/projects/import HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n"
        )
        with (
            socket.create_connection(address, 20) as sending,
            serving.client.stream("GET", "/v1/events") as _following,
        ):
            sending.sendall(half + b"x" * 100)
            if hurry:
                serving.process.send_signal(signal.SIGINT)
                time.sleep(0.5)
                assert serving.process.poll() is None
            taken, _, errors = serving.end(signal.SIGINT if hurry else signal.SIGTERM)
        assert taken < 8
    outcomes = Counter(outcome for _, outcome in executions(workspace))
    assert set(outcomes) == {"cancelled"}
    assert f"cancelled: {outcomes['cancelled']};" in errors
    with Serving.on(workspace, WHET_DRAIN_SECONDS="0") as serving:
        client = Client(serving)
        client.until(ids, dict.fromkeys(DONE, "running"))
        serving.end(signal.SIGTERM)
    with Serving.on(workspace, WHET_DRAIN_SECONDS="0") as serving:
        client = Client(serving)
        client.until(ids, dict.fromkeys(DONE, "running"))
        serving.end(signal.SIGKILL)
    with Serving.on(workspace, WHET_DRAIN_SECONDS="0") as serving:
        client = Client(serving)
        client.until(ids, dict.fromkeys(DONE, "running"))


@pytest.mark.slow
def test_what_a_person_stopped_and_what_a_terminal_has_is_left_alone(
    workspace: Path, tmp_path: Path
) -> None:
    with Serving.on(workspace, WHET_DRAIN_SECONDS="0") as serving:
        client = Client(serving)
        ids = client.begin(skill(tmp_path), 60_000)
        other = client.post("/v1/runs", **{**PROJECT, "name": "Other"}, options=simulated(60_001))[
            "id"
        ]
        wait_for_trials(workspace, 8, None)
        client.post(f"/v1/projects/{ids['project']}/stop")
        client.post(f"/v1/evals/{ids['eval']}/stop")
        client.post(f"{CAPABILITY}/runs/{ids['run']}/cancel")
        serving.end(signal.SIGTERM)
    terminal = started("project", "run", other, "--workspace", workspace, "--yes")
    wait_for_trials(workspace, 1, None)
    with Serving.on(workspace, WHET_DRAIN_SECONDS="0") as serving:
        client = Client(serving)
        client.until({"job": ids["job"]}, {"job": "running"})
        kept = {kind: one for kind, one in ids.items() if kind != "job"}
        stopped = {"project": "interrupted", "eval": "interrupted", "run": "cancelled"}
        assert client.statuses(kept) == stopped
        owner = client.get(f"/v1/runs/{other}")["owner"]
        assert owner.startswith(f"{terminal.pid}-")
        terminal.kill()
        terminal.communicate()
    with Serving.on(workspace, WHET_DRAIN_SECONDS="0") as serving:
        client = Client(serving)
        client.until({"job": ids["job"]}, {"job": "running"})
        assert client.get(f"/v1/runs/{other}")["status"] == "interrupted"


@pytest.mark.parametrize(
    "kind",
    ["project", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("eval", "capability"))],
)
def test_sigterm_drains_a_run_in_a_terminal_and_the_next_command_goes_on(
    workspace: Path, tmp_path: Path, kind: str
) -> None:
    folder = skill(tmp_path)
    common = ("--workspace", workspace)
    option = ("--option", 'simulate={"latency_ms":400}')
    if kind == "project":
        names = ("--skill", "Writer", "--skill", "Author", "--baseline", "Tests")
        made = whet("project", "create", "P", *names, "--repeats", "8", *option, *common)
        assert made.returncode == 0, made.stderr
        command: tuple[str | Path, ...] = ("project", "run", "P")
    elif kind == "eval":
        command = ("eval", "run", folder, "--runs", "8", *option)
    else:
        command = ("capability", "run", "mini", "--language", "en-US", *option)
    process = started(*command, *common)
    wait_for_trials(workspace, 3)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 143, errors
    assert errors.splitlines()[-1].startswith("whet: ")
    before = executions(workspace)
    assert {outcome for _, outcome in before} == {"answered"}
    if kind == "capability":
        command = tuple(errors.splitlines()[-1].split(": ")[-1].split()[1:])[:3]
    again = whet(*command, *common)
    assert again.returncode == 0, again.stderr
    after = Counter(address for address, _ in executions(workspace))
    assert set(after.values()) == {1}
    assert len(after) > len(before)
