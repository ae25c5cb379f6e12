"""Faults of Skill Runner, a server that runs skills as jobs: each was seen there, none is here.

Its templates ran code, a path in an answer took files from the server, archives unfolded without
end, limits of its queue were none, a restart lost work, and most doors had no lock.
"""

import asyncio
import io
import json
import os
import sys
import time
import zipfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.calls import run as command
from tests.flows.command import executions
from tests.server import job_lives
from tests.server.calling import Caller, assert_problem, caller, calling
from tests.server.hostile_zips import bomb
from tests.server.job_packages import JOBS, OUTPUT, created, done, package, send, started
from whet.app.jobs import create as creating
from whet.server.desk import Desk

SECRET = "nobody may see this"
LATENT = {"engine_options": {"simulate": {"latency_ms": 300}}}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace of all requests of this module."""
    return tmp_path_factory.mktemp("runner") / "workspace"


@pytest.fixture(scope="module")
def call(shelf: Path) -> Generator[Caller]:
    with caller(shelf, HOME=str(shelf.with_name("home"))) as made:
        yield made


def agent(folder: Path, body: str) -> list[str]:
    """Options of ``whet run`` for a program that does *body* and prints ``answer``."""
    script = folder / "agent.py"
    lines = ["import json, os, sys", "sys.stdin.read()", "answer = {'words': 2}", body]
    script.write_text("\n".join([*lines, "print(json.dumps(answer))"]))
    argv = json.dumps([sys.executable, "-I", str(script)])
    return ["--engine", "command", "--option", f"argv={argv}", "--yes"]


def ran(folder: Path, body: str, *more: str, output: dict[str, Any] = OUTPUT) -> dict[str, Any]:
    """What the command says of one job that such a program does."""
    path = folder / "report.zip"
    path.write_bytes(package(output=output))
    arguments = (*agent(folder, body), *more, "--workspace", folder / "workspace", "--json")
    return json.loads(command("run", path, *arguments).stdout)


def test_a_template_that_asks_for_the_process_id_of_the_server(call: Caller) -> None:
    job = created(call, input={"title": "T"})
    hostile = package(prompt="{{ cycler.__init__.__globals__.os.getpid() }}")
    answer = send(call, job, skill_package=hostile)
    assert_problem(answer, 400, "invalid_request", "prompt of the package")
    assert str(os.getpid()) not in answer.text
    assert call("GET", f"{JOBS}/{job}").json()["state"] == "waiting_upload"


def test_an_input_that_looks_like_a_template_is_only_text(call: Caller) -> None:
    title = "{{ 7 * 191 }} {% raw %}"
    job = done(call, package(prompt="Title: {{ input.title }}"), input={"title": title})
    said = call("GET", f"{JOBS}/{job['request_id']}/bundle/debug").content
    with zipfile.ZipFile(io.BytesIO(said)) as archive:
        text = b"".join(archive.read(name) for name in archive.namelist())
    assert b"1337" not in text
    assert b"{{ 7 * 191 }}" in text


def test_an_absolute_path_in_an_answer_neither_moves_nor_shows_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "mine.md"
    secret.write_text(SECRET)
    found = ran(tmp_path, f"answer['report'] = {str(secret)!r}")
    assert found["job"]["status"] == "failed"
    assert found["job"]["error"]["code"] == "artifact_missing"
    assert secret.read_text() == SECRET, "it was moved into the run"
    held = [path for path in tmp_path.rglob("*") if path.is_file() and path != secret]
    assert not [path for path in held if SECRET.encode() in path.read_bytes()]


def test_a_package_of_300_kilobytes_that_unfolds_to_300_megabytes(
    call: Caller, shelf: Path
) -> None:
    job = created(call, input={"title": "T"})
    assert len(data := bomb()) < 400_000
    for field in ("skill_package", "file"):
        assert send(call, job, **{field: data}).status_code == 400
    sizes = [path.stat().st_size for path in shelf.rglob("*") if path.is_file()]
    assert sum(sizes) < 20_000_000, "some of it was unfolded"


def test_an_archive_that_names_a_sibling_with_the_same_beginning(call: Caller, shelf: Path) -> None:
    """Its check was that the path begins with that of the folder."""
    job = created(call, input={"title": "T"})
    with zipfile.ZipFile(made := io.BytesIO(), "w") as archive:
        archive.writestr("../uploads-evil/document", b"x")
    assert send(call, job, file=made.getvalue()).status_code == 400
    assert not [*shelf.parent.rglob("*evil*")]


def test_no_route_answers_without_the_token(tmp_path: Path) -> None:
    """There, jobs, clean-up, settings and keys were open while a password was set."""
    with caller(tmp_path / "workspace", WHET_TOKEN="t" * 40) as call:
        headers = {"authorization": "Bearer " + "t" * 40}
        contract = call("GET", "/openapi.json", headers=headers).json()
        routes = [(m.upper(), p) for p, ms in contract["paths"].items() for m in ms]
        assert len(routes) > 100
        answers = {route: call(*route).status_code for route in routes if route[1] != "/v1/health"}
        assert {route for route, status in answers.items() if status != 401} == set()


def test_without_bubblewrap_an_agent_is_confined_all_the_same_and_the_job_says_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the agent ran with full access, and no word of it in the job."""
    monkeypatch.setenv("WHET_SANDBOX", "required")
    monkeypatch.setenv("PATH", str(tmp_path))
    outside = tmp_path / "outside"
    job = ran(tmp_path, f"open({str(outside)!r}, 'w')")["job"]
    assert (job["status"], outside.exists()) == ("failed", False)
    assert job["sandbox"] not in ("none", "", None)
    monkeypatch.setenv("WHET_SANDBOX", "off")
    job = ran(tmp_path, f"open({str(outside)!r}, 'w')")["job"]
    assert (job["sandbox"], outside.exists()) == ("none", True), "the attack itself is a sound one"


