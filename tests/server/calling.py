"""Call the API without a network."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from tests.app.opening import COMPARISON, app_on
from whet.server.api import make_api
from whet.server.desk import Desk
from whet.server.problems import path_pattern

MORE = {
    "conflict": {"expected", "actual"},
    "wrong_status": {"expected", "actual"},
    "invalid_import": {"problems"},
    "invalid_job": {"problems"},
    "invalid_skill": {"problems"},
    "invalid_suite": {"problems"},
    "version_not_higher": {"expected", "actual"},
}
"""What some problems tell beside the rest."""

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
            httpx.AsyncClient(
                transport=transport,
                base_url="http://127.0.0.1:8642",
                event_hooks={"response": [assert_named_by_contract]},
            ) as client,
        ):
            yield client, api.state.desk


async def assert_named_by_contract(answer: httpx.Response) -> None:
    """The contract names every status that an operation answers."""
    method, path = answer.request.method.lower(), answer.request.url.path
    if answer.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.METHOD_NOT_ALLOWED):
        return
    fitting = [each for each in contract() if path_pattern(each).fullmatch(path)]
    for each in sorted(fitting, key=lambda one: one.count("{"))[:1]:
        operation = contract()[each].get(method)
        if operation is not None:
            assert str(answer.status_code) in operation["responses"], (method, path, answer.text)


@cache
def contract() -> dict[str, dict[str, Any]]:
    """The operations of the contract by path and method."""
    with TemporaryDirectory() as folder, app_on(Path(folder) / "workspace") as app:
        return make_api(app).openapi()["paths"]


def ask(workspace: Path, method: str, path: str, token: str = "", **request: Any) -> httpx.Response:
    """One request to a server that lives as long as it takes."""

    async def once() -> httpx.Response:
        async with calling(workspace, WHET_TOKEN=token) as (client, _):
            return await client.request(method, path, **request)

    return asyncio.run(once())


Caller = Callable[..., httpx.Response]
"""Takes a method, a path, and what ``httpx`` takes more."""


@contextmanager
def caller(workspace: Path, **environment: str) -> Generator[Caller]:
    """One server for requests that come one after another."""
    with asyncio.Runner() as runner:
        serving = calling(workspace, **environment)
        client, _ = runner.run(serving.__aenter__())

        def call(method: str, path: str, **more: Any) -> httpx.Response:
            return runner.run(client.request(method, path, **more))

        try:
            yield call
        finally:
            runner.run(serving.__aexit__(None, None, None))


async def settled(client: httpx.AsyncClient, identity: str) -> dict[str, Any]:
    """The run once nobody is at it any more."""
    async with asyncio.timeout(30):
        while True:
            detail = (await client.get(f"/v1/runs/{identity}")).json()
            if detail["status"] != "running":
                return detail
            await asyncio.sleep(0.02)


def assert_problem(answer: httpx.Response, status: int, code: str, *says: str) -> None:
    """Every error has this form."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    fields = {"type", "title", "status", "code", "detail"}
    assert body.keys() == fields | MORE.get(code, set[str]())
    assert (body["type"], body["status"], body["code"]) == ("about:blank", status, code)
    assert body["title"]
    for words in says:
        assert words in body["detail"]
