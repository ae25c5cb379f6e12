"""Capability runs over HTTP: at the paths of the format, and under /v1/evaluation."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from fastapi.responses import StreamingResponse

from tests.app.measuring import case, commanded, sayings, write_set
from tests.app.opening import allow
from tests.flows.serving import Sent, sent
from tests.server.calling import ask, assert_problem, calling
from whet.app.capability import telling
from whet.server import evaluation

ADMIN = "/wunder/admin/evaluation"
V1 = "/v1/evaluation"
FIRST = {
    "user_id": "u",
    "model_name": "simulated",
    "language": "en-US",
    "dimensions": ["logic"],
    "stream": False,
}
MINI = {"model_name": "simulated", "case_set": "mini", "language": "en-US"}
FREE = {"WHET_SANDBOX": "off"}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    allow(made, programs=["/bin/sh"], paths=[str(tmp_path)])
    write_set(made, sayings(3))
    return made


async def over(client: httpx.AsyncClient, run_id: str) -> dict[str, Any]:
    """A run once it is not running any more."""
    async with asyncio.timeout(60):
        while True:
            detail = (await client.get(f"{ADMIN}/{run_id}")).json()
            if detail["run"]["status"] != "running":
                return detail
            await asyncio.sleep(0.05)


def stream_of(text: str) -> list[Sent]:
    return [*sent(iter(text.splitlines()))]


def test_a_fresh_workspace_runs_the_bundled_set(tmp_path: Path) -> None:
    async def flow() -> None:
        async with calling(tmp_path / "fresh") as (client, _):
            answer = await client.post(f"{ADMIN}/start", json=FIRST)
            assert answer.status_code == 200, answer.text
            started = answer.json()
            assert started.keys() == {"run_id", "status", "selected_cases"}
            assert started["status"] == "running"
            detail = await over(client, started["run_id"])
            assert detail["run"]["status"] == "finished"
            assert [one["case_id"] for one in detail["items"]] == started["selected_cases"]
            assert {one["dimension"] for one in detail["items"]} == {"logic"}
            assert detail["run"]["simulated"] is True
            assert detail["run"]["dimension_scores"]["tool"] is None
            assert detail["run"]["total_score"] == detail["run"]["dimension_scores"]["logic"]
            sets = (await client.get(f"{ADMIN}/cases")).json()["case_sets"]
            assert {"default"} <= {one["case_set"] for one in sets}

    asyncio.run(flow())


def test_the_stream_can_be_had_with_the_start_and_afterwards(workspace: Path) -> None:
    async def flow() -> None:
        async with calling(workspace) as (client, _):
            answer = await client.post(f"{ADMIN}/start", json={**MINI, "stream": True})
            assert answer.headers["content-type"].startswith("text/event-stream")
            events = stream_of(answer.text)
            run_id = events[0].data["run_id"]
            assert events[0][1:] == ("eval_started", {"run_id": run_id, "case_count": 3})
            assert events[-1].kind == "eval_finished"
            assert events[-1].data["status"] == "finished"
            items = [event.data for event in events if event.kind == "eval_item"]
            assert sorted((one["case_id"], one["status"] == "active") for one in items) == sorted(
                (f"c000{number}", active) for number in range(3) for active in (True, False)
            )
            for path in (f"{ADMIN}/stream/{run_id}", f"{V1}/runs/{run_id}/events"):
                again = await client.get(path)
                assert stream_of(again.text) == events
                middle = {"last-event-id": str(events[4].cursor)}
                assert stream_of((await client.get(path, headers=middle)).text) == events[5:]
                after = {"last-event-id": str(events[-1].cursor)}
                assert (await client.get(path, headers=after)).status_code == 204

    asyncio.run(flow())


def test_a_stream_ends_whatever_was_told_last(workspace: Path) -> None:
    async def flow() -> None:
        async with calling(workspace) as (client, desk):
            answer = await client.post(f"{ADMIN}/start", json={**MINI, "stream": True})
            events = stream_of(answer.text)
            run_id = events[0].data["run_id"]
            telling.log(desk.app.store, run_id, "too late")
            for seen in (0, events[-1].cursor):
                headers = {"last-event-id": str(seen)}
                async with asyncio.timeout(10):
                    text = (await client.get(f"{ADMIN}/stream/{run_id}", headers=headers)).text
                assert stream_of(text)[-1].data["message"] == "too late"

    asyncio.run(flow())


def test_a_stream_ends_when_its_run_is_gone(workspace: Path) -> None:
    async def flow() -> None:
        async with calling(workspace) as (client, desk):
            answer = await client.post(f"{ADMIN}/start", json={**MINI, "stream": True})
            last = stream_of(answer.text)[-1]
            desk.app.store.evaluations.delete_eval_run(last.data["run_id"])
            seen = await evaluation.to_the_end(desk, last.data["run_id"], last.cursor)
            assert seen.status_code == 204
            response = await evaluation.to_the_end(desk, last.data["run_id"], last.cursor - 1)
            assert isinstance(response, StreamingResponse)
            async with asyncio.timeout(10):
                assert len([part async for part in response.body_iterator]) == 1

    asyncio.run(flow())


@pytest.mark.slow
def test_runs_are_listed_by_what_is_asked_for(workspace: Path) -> None:
    async def flow() -> None:
        async with calling(workspace) as (client, _):
            for user in ("u", "v"):
                answer = await client.post(f"{V1}/runs", json={**MINI, "user_id": user})
                assert answer.status_code == 202
                await over(client, answer.json()["run_id"])
            for base in (f"{ADMIN}/runs", f"{V1}/runs"):

                async def found(base: str = base, **filters: str) -> list[str]:
                    answer = await client.get(base, params=filters)
                    assert answer.status_code == 200, answer.text
                    return [run["user_id"] for run in answer.json()["runs"]]

                assert await found() == ["v", "u"]
                assert await found(user_id="u") == ["u"]
                assert await found(model_name="claude") == []
                assert await found(status="finished", case_set="mini") == ["v", "u"]
                assert await found(status="failed") == []
                assert await found(time_range="2020-01-01T00:00:00Z,") == ["v", "u"]
                assert await found(time_range=",2020-01-01") == []
                assert await found(time_range="2020-01-01,2120-01-01") == ["v", "u"]
                assert await found(limit="1", offset="1") == ["u"]

    asyncio.run(flow())


@pytest.mark.slow
def test_cancel_delete_and_resume(workspace: Path) -> None:
    write_set(workspace, sayings(20))
    slow = {**MINI, "config_overrides": {"options": {"simulate": {"latency_ms": 300_000}}}}

    async def flow() -> None:
        async with calling(workspace) as (client, _):
            run_id = (await client.post(f"{ADMIN}/start", json=slow)).json()["run_id"]
            assert_problem(
                await client.delete(f"{ADMIN}/{run_id}"), 409, "wrong_status", "cancel it first"
            )
            assert_problem(await client.post(f"{V1}/runs/{run_id}/resume"), 409, "wrong_status")
            answer = await client.post(f"{ADMIN}/{run_id}/cancel")
            assert answer.json() == {"ok": True, "run_id": run_id, "status": "cancelled"}
            detail = (await client.get(f"{V1}/runs/{run_id}")).json()
            assert {one["status"] for one in detail["items"]} == {"cancelled"}
            events = stream_of((await client.get(f"{ADMIN}/stream/{run_id}")).text)
            assert events[-1].data["status"] == "cancelled"
            assert "cancel requested" in [one.data.get("message") for one in events]
            assert_problem(await client.post(f"{V1}/runs/{run_id}/resume"), 409, "wrong_status")
            deleted = await client.delete(f"{ADMIN}/{run_id}")
            assert deleted.json() == {"ok": True, "run_id": run_id, "deleted": True}
            assert_problem(await client.get(f"{ADMIN}/{run_id}"), 404, "not_found")

    asyncio.run(flow())


def test_runs_are_compared(workspace: Path) -> None:
    async def flow() -> None:
        async with calling(workspace) as (client, _):
            runs = [(await client.post(f"{V1}/runs", json=MINI)).json()["run_id"] for _ in "ab"]
            for run_id in runs:
                await over(client, run_id)
            answer = await client.get(f"{V1}/compare", params={"run_ids": ",".join(runs)})
            assert answer.status_code == 200, answer.text
            [difference] = answer.json()["differences"]
            assert difference["reference_id"] == runs[0]
            assert sum(difference["changes"].values()) == 3
            for wrong in ("", runs[0], f"{runs[0]},{runs[0]}"):
                refused = await client.get(f"{V1}/compare", params={"run_ids": wrong})
                assert_problem(refused, 400, "invalid_request")
            refused = await client.get(f"{V1}/compare", params={"run_ids": f"{runs[0]},nobody"})
            assert_problem(refused, 404, "not_found")

    asyncio.run(flow())


def test_what_a_start_would_do_is_told_and_not_done(workspace: Path, tmp_path: Path) -> None:
    async def flow() -> None:
        async with calling(workspace, **FREE) as (client, _):
            free = (await client.post(f"{V1}/plan", json=MINI)).json()
            assert (free["case_count"], free["simulated"]) == (3, True)
            assert sum(free["dimensions"].values()) == 3
            assert (free["paid_runs"], free["needs_confirmation"]) == (0, False)
            paid = (await client.post(f"{V1}/plan", json=commanded(tmp_path))).json()
            assert (paid["paid_runs"], paid["cost_usd"]) == (3, None)
            assert (paid["needs_confirmation"], paid["simulated"]) == (True, False)
            narrow = {"case_set": "default", "dimensions": ["tool"], "tool_names": ["Read"]}
            less = (await client.post(f"{V1}/plan", json=narrow)).json()
            assert less["tools"] == ["Read", "final_response"]
            assert less["skipped"]
            assert all("Read" not in one["missing_tools"] for one in less["skipped"])
            refused = await client.post(f"{V1}/plan", json={"model_name": "gpt-9"})
            assert_problem(refused, 400, "invalid_request", "gpt-9")
            assert (await client.get(f"{ADMIN}/runs")).json()["runs"] == []

    asyncio.run(flow())


def test_a_deleted_run_is_told(workspace: Path) -> None:
    async def flow() -> None:
        async with calling(workspace) as (client, desk):
            run_id = (await client.post(f"{V1}/runs", json=MINI)).json()["run_id"]
            await over(client, run_id)
            await client.delete(f"{V1}/runs/{run_id}")
            last = desk.app.store.events.since(0, run_id, 1000)[-1]
            assert (last.kind, last.data) == ("eval_deleted", {"run_id": run_id})

    asyncio.run(flow())


def test_a_paid_agent_has_to_be_confirmed(workspace: Path, tmp_path: Path) -> None:
    async def flow() -> None:
        async with calling(workspace, **FREE) as (client, _):
            body = commanded(tmp_path)
            refused = await client.post(f"{ADMIN}/start", json=body)
            assert_problem(refused, 409, "confirmation_needed", "3 agent runs", "confirmed: true")
            assert (await client.get(f"{ADMIN}/runs")).json()["runs"] == []
            answer = await client.post(f"{ADMIN}/start", json={**body, "confirmed": True})
            detail = await over(client, answer.json()["run_id"])
            assert [one["status"] for one in detail["items"]] == ["passed"] * 3

    asyncio.run(flow())


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"model_name": "gpt-9"}, 400, "invalid_request"),
        ({"case_set": "other"}, 404, "not_found"),
        ({"language": "fr"}, 400, "invalid_request"),
        ({"dimensions": ["thinking"]}, 422, "invalid_request"),
        ({"dimensions": []}, 422, "invalid_request"),
        ({"dimension": "logic"}, 422, "invalid_request"),
        ({"config_overrides": {"wieghts": 1}}, 400, "invalid_request"),
        ({"config_overrides": []}, 422, "invalid_request"),
        ({"weights": {"logic": -1}}, 422, "invalid_request"),
        ({"stream": "perhaps"}, 422, "invalid_request"),
        ({"case_set": "bad"}, 400, "invalid_suite"),
    ],
)
def test_a_start_that_cannot_be_is_refused(
    workspace: Path, body: dict[str, Any], status: int, code: str
) -> None:
    write_set(workspace, [case("a", "say", "(", checker="regex")], "bad")
    for path in (f"{ADMIN}/start", f"{V1}/runs"):
        answer = ask(workspace, "POST", path, json={"case_set": "mini", **body})
        assert_problem(answer, status, code)
    assert ask(workspace, "GET", f"{ADMIN}/runs").json()["runs"] == []


@pytest.mark.slow
def test_unknown_runs_are_not_found(workspace: Path) -> None:
    for method, path in (
        ("GET", f"{ADMIN}/nobody"),
        ("GET", f"{ADMIN}/start"),
        ("DELETE", f"{ADMIN}/nobody"),
        ("POST", f"{ADMIN}/nobody/cancel"),
        ("GET", f"{ADMIN}/stream/nobody"),
        ("GET", f"{V1}/runs/nobody"),
        ("GET", f"{V1}/runs/%00"),
        ("POST", f"{V1}/runs/nobody/resume"),
        ("GET", f"{V1}/runs/nobody/events"),
    ):
        assert_problem(ask(workspace, method, path), 404, "not_found")
    for query in ("time_range=now", "time_range=now,then", "time_range=,2020-13-01"):
        assert_problem(ask(workspace, "GET", f"{ADMIN}/runs?{query}"), 400, "invalid_request")
    for query in ("limit=0", "limit=x", "status=done", "offset=-1"):
        assert_problem(ask(workspace, "GET", f"{ADMIN}/runs?{query}"), 422, "invalid_request")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", f"{ADMIN}/start"),
        ("GET", f"{ADMIN}/runs"),
        ("GET", f"{ADMIN}/stream/x"),
        ("POST", f"{ADMIN}/x/cancel"),
        ("DELETE", f"{ADMIN}/x"),
        ("GET", f"{V1}/runs"),
    ],
)
def test_with_a_token_nobody_else_comes_in(workspace: Path, method: str, path: str) -> None:
    assert_problem(ask(workspace, method, path, token="secret", json={}), 401, "unauthorized")


def test_a_broken_set_is_listed_with_its_reason(workspace: Path) -> None:
    (workspace / "evaluation" / "cases" / "broken.json").write_text("{")
    sets = ask(workspace, "GET", f"{V1}/case-sets").json()["case_sets"]
    by_name = {one["case_set"]: one for one in sets}
    assert by_name["broken"]["problem"]
    assert by_name["mini"]["case_count"] == 3


def test_a_set_is_linted_and_its_coverage_told(workspace: Path) -> None:
    path = f"{V1}/case-sets/mini/lint"
    assert ask(workspace, "GET", path).json()["cases"] == 3
    write_set(workspace, [case("a", "say", "(", checker="regex")])
    found = ask(workspace, "GET", path).json()
    assert found["errors"] >= 1
    assert found["findings"][0]["case_id"] == "a"
    covered = ask(workspace, "GET", f"{V1}/coverage").json()
    assert covered["case_set"] == "default"
    assert covered["dimensions"].keys() == {"tool", "logic", "common", "complex"}
    english = ask(workspace, "GET", f"{V1}/coverage?language=en-US").json()
    assert english["cases"] < covered["cases"]
    assert english["languages"].keys() == {"en-US"}
    for path in ("/case-sets/nobody/lint", "/coverage?case_set=nobody"):
        assert_problem(ask(workspace, "GET", f"{V1}{path}"), 404, "not_found")
    # Over HTTP nobody names a file of this machine.
    there = workspace / "evaluation" / "cases" / "mini.json"
    for path in (f"/coverage?case_set={there}", f"/case-sets/{quote(str(there), safe='')}/lint"):
        assert_problem(ask(workspace, "GET", f"{V1}{path}"), 404, "not_found")


@pytest.mark.slow
def test_the_next_server_goes_on_with_what_was_left(workspace: Path) -> None:
    """A server that ends leaves its runs as they are; another takes them up."""
    write_set(workspace, sayings(8))
    slow = {"options": {"simulate": {"latency_ms": 150}}, "concurrency": 1}

    async def begin() -> str:
        async with calling(workspace) as (client, _):
            body = {**MINI, "config_overrides": slow}
            run_id = (await client.post(f"{ADMIN}/start", json=body)).json()["run_id"]
            await asyncio.sleep(0.4)
            return run_id

    async def end(run_id: str) -> dict[str, Any]:
        async with calling(workspace) as (client, _):
            detail = await over(client, run_id)
            events = stream_of((await client.get(f"{ADMIN}/stream/{run_id}")).text)
            return {**detail, "events": events}

    run_id = asyncio.run(begin())
    found = asyncio.run(end(run_id))
    assert found["run"]["status"] == "finished"
    assert found["run"]["counts"]["failed"] + found["run"]["counts"]["passed"] == 8
    results = [
        event.data["case_id"]
        for event in found["events"]
        if event.kind == "eval_item" and event.data["status"] != "active"
    ]
    assert sorted(results) == [f"c000{number}" for number in range(8)]
    assert "resumed" in json.dumps([event.data for event in found["events"]])
