"""A server with two packages, one of which asks, and what tests do with its jobs."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.flows.job_client import zipped
from tests.server.calling import calling
from whet.app.library.library import library
from whet.app.packages.packages import Packages
from whet.server.desk import Desk

EXAMPLE = Path(__file__).parents[2] / "examples" / "text-report"
ENGINES = ("claude", "simulated")
TEXT = b"Knives are sharpened on stones."

ASKS = """---
name: asks
description: Asks before it answers.
---

Ask the user to choose between red, green and blue. Then say which it was.
"""


@asynccontextmanager
async def served(
    workspace: Path, **environment: str
) -> AsyncGenerator[tuple[httpx.AsyncClient, Desk]]:
    """A server that has two packages, one of which asks."""
    folder = workspace.parent / "asks"
    (folder / "assets").mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(ASKS)
    runner = {
        "id": "asks",
        "version": "1",
        "execution_modes": ["interactive", "auto"],
        "schemas": {"output": "assets/output.schema.json"},
    }
    (folder / "assets/runner.json").write_text(json.dumps(runner))
    output = {
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
    }
    (folder / "assets/output.schema.json").write_text(json.dumps(output))
    with library(workspace, "skill") as shelf:
        for each in (EXAMPLE, folder):
            Packages(shelf, ENGINES).install(each)
    async with calling(workspace, **environment) as both:
        yield both


def run(
    workspace: Path,
    flow: Callable[[httpx.AsyncClient, Desk], Awaitable[None]],
    **environment: str,
) -> None:
    async def whole() -> None:
        async with served(workspace, **environment) as (client, desk):
            await flow(client, desk)

    asyncio.run(whole())


async def create(client: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    body = {"skill_id": "text-report", "input": {"title": "T"}, **more}
    answer = await client.post("/v1/jobs", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def upload(client: httpx.AsyncClient, job: dict[str, Any], data: bytes = TEXT) -> Any:
    path = f"/v1/jobs/{job['request_id']}/upload"
    answer = await client.post(path, content=zipped({"document": data}))
    assert answer.status_code == 200, answer.text
    return answer.json()


async def over(client: httpx.AsyncClient, job: dict[str, Any]) -> dict[str, Any]:
    path = f"/v1/jobs/{job['request_id']}/wait?timeout=30"
    return (await client.get(path)).json()


async def until(check: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(30):
        while True:
            if await check():
                return
            await asyncio.sleep(0.03)


async def status(client: httpx.AsyncClient, job: dict[str, Any]) -> Any:
    return (await client.get(f"/v1/jobs/{job['request_id']}")).json().get("status", "gone")


async def done(client: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    job = await create(client, **more)
    await upload(client, job)
    found = await over(client, job)
    assert found["status"] == "succeeded", found
    return found
