"""Many jobs: one stream for all of a batch, and an end to how many may wait."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.calling import assert_problem
from tests.server.job_lives import create, over, run
from whet.app.jobs import create as creating
from whet.server.desk import Desk

BODY = {"skill_id": "asks", "mode": "auto", "items": [{"input": {"n": n}} for n in range(3)]}


def events(text: str) -> list[tuple[int, str, dict[str, Any]]]:
    found: list[tuple[int, str, dict[str, Any]]] = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "id" in fields:
            found.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


def test_the_jobs_of_a_batch_are_followed_in_one_stream(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        assert (await client.get("/v1/job-batches/nobody/events")).status_code == 404
        made = (await client.post("/v1/job-batches", json=BODY)).json()
        path = f"/v1/job-batches/{made['batch_id']}/events"
        whole = events((await client.get(path)).text)
        ends = [data["index"] for _, kind, data in whole if kind == "job.succeeded"]
        assert sorted(ends) == [0, 1, 2]
        assert {data["request_id"] for _, _, data in whole} == {
            row["request_id"] for row in made["items"]
        }
        cursors = [cursor for cursor, _, _ in whole]
        assert cursors == sorted(set(cursors))
        for number, cursor in enumerate(cursors[:-1], start=1):
            later = await client.get(path, headers={"last-event-id": str(cursor)})
            assert events(later.text) == whole[number:]
        last = await client.get(path, params={"cursor": cursors[-1]})
        assert last.status_code == 204

    run(tmp_path / "workspace", flow)


def test_no_more_jobs_wait_than_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creating, "MOST_WAITING", 2)

    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        first, _ = [await create(client, input={"title": str(n)}) for n in range(2)]
        body = {"skill_id": "text-report", "input": {"title": "late"}, "idempotency_key": "k"}
        refused = await client.post("/v1/jobs", json=body)
        assert_problem(refused, 429, "queue_full", "try again")
        batch = (await client.post("/v1/job-batches", json=BODY)).json()
        assert {row["error"]["code"] for row in batch["items"]} == {"queue_full"}
        assert (await client.get("/v1/jobs")).json()["total"] == 2
        await client.post(f"/v1/jobs/{first['request_id']}/cancel")
        answer = await client.post("/v1/jobs", json=body)
        assert answer.status_code == 200, answer.text
        assert (await over(client, first))["status"] == "cancelled"
        assert desk.app.store.jobs.get(answer.json()["request_id"]) is not None

    run(tmp_path / "workspace", flow)
