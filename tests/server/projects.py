"""Projects for the tests of projects over HTTP."""

import asyncio
from typing import Any

import httpx

from tests.server.calling import SMALL

PROJECTS = "/v1/projects"


async def made(client: httpx.AsyncClient, **change: Any) -> str:
    """The address of a new project."""
    answer = await client.post(PROJECTS, json={**SMALL, **change})
    assert answer.status_code == 201, answer.text
    return f"{PROJECTS}/{answer.json()['id']}"


async def ended(client: httpx.AsyncClient, project: str) -> dict[str, Any]:
    """How it is once nobody is at it any more."""
    async with asyncio.timeout(60):
        while True:
            found = (await client.get(f"{project}/status")).json()
            if found["status"] not in ("running", "pending"):
                return found
            await asyncio.sleep(0.05)


async def carried_out(client: httpx.AsyncClient, **change: Any) -> str:
    """The address of a new project, once it is completed."""
    project = await made(client, **change)
    answer = await client.post(f"{project}/run")
    assert answer.status_code == 202, answer.text
    assert (await ended(client, project))["status"] == "completed"
    return project


async def results(client: httpx.AsyncClient, project: str, **query: Any) -> list[dict[str, Any]]:
    """All that fit, page by page."""
    found: list[dict[str, Any]] = []
    for number in range(1, 100):
        answer = await client.get(
            f"{project}/results", params={"page": number, "page_size": 200, **query}
        )
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += page["items"]
        if len(found) >= page["total"]:
            return found
    raise AssertionError("a hundred pages and no end")
