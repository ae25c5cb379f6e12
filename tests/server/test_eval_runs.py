"""Single runs over HTTP: look, review, calibrate."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.repo.tree import ROOT
from tests.server.calling import assert_problem, calling

SKILL = str(ROOT / "examples/careful-python")


async def finished(client: httpx.AsyncClient) -> str:
    started = await client.post("/v1/evals", json={"skill": SKILL, "runs": 1})
    identity = started.json()["id"]
    async with asyncio.timeout(60):
        while True:
            detail = (await client.get(f"/v1/evals/{identity}")).json()
            if detail["eval"]["status"] != "running":
                return identity
            await asyncio.sleep(0.05)


@pytest.mark.slow
def test_a_person_looks_at_a_run_and_says_what_it_is_worth(tmp_path: Path) -> None:
    async def session() -> dict[str, Any]:
        async with calling(tmp_path / "workspace") as (client, _):
            at = f"/v1/evals/{await finished(client)}"
            every = (await client.get(f"{at}/runs")).json()["runs"]
            place = f"{at}/runs/{every[0]['run_id']}"
            said = {"label": "fail", "feedback": "Too long.", "scores": {"correctness": 2}}
            return {
                "runs": every,
                "view": (await client.get(place)).json(),
                "said": (await client.put(f"{place}/review", json=said)).json(),
                "after": (await client.get(f"{at}/runs")).json()["runs"],
                "calibration": (await client.get(f"{at}/calibration")).json(),
                "feedback": (await client.get(f"{at}/feedback")).json(),
            }

    found = asyncio.run(session())
    assert len(found["runs"]) == 16
    assert {run["configuration"] for run in found["runs"]} == {"with_skill", "without_skill"}
    assert [file["name"] for file in found["view"]["produced"]][-1] == "solution.py"
    assert found["view"]["grading"]["summary"]["total"] == 5
    assert found["said"]["review"]["label"] == "fail"
    assert found["after"][0] == found["said"]
    assert found["calibration"]["labels"] == 1
    assert found["feedback"]["total_runs"] == 16


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "said", "status", "code", "says"),
    [
        ("runs/nope/review", {"label": "pass"}, 404, "not_found", "no run 'nope'"),
        ("runs/1/review?leg=3", {"label": "pass"}, 404, "not_found", "no leg 3"),
        ("runs/1/review", {"scores": {"beauty": 3}}, 400, "invalid_request", "no dimension"),
        ("runs/1/review", {"scores": {"correctness": 9}}, 400, "invalid_request", "outside 1..5"),
        ("runs/1/review", {"label": "maybe"}, 422, "invalid_request", "label"),
    ],
)
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, path: str, said: dict[str, Any], status: int, code: str, says: str
) -> None:
    async def session() -> httpx.Response:
        async with calling(tmp_path / "workspace") as (client, _):
            at = f"/v1/evals/{await finished(client)}"
            return await client.put(f"{at}/{path}", json=said)

    assert_problem(asyncio.run(session()), status, code, says)
