"""Several clients want different things of one job at once: one of them gets it, the others are
told so, and all that is told of the job afterwards agrees."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.job_lives import create, over, run, upload
from whet.server.desk import Desk

pytestmark = pytest.mark.slow

MOVES = ("job.succeeded", "job.failed", "job.cancelled")


async def asking(client: httpx.AsyncClient) -> str:
    """The path of a job that waits for an answer."""
    job = await create(client, skill_id="asks", mode="interactive", input={})
    assert (await over(client, job))["status"] == "waiting_user"
    return f"/v1/jobs/{job['request_id']}"


def kinds(desk: Desk, path: str) -> list[str]:
    return [event.kind for event in desk.app.store.events.since(0, path.rpartition("/")[2])]


async def assert_agrees(client: httpx.AsyncClient, desk: Desk, path: str) -> str:
    """The end of a job, which is told the same everywhere and once."""
    found = (await client.get(f"{path}/wait", params={"timeout": 30})).json()
    result = (await client.get(f"{path}/result")).json()["result"]
    [end] = [kind for kind in kinds(desk, path) if kind in MOVES]
    assert end == f"job.{found['status']}"
    assert result["status"] == found["status"].replace("succeeded", "success")
    assert kinds(desk, path)[-1] == end
    return found["status"]


def test_a_reply_and_a_cancel_at_once(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        for number in range(12):
            path = await asking(client)
            said = {"interaction_id": 1, "response": "red"}

            async def reply(path: str = path, said: dict[str, Any] = said) -> int:
                return (await client.post(f"{path}/interaction/reply", json=said)).status_code

            async def cancel(path: str = path, late: int = number) -> bool:
                await asyncio.sleep(0.008 * late)
                return (await client.post(f"{path}/cancel")).json()["accepted"]

            taken, cancelled = await asyncio.gather(reply(), cancel())
            assert taken in (200, 409)
            end = await assert_agrees(client, desk, path)
            assert (end == "cancelled") is cancelled
            if taken == 409:
                assert end == "cancelled"
            late = await client.post(f"{path}/interaction/reply", json={**said, "response": "blue"})
            assert late.status_code == 409

    run(tmp_path / "workspace", flow)


def test_an_upload_and_a_cancel_at_once(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        for number in range(12):
            job = await create(client, input={"title": f"T{number}"})
            path = f"/v1/jobs/{job['request_id']}"

            async def give(job: dict[str, Any] = job) -> bool:
                try:
                    return bool(await upload(client, job))
                except AssertionError:
                    return False

            async def cancel(path: str = path, late: int = number) -> bool:
                await asyncio.sleep(0.003 * (late % 6))
                return (await client.post(f"{path}/cancel")).json()["accepted"]

            given, cancelled = await asyncio.gather(give(), cancel())
            end = await assert_agrees(client, desk, path)
            assert (end == "cancelled") is cancelled
            assert given or cancelled
            assert kinds(desk, path).count("job.queued") <= 1

    run(tmp_path / "workspace", flow)


def test_many_cancel_and_one_deletes(tmp_path: Path) -> None:
    slow = {"engine_options": {"simulate": {"latency_ms": 20_000}}}

    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        job = await create(client, runtime_options=slow)
        await upload(client, job)
        path = f"/v1/jobs/{job['request_id']}"
        assert (await client.delete(path)).status_code == 409
        answers = await asyncio.gather(*(client.post(f"{path}/cancel") for _ in range(8)))
        assert {(each.status_code, each.json()["status"]) for each in answers} == {
            (200, "cancelled")
        }
        assert await assert_agrees(client, desk, path) == "cancelled"
        gone = await asyncio.gather(*(client.delete(path) for _ in range(4)))
        assert sorted(each.status_code for each in gone) == [200, 404, 404, 404]
        assert (await client.get(path)).status_code == 404

    run(tmp_path / "workspace", flow)


def test_one_deletes_while_many_cancel(tmp_path: Path) -> None:
    slow = {"engine_options": {"simulate": {"latency_ms": 20_000}}}

    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        job = await create(client, runtime_options=slow)
        await upload(client, job)
        path = f"/v1/jobs/{job['request_id']}"
        *cancels, delete = await asyncio.gather(
            *(client.post(f"{path}/cancel") for _ in range(8)), client.delete(path)
        )
        statuses = {each.status_code for each in cancels}
        if delete.status_code == 409:  # it came before the first that was heard
            assert statuses == {200}
            assert await assert_agrees(client, desk, path) == "cancelled"
        else:  # one was heard before it; who is answered after it finds nothing
            assert delete.status_code == 200
            assert statuses <= {200, 404}
            assert (await client.get(path)).status_code == 404

    run(tmp_path / "workspace", flow)


def test_replies_with_and_without_files_at_once(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        path = await asking(client)

        def plain(colour: str) -> Any:
            said = {"interaction_id": 1, "response": colour, "idempotency_key": colour}
            return client.post(f"{path}/interaction/reply", json=said)

        def form(colour: str) -> Any:
            about: dict[str, Any] = {
                "interaction_id": 1,
                "message": colour,
                "idempotency_key": colour,
                "bindings": [],
            }
            parts = {"metadata": (None, json.dumps(about)), "files": ("a", b"x")}
            return client.post(f"{path}/interaction/reply/files", files=parts)

        colours = [*("red", "green", "blue") * 3]
        calls = [(colour, way) for colour in colours for way in (plain, form)]
        answers = await asyncio.gather(*(way(colour) for colour, way in calls))
        assert {each.status_code for each in answers} == {200, 409}
        both = zip(calls, answers, strict=True)
        taken = {colour for (colour, _), answer in both if answer.status_code == 200}
        assert len(taken) == 1
        assert await assert_agrees(client, desk, path) == "succeeded"
        job = desk.app.store.jobs.get(path.rpartition("/")[2])
        assert job is not None
        assert [each.value for each in job.responses] == [*taken]
        assert kinds(desk, path).count("job.queued") == 2

    run(tmp_path / "workspace", flow)
