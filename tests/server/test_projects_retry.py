"""Other answers for results of projects, over HTTP."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import allow, fill
from tests.server.calling import assert_problem, calling
from tests.server.projects import carried_out, ended, made, results


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


@pytest.mark.slow
def test_a_retry_is_another_answer(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await carried_out(client)
            wish = {"skill": "Writer", "case": "case_001"}
            answer = await client.post(f"{project}/retry", json=wish)
            assert (answer.status_code, answer.json()["results"]) == (200, 2)
            assert answer.json()["project"]["status"] == "completed"
            assert {one["generation"] for one in await results(client, project)} == {1}
            answer = await client.post(f"{project}/retry", json={**wish, "run": True})
            assert (answer.status_code, answer.json()["results"]) == (202, 2)
            await ended(client, project)
            found = await results(client, project)
            anew = [(one["skill_name"], one["case"]) for one in found if one["generation"] == 2]
            assert (len(found), anew) == (8, [("Writer", "case_001")] * 2)

    asyncio.run(story())


RETRIES: list[tuple[dict[str, Any], int, str, str]] = [
    ({}, 400, "invalid_request", "say what to try again"),
    ({"run": True}, 400, "invalid_request", "say what to try again"),
    ({"failed": True}, 404, "not_found", "nothing to try again"),
    ({"unscored": True}, 404, "not_found", "nothing to try again"),
    ({"skill": "Nobody"}, 404, "not_found", "no 'Nobody'"),
    ({"baseline": "None"}, 404, "not_found", "no 'None'"),
    ({"case": "case_009"}, 404, "not_found", "nothing to try again"),
    ({"cases": ["case_001"]}, 422, "invalid_request", "cases"),
]


def test_retries_of_nothing(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await carried_out(client)
            for wish, status, code, says in RETRIES:
                answer = await client.post(f"{project}/retry", json=wish)
                assert_problem(answer, status, code, says)
            assert (await client.post(f"{project}/run")).status_code == 202
            run = (await ended(client, project))["run"]
            assert run["total"] == run["reused"] == 8

    asyncio.run(story())


FAILING = """
import pathlib, sys
print("ok")
sys.exit(0 if pathlib.Path({mark!r}).exists() else 1)
"""


@pytest.mark.slow
def test_what_failed_is_tried_again_after_consent(workspace: Path, tmp_path: Path) -> None:
    script, mark = tmp_path / "agent.py", tmp_path / "mended"
    script.write_text(FAILING.format(mark=str(mark)))
    allow(workspace, programs=[sys.executable], paths=[str(script)])
    setup = {
        "engine": "command",
        "options": {"argv": [sys.executable, str(script)]},
        "judges": ["simulated"],
        "retries": 0,
        "repeats": 1,
    }

    async def story() -> None:
        environment = {"WHET_SANDBOX": "off", "PATH": os.environ["PATH"]}
        async with calling(workspace, **environment) as (client, _):
            project = await made(client, **setup)
            await client.post(f"{project}/run", json={"confirmed": True})
            status = await ended(client, project)
            assert (status["trials"]["failed"], status["trials"]["unanswered"]) == (4, 4)
            mark.touch()
            wish = {"failed": True, "run": True}
            answer = await client.post(f"{project}/retry", json=wish)
            assert_problem(answer, 409, "confirmation_needed", "4 agent runs")
            answer = await client.post(f"{project}/retry", json={**wish, "confirmed": True})
            assert (answer.status_code, answer.json()["results"]) == (202, 4)
            status = await ended(client, project)
            assert (status["trials"]["completed"], status["trials"]["failed"]) == (4, 0)
            # Nothing is marked before somebody has agreed.
            wish = {"case": "case_001", "run": True}
            answer = await client.post(f"{project}/retry", json=wish)
            assert_problem(answer, 409, "confirmation_needed", "2 agent runs")
            assert (await client.post(f"{project}/run")).status_code == 202
            run = (await ended(client, project))["run"]
            assert run["total"] == run["reused"] == 4

    asyncio.run(story())
