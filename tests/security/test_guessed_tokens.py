"""Tokens that could be guessed, and those who try."""

import asyncio
import logging
import re
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from tests.app.opening import app_on
from tests.server.calling import calling
from whet.app.settings import read
from whet.core.errors import UsageError
from whet.server.access import SHORTEST_TOKEN, fit_for_network
from whet.server.api import make_api
from whet.server.failed_attempts import FREE_ATTEMPTS, MOST_PEERS, MOST_WAITING, FailedAttempts

TOKEN = "a-long-token-of-these-tests"
RIGHT = {"authorization": f"Bearer {TOKEN}"}
WRONG = {"authorization": f"Bearer {TOKEN[:-1]}x"}


@pytest.mark.parametrize("token", ["x", "s3cret", "x" * (SHORTEST_TOKEN - 1), " " * 30, "ü" * 30])
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_token_that_can_be_guessed_is_refused(tmp_path: Path, token: str, host: str) -> None:
    settings = read(None, {"WHET_SCRATCH": str(tmp_path), "WHET_TOKEN": token})
    with pytest.raises(UsageError) as refused:
        fit_for_network(settings, host)
    message = str(refused.value)
    assert "\n" not in message
    assert len(token) < 2 or token not in message
    command = re.search(r"export WHET_TOKEN=.*", message)
    assert command is not None
    made = subprocess.run(
        ["sh", "-c", f'{command[0]}; printf %s "$WHET_TOKEN"'],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    good = read(None, {"WHET_SCRATCH": str(tmp_path), "WHET_TOKEN": made})
    assert fit_for_network(good, host).token == made


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])
def test_the_scheme_is_read_in_any_case(tmp_path: Path, scheme: str) -> None:
    async def once() -> int:
        async with calling(tmp_path / "workspace", WHET_TOKEN=TOKEN) as (client, _):
            headers = {"authorization": f"{scheme} {TOKEN}"}
            return (await client.get("/v1/health", headers=headers)).status_code

    assert asyncio.run(once()) == 200


def test_guesses_are_counted_logged_and_slowed_and_others_are_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        with app_on(tmp_path / "workspace", WHET_TOKEN=TOKEN) as app:
            api = make_api(app)
            async with api.router.lifespan_context(api):
                guesser, owner = (
                    httpx.AsyncClient(
                        transport=httpx.ASGITransport(app=api, client=(address, 1)),
                        base_url="http://127.0.0.1:8642",
                    )
                    for address in ("192.0.2.1", "192.0.2.2")
                )
                took: list[float] = []
                for _ in range(FREE_ATTEMPTS + 3):
                    begun = time.monotonic()
                    assert (await guesser.get("/v1/home", headers=WRONG)).status_code == 401
                    took.append(time.monotonic() - begun)
                assert took[-3] >= 0.1
                assert took[-1] >= 0.4 > took[0]
                # Meanwhile neither the owner nor the owner behind the same proxy waits.
                pending = asyncio.create_task(guesser.get("/v1/home", headers=WRONG))
                await asyncio.sleep(0.05)
                for client in (owner, guesser):
                    begun = time.monotonic()
                    answer = await client.get("/v1/health", headers=RIGHT)
                    assert answer.json()["failed_attempts"] == FREE_ATTEMPTS + 4
                    assert time.monotonic() - begun < 0.4
                begun = time.monotonic()
                assert (await owner.get("/v1/home", headers=WRONG)).status_code == 401
                assert time.monotonic() - begun < 0.4
                assert not pending.done()
                pending.cancel()

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert "wrong token from 192.0.2.1" in caplog.text
    assert TOKEN[:-1] not in caplog.text


def test_no_token_at_all_is_no_guess(tmp_path: Path) -> None:
    """The page asks before it has one."""

    async def story() -> int:
        async with calling(tmp_path / "workspace", WHET_TOKEN=TOKEN) as (client, desk):
            for _ in range(20):
                assert (await client.get("/v1/health")).status_code == 401
            return desk.failed_attempts.count

    begun = time.monotonic()
    assert asyncio.run(story()) == 0
    assert time.monotonic() - begun < 10


def test_many_guessers_cost_little_memory_and_few_connections() -> None:
    async def story() -> None:
        attempts = FailedAttempts()
        for number in range(MOST_PEERS * 2):
            await attempts.record(f"10.1.{number // 256}.{number % 256}")
        assert len(attempts._peers) == MOST_PEERS
        assert attempts.count == MOST_PEERS * 2
        many = [asyncio.create_task(attempts.record("2001:db8::1")) for _ in range(100)]
        many += [asyncio.create_task(attempts.record("2001:db8::ffff:1")) for _ in range(100)]
        await asyncio.sleep(0.01)
        assert len([one for one in many if not one.done()]) == MOST_WAITING
        for one in many:
            one.cancel()
        await asyncio.gather(*many, return_exceptions=True)

    asyncio.run(story())
