"""``whet serve`` from the outside: started, followed, killed, stopped, resumed."""

import concurrent.futures
import shutil
import signal
import time
from itertools import islice
from pathlib import Path

import httpx
import psutil
import pytest

from tests.flows.command import assert_every_trial_answered_once, executions
from tests.flows.serving import Serving
from whet.app.sample import install

pytestmark = pytest.mark.slow

FEW = {"skills": ["5e6f33d1", "80777b16"], "repeats": 2}
"""Forty trials."""

MANY = {"repeats": 6}
"""One hundred and eighty trials: seconds."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    install(folder, "en")
    return folder


@pytest.fixture
def workspace(library: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(library, tmp_path / "workspace"))


def test_start_follow_drop_and_follow_again(workspace: Path) -> None:
    """Over two connections every trial is reported once, and the server has nothing to say."""
    with Serving.on(workspace) as serving:
        assert serving.client.get("/v1/health").json()["status"] == "ok"
        assert "/v1/runs" in serving.client.get("/openapi.json").json()["paths"]
        identity = serving.start(**FEW)["id"]
        with serving.following(identity) as events:
            first = list(islice(events, 15))
        second = serving.until(identity, "experiment.finished", last=first[-1].cursor)
        cursors = [event.cursor for event in (*first, *second)]
        assert cursors == sorted(set(cursors))
        kinds = [event.kind for event in (*first, *second)]
        assert kinds == ["experiment.started", *["trial.settled"] * 40, "experiment.finished"]
        trials = {
            (event.data["data"]["arm"], event.data["data"]["case"], event.data["data"]["attempt"])
            for event in (*first, *second)
            if event.kind == "trial.settled"
        }
        assert len(trials) == 40
        detail = serving.get(identity)
        assert detail["status"] == "completed", "whoever hears of it finds it so"
        assert detail["summary"]["ranking"][0]["rank"] == 1
        assert_every_trial_answered_once(workspace, 40)
        _, out, errors = serving.end(signal.SIGTERM)
        assert (out, errors, serving.process.returncode) == ("", "", 0)


def test_kill_9_and_resume(workspace: Path) -> None:
    with Serving.on(workspace) as serving:
        identity = serving.start(**MANY)["id"]
        with serving.following(identity) as events:
            list(islice(events, 20))
            serving.process.kill()
            serving.process.wait()
    with Serving.on(workspace) as serving:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            both = list(pool.map(serving.resume, [identity] * 2))
        assert [one["status"] for one in both] == ["running"] * 2
        serving.until(identity, "experiment.finished")
        assert serving.get(identity)["status"] == "completed"
        assert_every_trial_answered_once(workspace, 180)
        abandoned = [outcome for _, outcome in executions(workspace) if outcome != "answered"]
        assert set(abandoned) <= {"abandoned"}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
def test_a_signal_ends_everything_within_two_seconds(
    workspace: Path, tmp_path: Path, how: signal.Signals
) -> None:
    scratch = tmp_path / "scratch"
    with Serving.on(workspace, WHET_SCRATCH=str(scratch)) as serving:
        identity = serving.start(**MANY)["id"]
        with serving.following(identity) as events:
            list(islice(events, 20))
            seconds, out, errors = serving.end(how)
            rest = list(events)
        assert seconds < 2
        assert out == ""
        if how == signal.SIGINT:
            assert (errors, serving.process.returncode) == ("whet: stopped\n", 130)
        else:
            assert (errors, serving.process.returncode) == ("", 0)
        assert rest[-1].kind == "experiment.interrupted", "the client is told, and let go"
    assert not list(scratch.iterdir())
    assert not list((workspace / ".owners").iterdir())
    assert not [outcome for _, outcome in executions(workspace) if outcome is None]
    with Serving.on(workspace) as serving:
        serving.until(identity, "experiment.finished", last=rest[-1].cursor)
        assert_every_trial_answered_once(workspace, 180)


def test_clients_that_hang_up_leave_nothing_behind(workspace: Path) -> None:
    with Serving.on(workspace) as serving:
        identity = serving.start(**FEW)["id"]
        serving.until(identity, "experiment.finished")
        process = psutil.Process(serving.process.pid)
        before = process.num_fds()
        for _ in range(20):
            with (
                httpx.Client(base_url=serving.client.base_url) as client,
                client.stream("GET", f"/v1/runs/{identity}/events") as answer,
            ):
                next(answer.iter_lines())
        deadline = time.monotonic() + 5
        while process.num_fds() > before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert process.num_fds() <= before
        busy = process.cpu_times().user
        time.sleep(0.5)
        assert process.cpu_times().user - busy < 0.2, "nobody looks for clients that have gone"
        assert serving.end(signal.SIGINT)[2] == "whet: stopped\n"


def test_experiments_side_by_side_do_not_mix(workspace: Path) -> None:
    with Serving.on(workspace) as serving:
        ids = [serving.start(**FEW, model=model)["id"] for model in ("one", "two")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            followed = list(pool.map(serving.until, ids, ["experiment.finished"] * 2))
        for identity, events in zip(ids, followed, strict=True):
            assert {event.data["subject"] for event in events} == {identity}
            assert [event.kind for event in events].count("trial.settled") == 40
        assert_every_trial_answered_once(workspace, 80)


def test_with_a_token_also_beyond_loopback(workspace: Path) -> None:
    with Serving.on(workspace, "--host", "0.0.0.0", WHET_TOKEN="a-long-secret-of-tests") as serving:
        for given in (None, "Bearer wrong"):
            headers = {"authorization": given} if given else {}
            refused = serving.client.get("/v1/health", headers=headers)
            assert refused.status_code == 401
            assert refused.headers["content-type"] == "application/problem+json"
        serving.client.headers["authorization"] = "Bearer a-long-secret-of-tests"
        assert serving.client.get("/v1/health", headers={"host": "a.b"}).status_code == 200
        identity = serving.start(**FEW)["id"]
        serving.until(identity, "experiment.finished")
        assert "a-long-secret-of-tests" not in serving.end(signal.SIGTERM)[2]


def test_a_foreign_name_is_refused(workspace: Path) -> None:
    with Serving.on(workspace) as serving:
        refused = serving.client.get("/v1/health", headers={"host": "evil.example"})
        assert (refused.status_code, refused.json()["code"]) == (403, "foreign_host")


def test_a_client_that_keeps_its_connection_does_not_wait_for_it(tmp_path: Path) -> None:
    """An answer in two parts must not wait for the acknowledgement of the first, which comes after
    40 ms: so long would each of these take at least."""
    with Serving.on(tmp_path) as serving:
        taken: list[float] = []
        for _ in range(30):
            begun = time.perf_counter()
            assert serving.client.get("/v1/health").status_code == 200
            taken.append(time.perf_counter() - begun)
    assert min(taken) < 0.03
