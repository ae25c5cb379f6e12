"""Call the API without a network."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.app.opening import COMPARISON, app_on
from whet.server.api import make_api
from whet.server.desk import Desk

SMALL = COMPARISON.model_dump(mode="json")


@asynccontextmanager
async def calling(
    workspace: Path, **environment: str
) -> AsyncGenerator[tuple[httpx.AsyncClient, Desk]]:
    """A client of the API on a workspace, and the desk behind it."""
    with app_on(workspace, **environment) as app:
        api = make_api(app)
        # An error becomes an answer here, as it does on the wire.
        transport = httpx.ASGITransport(app=api, raise_app_exceptions=False)
        async with (
            api.router.lifespan_context(api),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8642") as client,
        ):
            yield client, api.state.desk


def ask(workspace: Path, method: str, path: str, token: str = "", **request: Any) -> httpx.Response:
    """One request to a server that lives as long as it takes."""

    async def once() -> httpx.Response:
        async with calling(workspace, WHET_TOKEN=token) as (client, _):
            return await client.request(method, path, **request)

    return asyncio.run(once())


async def settled(client: httpx.AsyncClient, identity: str) -> dict[str, Any]:
    """The experiment once it does not run any more."""
    async with asyncio.timeout(30):
        while True:
            detail = (await client.get(f"/v1/experiments/{identity}")).json()
            if detail["experiment"]["status"] != "running":
                return detail
            await asyncio.sleep(0.02)


def assert_problem(answer: httpx.Response, status: int, code: str, *says: str) -> None:
    """Every error has this form."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body.keys() == {"type", "title", "status", "code", "detail"}
    assert (body["type"], body["status"], body["code"]) == ("about:blank", status, code)
    assert body["title"]
    for words in says:
        assert words in body["detail"]
