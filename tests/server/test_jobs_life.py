"""What becomes of jobs: answered by others, cancelled, replied to, let go."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.flows.job_client import zipped
from tests.server.job_lives import TEXT, create, done, over, run, status, until, upload
from whet.app.jobs.moves import KEEP, UPLOAD
from whet.ports.timers import Timer
from whet.server.desk import Desk


def test_the_same_again_is_answered_by_the_first(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        first = await done(client)
        again = await done(client)
        assert (first["cache_hit"], again["cache_hit"]) == (False, True)
        assert first["run_id"] == again["run_id"]
        assert len(desk.app.store.ledger.latest(10)) == 1
        others = [
            await done(client, input={"title": "Other"}),
            await done(client, parameter={"max_words": 3}),
            await done(client, runtime_options={"no_cache": True}),
            await done(client, runtime_options={"engine_options": {"simulate": {"latency_ms": 1}}}),
        ]
        assert {each["cache_hit"] for each in others} == {False}
        assert len({each["run_id"] for each in [first, *others]}) == 5
        job = await create(client)
        uploaded = await upload(client, job, b"Another text.")
        assert uploaded["cache_hit"] is False

    run(tmp_path / "workspace", flow)


def test_what_failed_answers_nobody(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        options = {"engine_options": {"simulate": {"missing_artifact": 9}}}
        for _ in range(2):
            job = await create(client, runtime_options=options)
            await upload(client, job)
            found = await over(client, job)
            assert (found["status"], found["cache_hit"]) == ("failed", False)
            assert found["error"]["code"] == "artifact_missing"
            result = (await client.get(f"/v1/jobs/{job['request_id']}/result")).json()["result"]
            assert (result["status"], result["repairs"], result["data"]) == ("failed", 3, None)

    run(tmp_path / "workspace", flow)


def test_a_key_makes_one_job_of_many_requests(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        made = await asyncio.gather(*(create(client, idempotency_key="k") for _ in range(20)))
        assert len({each["request_id"] for each in made}) == 1
        body = {"skill_id": "text-report", "input": {"title": "Other"}, "idempotency_key": "k"}
        assert (await client.post("/v1/jobs", json=body)).status_code == 409
        headers = {"idempotency-key": "k"}
        same = {"skill_id": "text-report", "input": {"title": "T"}}
        answer = await client.post("/v1/jobs", json=same, headers=headers)
        assert answer.json()["request_id"] == made[0]["request_id"]
        uploads = await asyncio.gather(*(upload(client, made[0]) for _ in range(8)))
        assert {each["request_id"] for each in uploads} == {made[0]["request_id"]}
        await over(client, made[0])
        assert len(desk.app.store.ledger.latest(10)) == 1
        path = f"/v1/jobs/{made[0]['request_id']}/upload"
        late = await client.post(path, content=zipped({"document": b"other"}))
        assert late.status_code == 409

    run(tmp_path / "workspace", flow)


def test_a_job_is_cancelled_in_every_state(tmp_path: Path) -> None:
    slow = {"engine_options": {"simulate": {"latency_ms": 20_000}}}

    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        waiting = await create(client)
        running = await create(client, runtime_options=slow)
        await upload(client, running)
        asking = await create(client, skill_id="asks", mode="interactive", input={})
        found = await over(client, asking)
        assert found["status"] == "waiting_user", found

        async def runs() -> bool:
            return await status(client, running) == "running"

        await until(runs)
        for job in (waiting, running, asking):
            path = f"/v1/jobs/{job['request_id']}"
            told = (await client.post(f"{path}/cancel")).json()
            assert (told["status"], told["accepted"]) == ("cancelled", True), told
            again = (await client.post(f"{path}/cancel")).json()
            assert (again["status"], again["accepted"]) == ("cancelled", True)
            result = (await client.get(f"{path}/result")).json()["result"]
            assert (result["status"], result["error"]["code"]) == ("cancelled", "cancelled")
        finished = await done(client)
        told = (await client.post(f"/v1/jobs/{finished['request_id']}/cancel")).json()
        assert (told["status"], told["accepted"]) == ("succeeded", False)

    run(tmp_path / "workspace", flow)


@pytest.mark.slow
def test_a_cancel_and_an_end_at_once_leave_one_of_two(tmp_path: Path) -> None:
    """Whichever it is, all that is told of the job agrees."""

    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        ends: set[str] = set()
        for number in range(40):
            job = await create(client, input={"title": f"T{number}"})
            await upload(client, job)
            path = f"/v1/jobs/{job['request_id']}"
            await asyncio.sleep(0.002 * (number % 20))
            told = (await client.post(f"{path}/cancel")).json()
            found = await over(client, job)
            ends.add(found["status"])
            assert found["status"] in ("cancelled", "succeeded")
            assert told["accepted"] == (found["status"] == "cancelled")
            events = desk.app.store.events.since(0, job["request_id"])
            last = [e.kind for e in events if e.kind in ("job.cancelled", "job.succeeded")]
            assert last == [f"job.{found['status']}"]
        assert "cancelled" in ends

    run(tmp_path / "workspace", flow)


def test_one_of_many_replies_counts(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        job = await create(client, skill_id="asks", mode="interactive", input={})
        assert (await over(client, job))["status"] == "waiting_user"
        path = f"/v1/jobs/{job['request_id']}/interaction"
        asked = (await client.get(f"{path}/pending")).json()["pending"]
        assert [each["value"] for each in asked["options"]] == ["red", "green", "blue"]
        odd = {"interaction_id": asked["id"], "response": "pink"}
        assert (await client.post(f"{path}/reply", json=odd)).status_code == 400
        stale = {"interaction_id": 7, "response": "red"}
        assert (await client.post(f"{path}/reply", json=stale)).status_code == 409
        replies = [
            {"interaction_id": asked["id"], "response": colour, "idempotency_key": colour}
            for colour in ("red", "green", "blue") * 4
        ]
        answers = await asyncio.gather(
            *(client.post(f"{path}/reply", json=reply) for reply in replies)
        )
        taken = {r["response"] for r, a in zip(replies, answers, strict=True) if not a.is_error}
        assert len(taken) == 1
        assert {each.status_code for each in answers} == {200, 409}
        found = await over(client, job)
        assert (found["status"], found["interaction_count"]) == ("succeeded", 1)
        result = (await client.get(f"/v1/jobs/{job['request_id']}/result")).json()["result"]
        assert taken.pop() in json.dumps(result["data"])

    run(tmp_path / "workspace", flow)


@pytest.mark.parametrize("names", [("id",), ("interaction_id",), ("id", "interaction_id")])
def test_a_question_has_two_names_for_its_id(tmp_path: Path, names: tuple[str, ...]) -> None:
    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        job = await create(client, skill_id="asks", mode="interactive", input={})
        assert (await over(client, job))["pending_interaction_id"] == 1
        path = f"/v1/jobs/{job['request_id']}/interaction"
        asked = (await client.get(f"{path}/pending")).json()["pending"]
        assert (asked["id"], asked["interaction_id"]) == (1, 1)
        [told] = (
            event.data["interaction"]
            for event in desk.app.store.events.since(0, job["request_id"])
            if event.kind == "job.waiting_user"
        )
        assert told == asked
        for wrong, code in (({}, 400), ({"id": 1, "interaction_id": 2}, 400), ({"id": 2}, 409)):
            answer = await client.post(f"{path}/reply", json={**wrong, "response": "red"})
            assert answer.status_code == code, answer.text
            assert "id" in answer.json()["detail"] or code == 409
        said = {**dict.fromkeys(names, 1), "response": {"text": "red"}, "idempotency_key": "k"}
        for _ in range(2):
            answer = await client.post(f"{path}/reply", json=said)
            assert (answer.status_code, answer.json()["accepted"]) == (200, True), answer.text
        assert (await over(client, job))["status"] == "succeeded"

    run(tmp_path / "workspace", flow)


@pytest.mark.parametrize("name", ["id", "interaction_id"])
def test_a_reply_with_files_names_its_question_either_way(tmp_path: Path, name: str) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        job = await create(client, skill_id="asks", mode="interactive", input={})
        await over(client, job)
        about = json.dumps({name: 1, "bindings": [], "message": "green"})
        path = f"/v1/jobs/{job['request_id']}/interaction/reply/files"
        answer = await client.post(path, files={"metadata": (None, about)})
        assert answer.status_code == 200, answer.text

    run(tmp_path / "workspace", flow)


def test_nobody_replies_and_the_agent_decides(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        options = {"interactive_auto_reply": True, "interactive_reply_timeout_sec": 0.3}
        job = await create(
            client, skill_id="asks", mode="interactive", input={}, runtime_options=options
        )

        async def decided() -> bool:
            return await status(client, job) not in ("waiting_user", "queued", "running")

        await until(decided)
        found = await over(client, job)
        assert found["status"] == "succeeded", found
        assert found["auto_decision_count"] == 1

    run(tmp_path / "workspace", flow)


def test_what_is_old_goes_and_what_others_need_stays(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"

    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        first, second = await done(client), await done(client)
        assert second["cache_hit"] is True
        store, now = desk.app.store, desk.app.clock.now()
        report = workspace / "runs" / first["run_id"] / "artifacts/report.md"
        for job, is_there in ((first, True), (second, False)):
            store.timers.set(Timer(KEEP, job["request_id"], now, {}))

            async def gone(job: dict[str, Any] = job) -> bool:
                return (await client.get(f"/v1/jobs/{job['request_id']}")).status_code == 404

            await until(gone)
            assert report.exists() is is_there
            if is_there:
                last = f"/v1/jobs/{second['request_id']}/artifacts/artifacts/report.md"
                assert (await client.get(last)).status_code == 200
        third = await done(client)
        assert third["cache_hit"] is False
        waiting = await create(client)
        store.timers.set(Timer(UPLOAD, waiting["request_id"], now, {}))
        found = await over(client, waiting)
        assert (found["status"], found["error"]["code"]) == ("cancelled", "upload_expired")
        deleted = await client.delete(f"/v1/jobs/{waiting['request_id']}")
        assert deleted.status_code == 200
        busy = await create(client)
        assert (await client.delete(f"/v1/jobs/{busy['request_id']}")).status_code == 409

    run(workspace, flow)


def test_a_batch_is_one_table_with_its_errors(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        body = {
            "skill_id": "asks",
            "mode": "auto",
            "engines": ["simulated", "nobody"],
            "items": [{"input": {"n": 1}}, {"input": {"n": 2}}],
        }
        assert (await client.post("/v1/job-batches", json=body)).status_code == 400
        body["engines"] = ["simulated", "claude"]
        answer = await client.post("/v1/job-batches", json={**body, "confirmed": True})
        assert answer.status_code == 202, answer.text
        path = f"/v1/job-batches/{answer.json()['batch_id']}"

        async def finished() -> bool:
            return (await client.get(path)).json()["is_over"]

        await until(finished)
        table = (await client.get(path)).json()
        assert table["total"] == 4
        assert [row["index"] for row in table["items"]] == [0, 1, 2, 3]
        assert [row["status"] for row in table["items"]] == ["succeeded", "refused"] * 2
        assert "claude" in table["items"][1]["error"]["message"]
        assert table["items"][0]["data"]["answer"]

    run(tmp_path / "workspace", flow)


def test_a_job_becomes_a_test_case(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        about: dict[str, Any] = {
            "name": "Reports",
            "purpose": "reports",
            "provider": "me",
            "cases": [],
        }
        baseline = (await client.post("/v1/baselines", json=about)).json()
        identity = baseline["id"]
        job = await done(client)
        path = f"/v1/jobs/{job['request_id']}/case"
        made = await client.post(path, json={"baseline": identity})
        assert made.status_code == 200, made.text
        cases = (await client.get(f"/v1/baselines/{identity}/cases")).json()["cases"]
        assert len(cases) == 1
        assert TEXT.decode() in cases[0]["input"]
        assert '"words": 5' in cases[0]["expected_output"]
        assert [check["type"] for check in cases[0]["checks"]] == ["json_schema", "file_exists"]

    run(tmp_path / "workspace", flow)


def test_the_session_of_a_job_is_listed_as_soon_as_it_is_over(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        for number in range(1, 4):  # also right after a look that came too early for it
            await done(client, input={"title": f"Number {number}"})
            assert (await client.get("/v1/sessions")).json()["total"] == number

    run(tmp_path / "workspace", flow)