def test_an_agent_does_not_see_the_variables_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WHET_TOKEN", "UI_BASIC_AUTH_PASSWORD", "MY_API_KEY"):
        monkeypatch.setenv(name, "s3cret-of-the-server")
    loose = {"type": "object", "properties": {"seen": {"type": "object"}}}
    found = ran(tmp_path, "answer = {'seen': dict(os.environ)}", output=loose)
    assert found["job"]["status"] == "succeeded", found
    assert "s3cret-of-the-server" not in json.dumps(found)
    seen = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert not [path for path in seen if b"s3cret-of-the-server" in path.read_bytes()]


def test_jobs_at_once_each_get_their_own_model(tmp_path: Path) -> None:
    """There they shared one configuration file: 9 of 40 ran with the model of another."""
    loose = {"type": "object", "properties": {"model": {"type": "string"}}}
    skill, rows = tmp_path / "report.zip", tmp_path / "rows.jsonl"
    skill.write_bytes(package(output=loose))
    rows.write_text("".join(json.dumps({"title": str(number)}) + "\n" for number in range(3)))
    body = "import time; time.sleep(0.05); answer = {'model': os.environ['WHET_MODEL']}"
    _, _, *options = agent(tmp_path, body)
    models = [f"model-{number}" for number in range(4)]
    engines = ",".join(f"command:{model}" for model in models)
    place = ("--workspace", tmp_path / "workspace", "--json")
    wishes = ("--batch", rows, "--engines", engines, "--wait", *options)
    batch = json.loads(command("job", "submit", skill, *wishes, *place).stdout)
    for row in batch["items"]:
        found = json.loads(command("job", "result", row["request_id"], *place).stdout)
        assert found["result"]["data"]["model"] == row["model"]
    assert sorted(row["model"] for row in batch["items"]) == sorted(models * 3)


def flow(workspace: Path, steps: Callable[[httpx.AsyncClient, Desk], Any]) -> None:
    job_lives.run(workspace, steps)


