"""The end of a job is told to whom it was promised."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest

from tests.server.job_lives import done, run, until
from whet.app.jobs import posting
from whet.app.jobs.moves import WEBHOOK
from whet.server.desk import Desk

SECRET = "a secret of ours"


@contextmanager
def receiver(*statuses: int) -> Generator[tuple[str, list[tuple[dict[str, str], bytes]]]]:
    """Somebody who is told; answers with these, the last one for ever."""
    heard: list[tuple[dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            status = statuses[min(len(heard), len(statuses) - 1)]
            heard.append((dict(self.headers.items()), body))
            self.send_response(status)
            if status == 302:
                self.send_header("location", "/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.slow
def test_the_end_is_told_signed_and_again_until_it_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_SECONDS", 1.0)

    async def flow(client: httpx.AsyncClient, desk: Desk) -> None:
        with receiver(500, 302, 200) as (url, heard):
            job = await done(client, webhook={"url": url, "secret": SECRET})
            request_id, store = job["request_id"], desk.app.store
            for count in range(1, 4):

                async def told(count: int = count) -> bool:
                    return len(heard) >= count and _is_told(desk, request_id, count)

                await until(told)
                # The next try is minutes away: bring it near.
                later = desk.app.clock.now() + timedelta(days=1)
                for timer in store.timers.due(later, (WEBHOOK,)):
                    if store.timers.take(WEBHOOK, timer.key, timer.due):
                        store.timers.set(timer._replace(due=desk.app.clock.now()))
            await asyncio.sleep(0.6)
        assert len(heard) == 3
        assert len({headers["X-Whet-Delivery"] for headers, _ in heard}) == 1
        for headers, body in heard:
            moment, _, signed = headers["X-Whet-Signature"].partition(",")
            at = moment.removeprefix("t=")
            wanted = hmac.new(SECRET.encode(), f"{at}.".encode() + body, hashlib.sha256)
            assert signed == f"v1={wanted.hexdigest()}"
        message = json.loads(heard[-1][1])
        assert message["event"] == "job.succeeded"
        assert message["job"]["request_id"] == request_id
        assert message["result"]["result"]["artifacts"] == ["artifacts/report.md"]
        assert SECRET not in json.dumps([event.data for event in store.events.since(0, request_id)])

    run(tmp_path / "workspace", flow, WHET_OUTBOUND_HOSTS="127.0.0.1:*")


def _is_told(desk: Desk, request_id: str, count: int) -> bool:
    events = desk.app.store.events.since(0, request_id)
    return sum(event.kind.startswith("job.webhook") for event in events) == count
