"""Looking at experiments over HTTP."""

from typing import Any

import httpx

RUNS = "/v1/runs"
EVALS = "/v1/evals"


async def seen(client: httpx.AsyncClient, path: str, **query: Any) -> dict[str, Any]:
    answer = await client.get(f"{path}/view", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()