def test_a_full_queue_refuses_and_leaves_no_job_that_waits_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There 20 were let in where 2 may wait, and each of 22 refused ones stayed as queued."""
    monkeypatch.setattr(creating, "MOST_WAITING", 2)

    async def steps(client: httpx.AsyncClient, _desk: Desk) -> None:
        bodies = [{"skill_id": "text-report", "input": {"title": str(n)}} for n in range(24)]
        answers = await asyncio.gather(*(client.post(JOBS, json=body) for body in bodies))
        codes = [answer.status_code for answer in answers]
        assert (codes.count(200), codes.count(429)) == (2, 22)
        assert (await client.get(JOBS)).json()["total"] == 2

    flow(tmp_path / "workspace", steps)


def test_a_second_upload_starts_no_second_run(tmp_path: Path) -> None:
    async def steps(client: httpx.AsyncClient, desk: Desk) -> None:
        job = await job_lives.create(client, runtime_options=LATENT)
        await job_lives.upload(client, job)
        path = f"{JOBS}/{job['request_id']}/upload"
        other = await client.post(path, content=job_lives.zipped({"document": b"Other."}))
        assert other.status_code == 409
        assert (await job_lives.over(client, job))["status"] == "succeeded"
        assert len(desk.app.store.ledger.latest(10)) == 1

    flow(tmp_path / "workspace", steps)


def test_a_job_that_waits_for_its_upload_can_be_cancelled(call: Caller) -> None:
    job = created(call, input={"title": "T"})
    assert call("POST", f"{JOBS}/{job}/cancel").status_code == 200
    assert call("GET", f"{JOBS}/{job}").json()["status"] == "cancelled"


def test_an_upload_for_a_job_that_never_was_is_not_found(call: Caller) -> None:
    assert send(call, "nobody", skill_package=package()).status_code == 404


def test_a_parameter_that_does_not_fit_is_refused_when_the_job_is_asked_for(
    tmp_path: Path,
) -> None:
    """There the job was taken, waited, and failed."""

    async def steps(client: httpx.AsyncClient, _desk: Desk) -> None:
        body = {"skill_id": "text-report", "input": {"title": "T"}}
        answer = await client.post(JOBS, json={**body, "parameter": {"max_words": "many"}})
        assert answer.status_code == 400, answer.text
        assert "max_words" in answer.text
        assert (await client.get(JOBS)).json()["total"] == 0

    flow(tmp_path / "workspace", steps)


def test_a_restart_loses_no_job_and_runs_none_twice(tmp_path: Path) -> None:
    """There running jobs and those that never began were failed by the next start."""
    workspace = tmp_path / "workspace"

    async def begin(client: httpx.AsyncClient, _desk: Desk) -> None:
        for number in range(3):
            title = {"title": str(number)}
            slow = {"engine_options": {"simulate": {"latency_ms": 1_500}}}
            job = await job_lives.create(client, input=title, runtime_options=slow)
            await job_lives.upload(client, job)
            jobs.append(job)

    async def go_on() -> None:
        async with calling(workspace) as (client, _):
            found = [await job_lives.over(client, job) for job in jobs]
            assert [each["status"] for each in found] == ["succeeded"] * 3

    jobs: list[dict[str, Any]] = []
    flow(workspace, begin)
    asyncio.run(go_on())
    answered = [address for address, outcome in executions(workspace) if outcome == "answered"]
    assert len(answered) == len(set(answered)) == 3


def test_a_question_answers_itself_although_the_server_was_away(tmp_path: Path) -> None:
    """There the time limit was lost with the process."""
    workspace = tmp_path / "workspace"
    options = {"interactive_auto_reply": True, "interactive_reply_timeout_sec": 0.5}
    jobs: list[dict[str, Any]] = []

    async def ask(client: httpx.AsyncClient, _desk: Desk) -> None:
        wishes: dict[str, Any] = {"skill_id": "asks", "mode": "interactive", "input": {}}
        jobs.append(await job_lives.create(client, **wishes, runtime_options=options))
        assert (await job_lives.over(client, jobs[0]))["status"] == "waiting_user"

    async def come_back() -> None:
        async with calling(workspace) as (client, _):

            async def is_over() -> bool:
                return await job_lives.status(client, jobs[0]) == "succeeded"

            await job_lives.until(is_over)

    flow(workspace, ask)
    asyncio.run(come_back())


def test_two_replies_at_once_count_once(tmp_path: Path) -> None:
    async def steps(client: httpx.AsyncClient, _desk: Desk) -> None:
        job = await job_lives.create(client, skill_id="asks", mode="interactive", input={})
        await job_lives.over(client, job)
        path = f"{JOBS}/{job['request_id']}/interaction/reply"
        said = [{"id": 1, "response": {"text": one}} for one in ("red", "green", "blue")]
        answers = await asyncio.gather(*(client.post(path, json=each) for each in said))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        assert (await job_lives.over(client, job))["interaction_count"] == 1

    flow(tmp_path / "workspace", steps)


def test_a_stream_that_is_cut_goes_on_with_the_next_event(tmp_path: Path) -> None:
    """There events had no id, so that a client could not say what it had seen."""

    def ids(text: str) -> list[str]:
        return [line[4:] for line in text.splitlines() if line.startswith("id: ")]

    async def steps(client: httpx.AsyncClient, _desk: Desk) -> None:
        job = await job_lives.done(client)
        path = f"{JOBS}/{job['request_id']}/events"
        whole = ids((await client.get(path)).text)
        assert len(whole) > 2
        for number, seen in enumerate(whole[:-1], start=1):
            rest = await client.get(path, headers={"last-event-id": seen})
            assert ids(rest.text) == whole[number:]

    flow(tmp_path / "workspace", steps)


def test_a_result_is_refused_until_there_is_one_and_a_failure_has_a_code(call: Caller) -> None:
    slow = {"engine_options": {"simulate": {"latency_ms": 5_000}}}
    job = started(call, package(), input={"title": "T"}, runtime_options=slow)
    assert call("GET", f"{JOBS}/{job}/result").status_code == 409
    call("POST", f"{JOBS}/{job}/cancel")
    bad = {"engine_options": {"simulate": {"missing_artifact": 9}}}
    found = done(call, package(), input={"title": "T"}, runtime_options=bad)
    assert (found["status"], found["error"]["code"]) == ("failed", "artifact_missing")


def test_another_environment_is_another_job_and_no_answer_from_the_cache(tmp_path: Path) -> None:
    loose = {"type": "object", "properties": {"colour": {"type": "string"}}}
    body = "answer = {'colour': os.environ['COLOUR']}"
    colours = [
        ran(tmp_path, body, "--env", f"COLOUR={colour}", output=loose)["result"]["data"]["colour"]
        for colour in ("red", "green")
    ]
    assert colours == ["red", "green"]


def test_paths_of_the_server_are_not_told(call: Caller, shelf: Path) -> None:
    job = done(call, package(), input={"title": "T"})["request_id"]
    for path in ("/v1/skills", JOBS, f"{JOBS}/{job}", f"{JOBS}/{job}/result"):
        answer = call("GET", path)
        assert answer.status_code == 200
        assert str(shelf) not in answer.text, path


def test_a_timeout_ends_the_children_of_the_agent_too(tmp_path: Path) -> None:
    seconds = f"3141.{time.monotonic_ns()}"
    begin = time.monotonic()
    body = f"import subprocess; subprocess.run(['/bin/sleep', '{seconds}'])"
    found = ran(tmp_path, body, "--timeout", "1")
    assert time.monotonic() - begin < 15
    assert (found["job"]["status"], found["job"]["error"]["code"]) == ("failed", "timeout")
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert commands
    assert f"/bin/sleep\0{seconds}\0".encode() not in commands
