"""A session of 10,000 calls over HTTP: pages of calls, one call, and the timeline.

    python -m bench.session_pages

The first look reads the file; after that a page and the timeline should each take less than 50 ms
in nineteen of twenty requests, the way of the request through the server included.
"""

import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from bench.sessions import CALLS, made
from whet.app.app import opened
from whet.app.settings import read
from whet.server.api import make_api

NAME = "2026-01-25-001-long"
ROUNDS = 60
LIMIT_MS = 50


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as folder:
        asyncio.run(measured(Path(folder)))


async def measured(workspace: Path) -> None:
    (workspace / "sessions").mkdir()
    whole = {**made(1), "session_id": NAME}
    (workspace / "sessions" / f"{NAME}.json").write_text(json.dumps(whole))
    with opened(read(workspace, {})) as app:
        api = make_api(app)
        transport = httpx.ASGITransport(app=api)
        async with (
            api.router.lifespan_context(api),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8642") as client,
        ):
            begun = time.perf_counter()
            await asked(client, "")
            print(f"first look       {(time.perf_counter() - begun) * 1000:6.0f} ms")
            chance = random.Random(1)
            await told(client, "page of 200", lambda: f"/calls?after={_place(chance)}&limit=200")
            await told(client, "one call", lambda: f"/calls/{_place(chance)}")
            await told(client, "timeline", lambda: "/timeline")


def _place(chance: random.Random) -> int:
    return chance.randrange(CALLS - 200)


async def told(client: httpx.AsyncClient, name: str, path: Callable[[], str]) -> None:
    begun = time.perf_counter()
    size = await asked(client, path())
    first = time.perf_counter() - begun
    taken: list[float] = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        await asked(client, path())
        taken.append((time.perf_counter() - begun) * 1000)
    late = statistics.quantiles(taken, n=20)[-1]
    verdict = "" if late < LIMIT_MS else f"   more than {LIMIT_MS} ms"
    print(
        f"{name:12} first {first * 1000:6.0f} ms   median {statistics.median(taken):5.1f}   "
        f"p95 {late:5.1f} ms   {size / 1000:5.0f} kB{verdict}"
    )


async def asked(client: httpx.AsyncClient, path: str) -> int:
    answer = await client.get(f"/v1/sessions/{NAME}{path}")
    assert answer.status_code == 200, answer.text
    return len(answer.content)


if __name__ == "__main__":
    main()
